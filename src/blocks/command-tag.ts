import { MdtestError } from '../system/mdtest-error.ts'
import type { BlockRun } from './block-finding.ts'
import { formatTail } from './command-result/format-tail.ts'
import { describeShellEnd, quoteCommand } from './shell/shell-end.ts'
import { isBroken } from './shell/failed-line.ts'
import { singleQuoted } from '../system/text/shell-and-regex-quotes.ts'
import { describeExit } from '../system/text/wording.ts'

export interface CommandResult {
  /** Without the final newline, like `stderr`. */
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

type RunTemplate = (strings: TemplateStringsArray, ...values: readonly CommandValue[]) => Promise<CommandResult>

/**
 * Runs a template as a command in the scenario's shell. A value becomes one word, a list one word per item. Rejects
 * unless the exit code is 0.
 */
export interface CommandTag extends RunTemplate {
  /** Like `$`, but resolves with any exit code. */
  readonly nothrow: RunTemplate
}

export interface Commands {
  readonly $: CommandTag
  running(): readonly string[]
  /** Whether a command could not be executed, for example because its program is missing. */
  wasBroken(): boolean
  /** Call when the block is over: later commands are refused. */
  close(): void
}

export function openCommands({ shell, cwd, env, redact }: BlockRun, leftMs: () => number): Commands {
  const running = new Set<{ readonly what: string }>()
  let isOver = false
  let wasBroken = false
  const run = async (command: string): Promise<CommandResult> => {
    const what = quoteCommand(redact(command))
    if (isOver) throw new MdtestError('EXEC_BLOCK_OVER', `${what} was not run: its block is over.`)
    const entry = { what }
    running.add(entry)
    const timeoutMs = Math.max(1, Math.ceil(leftMs()))
    const ending = shell.run(command, { timeoutMs, streams: 'separate', cwd, env })
    const result = await ending.finally(() => running.delete(entry))
    wasBroken ||= result.status === 'done' ? isBroken(result) : result.status !== 'too-much-output'
    if (result.status !== 'done')
      throw new MdtestError('EXEC_COMMAND_FAILED', describeShellEnd(result, { what, redact }).message)
    const [stdout = '', stderr = ''] = [result.stdout, result.stderr].map((text) => text.replace(/\r?\n$/, ''))
    return { stdout, stderr, exitCode: result.exitCode }
  }
  const nothrow: RunTemplate = async (strings, ...values) => await run(toCommand(strings, values))
  const $: RunTemplate = async (strings, ...values) => {
    const command = toCommand(strings, values)
    const result = await run(command)
    if (result.exitCode === 0) return result
    const head = `${quoteCommand(redact(command))} ${describeExit(result.exitCode)}.`
    const message = [head, formatTail(result, redact)].filter((part) => part !== '').join('\n\n')
    throw Object.assign(new MdtestError('EXEC_COMMAND_FAILED', message), result)
  }
  return {
    $: Object.assign($, { nothrow }),
    running: () => [...running].map(({ what }) => what),
    wasBroken: () => wasBroken,
    close: () => void (isOver = true),
  }
}

type Word = string | number | bigint | boolean

export type CommandValue = Word | readonly Word[]

/** Turns a `$` template into shell code. A backslash before a backtick or `${` is removed, all other text is kept. */
export function toCommand(strings: TemplateStringsArray, values: readonly CommandValue[]): string {
  const texts = strings.raw.map((text) => text.replaceAll(/\\(`|\$\{)/g, '$1'))
  const [first = '', ...others] = texts
  return others.reduce((command, text, index) => {
    const number = index + 1
    if (endsInQuotes(texts.slice(0, number).join('')))
      refuseValue(number, 'stands in quotes', 'Take them away: mdtest quotes it.')
    return command + quoteValue(values[index], number) + text
  }, first)
}

/** Whether the code ends inside quotes. Follows comments, escapes and quotes, but not the shell's other grammar. */
function endsInQuotes(code: string): boolean {
  const rest = code.replaceAll(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|(?<=^|\s)#.*/g, '')
  return /['"]/.test(rest)
}

function quoteValue(value: unknown, number: number): string {
  const words: readonly unknown[] = Array.isArray(value) ? value : [value]
  return words
    .map((word) => {
      const type = word === null ? 'null' : typeof word
      if (['string', 'number', 'bigint', 'boolean'].includes(type)) return singleQuoted(String(word))
      return refuseValue(number, `is of type \`${type}\``, 'Use strings, numbers, booleans or lists of them.')
    })
    .join(' ')
}

function refuseValue(number: number, problem: string, hint: string): never {
  throw new MdtestError('EXEC_COMMAND_VALUE', `Value ${number} of the \`$\` template ${problem}.`, { hint })
}
