import type { BlockFinding, BlockRun } from '../block-finding.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'

interface Failed {
  readonly code: string
  /** The command that failed, or the whole code if the command is unknown. */
  readonly command: string
  readonly expectedExitCode: number
  readonly result: ShellResult
}

export function advise<T extends BlockFinding>(finding: T, failed: Failed, run: BlockRun): T {
  if (finding.status === 'pass' || finding.status === 'skipped') return finding
  const printed = `${failed.result.stdout}\n${failed.result.stderr}`.slice(-maxReadCharacters)
  const advice = [
    failed.result.status === 'timeout' ? moreTime : undefined,
    adviseProgram(failed, printed),
    adviseService(failed, printed, run),
    adviseInput(failed, printed),
    startsWithQuote.test(failed.command.replaceAll(/'[^']*'|"[^"]*"|#.*/g, '')) ? plainQuotes : undefined,
    adviseVariable(failed, run),
  ]
  const given = advice.filter((part) => part !== undefined)
  if (given.length === 0) return finding
  const told = run.redact(given.join('\n'))
  // The cause comes first: the advice for a failed command, but the finding for an unfinished command.
  const parts = failed.result.status === 'done' ? [told, finding.message] : [finding.message, told]
  return { ...finding, message: parts.join('\n\n') }
}

const maxReadCharacters = 64 * 1024
const maxNameCharacters = 100

const moreTime =
  'If it needs longer, set `timeout=5m` after the language of the block. If it is a server, move it into a block of its own that begins with "```sh background wait=port:8080".'

const startsWithQuote = /(?:^|[\s=(])[“„‘]/m
const plainQuotes = 'A typographic quote is a letter for bash: write `"` or `\'`.'

/** Advice if a service refused a connection. A silent `curl` shows this only by its exit code 7. */
function adviseService({ code, result }: Failed, output: string, { services }: BlockRun): string | undefined {
  const isSilent = result.status === 'done' && result.exitCode === 7 && /\bcurl\b/.test(code)
  if (!isSilent && !/ECONNREFUSED|connection refused|failed to connect/i.test(output)) return undefined
  const service = services.unawaited()
  if (service === undefined) return undefined
  return `Nobody was listening yet: the service of line ${service.block.line} has no \`wait\`. Write for example \`background wait=port:8080\`.`
}

function adviseProgram(failed: Failed, output: string): string | undefined {
  const { result, expectedExitCode } = failed
  const exitCode = result.status === 'done' ? result.exitCode : 0
  const [, unknown] = lastOf(/^(?:.*: )?(\S+): (?:command )?not found$/gm, output) ?? []
  if (unknown && (exitCode === 127 || output.includes(': command not found'))) return unknownProgram(unknown, failed)
  if (result.isPartUnstarted)
    return 'A command before a `|` could not be started (exit code 126 or 127): its program was not found or may not be executed.'
  if (exitCode === expectedExitCode) return undefined
  const [, denied] = lastOf(/^(?:.*: )?(\S+): Permission denied$/gm, output) ?? []
  if (exitCode === 126 && denied !== undefined) {
    const file = cutName(denied)
    return `\`${file}\` may not be executed. Allow it, \`chmod +x ${file}\`, or name its interpreter, such as \`bash ${file}\`.`
  }
  const [, missing] = lastOf(/^(?:.*: )?[‘'"]?([^\s:‘’'"]+)[’'"]?: No such file or directory$/gm, output) ?? []
  if (exitCode !== 127 || missing === undefined) return undefined
  if (!missing.includes('/')) return unknownProgram(missing, failed)
  return `There is no file \`${cutName(missing)}\`. A relative path begins in the directory where the block runs: \`cwd\`, by default the suite root. Correct the path, or begin it with \`"$TESTDIR"/\`, the folder of the spec.`
}

function unknownProgram(name: string, { code, command }: Failed): string {
  const program = cutName(name)
  // Below the first line, the author may have meant the failed line as expected output.
  const hint = code.trim().startsWith(command.trim())
    ? 'Install'
    : 'If the line is expected output, call the block `console`, and begin each command with `$ `. Otherwise install'
  return `The program \`${program}\` is not on PATH. ${hint} it, or correct the name. Where it may be missing, \`requires: ['bin:${program}']\` in the front matter skips the spec.`
}

/** Output that asks a question: a choice in brackets, or a last line that ends with `?` or `:` and no newline. */
const question = /\[y\/n\]|\(y\/n\)|\(yes\/no\)|[^\s?:][?:][ \t]*$(?!\n)/i
const noInput =
  /EOFError|EOF when reading a line|(?:stdin|standard input|input device|input)\b.{0,20} not an? (?:tty|terminal)|\/dev\/tty: No such device|cannot prompt/i

function adviseInput({ command, result }: Failed, output: string): string | undefined {
  const reads = result.status === 'done' && readsInput(command)
  const asks = [result.stdout, result.stderr].some((text) => question.test(text.slice(-400)))
  if (!reads && !asks && !noInput.test(output)) return undefined
  return "A block has no standard input: nobody can type an answer. Pass the answer, with `<<< y` behind the command or `printf 'y\\n' | PROGRAM`, or use the flag with which the program does not ask, such as `--yes`."
}

function readsInput(command: string): boolean {
  if (/[<|]/.test(command)) return false
  return /(?:^|[;&]\s*|\bthen\s+|\bdo\s+)(?:\w+=\S*\s+)*read\b/m.test(command) || /^\s*cat\s*-?\s*$/m.test(command)
}

function adviseVariable({ code }: Failed, { withheld, captures }: BlockRun): string | undefined {
  const named = Array.from(code.matchAll(/\$\{?([A-Za-z_]\w*)/g), ([, name = '']) => name)
  const missing = named.find(
    (name) =>
      withheld.has(name) &&
      !captures.has(name) &&
      !new RegExp(`\\b(?:${name}=|read\\b.*\\b${name}\\b|for ${name}\\b)`).test(code),
  )
  if (missing === undefined) return undefined
  return `\`${missing}\` is set outside, but blocks do not get it. To pass it on, write \`requires: ['env:${missing}']\` in the front matter.`
}

function lastOf(pattern: RegExp, text: string): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].at(-1)
}

function cutName(name: string): string {
  return name.slice(0, maxNameCharacters)
}
