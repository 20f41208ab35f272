import type { BlockFinding, BlockRun } from '../block-finding.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'

interface Failed {
  readonly code: string
  /** The command that failed, or the whole code if that is unknown. */
  readonly command: string
  readonly expectedExitCode: number
  readonly result: ShellResult
}

/** Adds advice to the message of a failure, if exit code, output or code show what to do. */
export function advise<T extends BlockFinding>(finding: T, failed: Failed, run: BlockRun): T {
  if (finding.status === 'pass' || finding.status === 'skipped') return finding
  const printed = `${failed.result.stdout}\n${failed.result.stderr}`.slice(-maxReadCharacters)
  const advice = [
    adviseTime(failed),
    adviseProgram(failed, printed),
    adviseService(failed, printed, run),
    adviseInput(failed, printed),
    adviseSigns(failed),
    adviseVariable(failed, run),
  ]
  const given = advice.filter((part) => part !== undefined)
  if (given.length === 0) return finding
  const [first = '', ...output] = finding.message.split('\n\n')
  const told = run.redact(given.join('\n'))
  // Put the cause first: the advice, or the timeout if the finding reports one.
  const parts = failed.result.status === 'done' ? [told, finding.message] : [first, told, ...output]
  return { ...finding, message: parts.join('\n\n') }
}

const maxReadCharacters = 64 * 1024
const maxNameCharacters = 100

function adviseTime({ result }: Failed): string | undefined {
  if (result.status !== 'timeout') return undefined
  return 'If it needs longer, set `timeout=5m` after the language of the block. If it is a server, move it into a block of its own that begins with "```sh background wait=port:8080".'
}

/** Looks for a refused connection. curl may report it only by exit code 7. */
function adviseService({ code, result }: Failed, output: string, { services }: BlockRun): string | undefined {
  const isSilent = result.status === 'done' && result.exitCode === 7 && /\bcurl\b/.test(code)
  if (!isSilent && !/ECONNREFUSED|connection refused|failed to connect/i.test(output)) return undefined
  const service = services.unawaited()
  if (service === undefined) return undefined
  return `Nobody was listening yet: the service of line ${service.block.line} has no \`wait\`. Write for example \`background wait=port:8080\`.`
}

function adviseProgram({ result, expectedExitCode }: Failed, output: string): string | undefined {
  const exitCode = result.status === 'done' ? result.exitCode : 0
  const [, unknown] = lastOf(/^(?:.*: )?(\S+): (?:command )?not found$/gm, output) ?? []
  if (unknown && (exitCode === 127 || output.includes(': command not found'))) return unknownProgram(unknown)
  if (exitCode === expectedExitCode) return undefined
  if (exitCode === 126 || output.includes('required file not found')) return adviseNoProgram(output)
  if (exitCode === 127) {
    const [, file] = lastOf(/^(?:.*: )?[‘'"]?([^\s:‘’'"]+)[’'"]?: No such file or directory$/gm, output) ?? []
    if (file === undefined)
      return 'Exit code 127 means that a program was not found. Install it, or correct its name or PATH.'
    return file.includes('/') ? noFile(cut(file)) : unknownProgram(file)
  }
  return undefined
}

function noFile(file: string): string {
  const start = `There is no file \`${file}\``
  if (file.startsWith('/')) return `${start}. Correct the path.`
  const besideSpec = file.replace(/^\.\//, '')
  return `${start} in the directory where this block runs: \`cwd\`, by default the suite root. Correct the path, or begin it at the folder of the spec, \`"$TESTDIR"/${besideSpec}\`, or at the suite root, \`"$TESTROOT"/${besideSpec}\`.`
}

function unknownProgram(name: string): string {
  const program = cut(name)
  return `The program \`${program}\` is not on PATH. Install it, or correct the name. Where it may be missing, \`requires: ['bin:${program}']\` in the front matter skips the spec.`
}

function adviseNoProgram(output: string): string {
  const [, file = 'the file'] =
    lastOf(/^(?:.*: )?(\S+): (?:Permission denied|cannot execute|Is a directory)/gm, output) ?? []
  if (/bad interpreter|required file not found/.test(output)) {
    return `The first line of \`${cut(file)}\` names an interpreter that is not there. Install it, or correct the line.`
  }
  if (output.includes('Is a directory')) return `\`${cut(file)}\` is a directory. Name a program in it.`
  if (output.includes('Exec format error') || output.includes('cannot execute binary file')) {
    return `\`${cut(file)}\` is no program for this machine. Build it here, or install the one for this system.`
  }
  return `\`${cut(file)}\` may not be executed. Allow it, \`chmod +x ${cut(file)}\`, or name its interpreter, such as \`bash ${cut(file)}\`.`
}

/** Output that asks a question: a choice in brackets, or a last line that ends with `?` or `:` and no newline. */
const question = /\[y\/n\]|\(y\/n\)|\(yes\/no\)|[^\s?:][?:][ \t]*$(?!\n)/i
const noInput =
  /EOFError|EOF when reading a line|(?:stdin|standard input|input device|input)\b.{0,20} not an? (?:tty|terminal)|\/dev\/tty: No such device|cannot prompt/i

/** Advice for a command that waits for input, because standard input is empty in a block. */
function adviseInput({ command, result }: Failed, output: string): string | undefined {
  const reads = result.status === 'done' && readsInput(command)
  const asks = [result.stdout, result.stderr].some((text) => question.test(text.slice(-400)))
  if (!reads && !asks && !noInput.test(output)) return undefined
  const start = 'A block has no standard input: nobody can type an answer.'
  if (reads && plainRead.test(command)) {
    return `${start} Give \`read\` its answer: \`${cut(command.trim())} <<< y\`.`
  }
  if (reads) return `${start} Give it some, for example with \`<<< y\` after the command.`
  return `${start} Give the answer, \`printf 'y\\n' | PROGRAM\`, or the flag with which it does not ask, such as \`--yes\`.`
}

const plainRead = /^\s*(?:IFS=\S*\s+)?read\b[^;&|()\n]*$/

/** Whether a command runs `read` or `cat` without any input. */
function readsInput(command: string): boolean {
  const isGiven = /[<|]/.test(command)
  return (
    !isGiven &&
    (/(?:^|[;&]\s*|\bthen\s+|\bdo\s+)(?:\w+=\S*\s+)*read\b/m.test(command) || /^\s*cat\s*-?\s*$/m.test(command))
  )
}

/** Advice for typographic quotes and dashes, which a word processor put in place of plain ones. */
function adviseSigns({ command }: Failed): string | undefined {
  const quoted = command.split('\n').find((line) => /[“”„‘’]/.test(line))
  if (quoted !== undefined) {
    const [quote = ''] = /[“”„‘’]/.exec(quoted) ?? []
    const plain = quoted.trim().replace(/[“”„]/g, '"').replace(/[‘’]/g, "'")
    return `\`${quote}\` is a typographic quote, which bash takes for a letter. Write \`${cut(plain)}\`.`
  }
  const [, word] = /(?:^|\s)([–—]\w\S*)/.exec(command) ?? []
  return word === undefined
    ? undefined
    : `\`${cut(word)}\` begins with a long dash, which is no option. Write \`-\` or \`--\`.`
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

function cut(name: string): string {
  return name.slice(0, maxNameCharacters)
}
