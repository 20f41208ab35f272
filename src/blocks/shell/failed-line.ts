import type { Block } from '../../spec/spec.ts'
import { ofModuleLoader } from '../../system/error-facts.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'

export type ScriptBlock = Extract<Block, { kind: 'script' }>
export type Done = Extract<ShellResult, { status: 'done' }>

export function isStrict({ attributes }: ScriptBlock): boolean {
  return attributes.errexit !== 'off'
}

export function failedLineOf(block: ScriptBlock, result: Done): number | undefined {
  if (!isStrict(block) || result.exitCode === 0) return undefined
  const lines = block.code.split('\n')
  const line = result.failedLine ?? lineOfMessage(result) ?? lineOfExit(lines, result.exitCode)
  return line === undefined || line > lines.length ? undefined : block.codeLine + line - 1
}

export function describeFailedLine(block: ScriptBlock, line: number | undefined, redact: Redact): string | undefined {
  const lines = block.code.split('\n')
  if (line === undefined || lines.filter(isCommand).length < 2) return undefined
  const command = redact(lines[line - block.codeLine] ?? '').trim()
  return `It stopped at line ${line}, \`${command.length > 100 ? `${command.slice(0, 100)} …` : command}\`.`
}

/** Where bash names itself in its messages. In a function it writes `environment:` instead of `bash:`. */
const byBash = String.raw`^(?:bash|environment): (?:eval: )?line \d+: `

const ofBash = new RegExp(
  `${byBash}(?:.*: (?:command not found|invalid option|unbound variable|parameter null or not set)$|(?:.*: )?syntax error|unexpected EOF while)`,
  'm',
)

/** By bash's manual, a builtin returns 2 for incorrect usage, as `[ 1 -eq x ]` does. */
const [misuseCode, misuse] = [2, new RegExp(byBash, 'm')]

/** Matches errors of an interpreter that cannot find or parse its script, so that the product did not even start. */
const ofInterpreter = new RegExp(
  [
    String.raw`^(?:\S*/)?(?:python[\d.]*: (?:can't open|No module named)|z?sh: (?:0: cannot|can't) open|dash: 0: |lua[\d.]*: cannot open|ruby: No such)`,
    String.raw`^(?:ba|z)?sh: (?:line )?\d+: .*not found$|^make(?:\[\d+\])?: \*\*\* .* Error 12[67]$`,
    String.raw`^Can't open perl script|^Could not open input file: |^Error: Unable to access jarfile|^error: Module not found "|^npm (?:error|ERR!) (?:Missing script|(?:npx )?canceled due|could not determine|404 .*'[^']+@\*')`,
    // Matches syntax errors in a program itself, but not in data that the program parses.
    String.raw`^[ \t].*\n(?:ModuleNotFound|Import)Error: |^(?: +File "[^<"\n]+"|(?<!^ .*\n) +File "<\w+>"), line \d+\n(?:.*\n){1,2}(?:Syntax|Indentation|Tab)Error: `,
  ].join('|'),
  'm',
)

/** Whether the code could not be executed: missing program or file, bad syntax, unset variable. */
export function isBroken({ stdout, stderr, exitCode, isPartUnstarted }: Omit<Done, 'status'>, expected = 0): boolean {
  if (isPartUnstarted || (exitCode !== expected && (exitCode === 126 || exitCode === 127))) return true
  const [all, printed] = [`${stderr}\n${stdout}`, stderr === '' ? stdout : stderr]
  if (exitCode === misuseCode && expected !== misuseCode && misuse.test(all)) return true
  return ofBash.test(all) || ofInterpreter.test(printed) || ofModuleLoader.test(printed)
}

/** A failed expansion such as `${x:?}` ends the script. Bash names the line in its last message. */
function lineOfMessage({ stdout, stderr }: Done): number | undefined {
  const last = `${stdout}\n${stderr}`.trimEnd().split('\n').at(-1) ?? ''
  const line = /^bash: (?:eval: )?line (\d+): /.exec(last)?.[1]
  return line === undefined ? undefined : Number(line)
}

/** Guesses where the script ended: at the only `exit` with this code, or at the last command. */
function lineOfExit(lines: readonly string[], exitCode: number): number | undefined {
  const exits = indexesOf(lines, (line) => new RegExp(`\\bexit\\s+${exitCode}\\b`).test(line))
  if (exits.length > 0) return exits.length === 1 ? exits[0] : undefined
  const others = indexesOf(lines, (line) => /\bexit\b/.test(line))
  return others.length > 0 ? undefined : indexesOf(lines, isCommand).at(-1)
}

function indexesOf(lines: readonly string[], matches: (line: string) => boolean): readonly number[] {
  return lines.flatMap((line, index) => (isCommand(line) && matches(line) ? [index + 1] : []))
}

function isCommand(line: string): boolean {
  return !/^\s*(?:#|$)/.test(line)
}
