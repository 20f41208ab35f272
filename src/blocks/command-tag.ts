import { MdtestError } from '../system/mdtest-error.ts'
import type { BlockRun } from './block-finding.ts'
import { formatTail } from './compare/format-tail.ts'
import { describeShellEnd, isDone, quoteCommand } from './shell/describe-shell-end.ts'
import { toCommand, type CommandValue } from './shell/to-command.ts'

/** How a command of a `ts` or `js` block ended. */
export interface CommandResult {
  /** Without its last line end, as is `stderr`. */
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

type RunTemplate = (strings: TemplateStringsArray, ...values: readonly CommandValue[]) => Promise<CommandResult>

/**
 * A template that runs as a command in the scenario's shell. A value is one word, whatever characters it has; a list is
 * one word for each item. Rejects where the command does not end with 0.
 */
export interface CommandTag extends RunTemplate {
  /** The same, resolved with any exit code. */
  readonly nothrow: RunTemplate
}

/** The commands of one block. */
export interface Commands {
  readonly $: CommandTag
  /** Those that have not ended, for messages. */
  running(): readonly string[]
  /** The block is over: nothing more may be run. */
  close(): void
}

/** A command that ran and did not end with 0. */
class CommandFailure extends MdtestError {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number

  constructor(message: string, { stdout, stderr, exitCode }: CommandResult) {
    super('EXEC_COMMAND_FAILED', message)
    this.stdout = stdout
    this.stderr = stderr
    this.exitCode = exitCode
  }
}

/** @param leftMs what is left of the block's time, in milliseconds */
export function openCommands(block: BlockRun, leftMs: () => number): Commands {
  const running = new Set<{ readonly what: string }>()
  let isOver = false
  const run = async (command: string): Promise<CommandResult> => {
    const entry = { what: quoteCommand(block.redact(command)) }
    if (isOver) throw new MdtestError('EXEC_BLOCK_OVER', `${entry.what} was not run: its block is over.`)
    running.add(entry)
    try {
      return await runCommand(command, { ...block, timeoutMs: Math.max(1, Math.ceil(leftMs())) })
    } finally {
      running.delete(entry)
    }
  }
  const nothrow: RunTemplate = async (strings, ...values) => await run(toCommand(strings, values))
  const $: RunTemplate = async (strings, ...values) => {
    const command = toCommand(strings, values)
    const result = await run(command)
    if (result.exitCode !== 0) throw new CommandFailure(failureMessage(command, result, block), result)
    return result
  }
  return {
    $: Object.assign($, { nothrow }),
    running: () => [...running].map(({ what }) => what),
    close() {
      isOver = true
    },
  }
}

async function runCommand(command: string, { shell, timeoutMs, cwd, env, redact }: BlockRun): Promise<CommandResult> {
  const result = await shell.run(command, { timeoutMs, streams: 'separate', cwd, env })
  if (!isDone(result)) {
    const what = quoteCommand(redact(command))
    throw new MdtestError('EXEC_COMMAND_FAILED', describeShellEnd(result, { what, redact }).message)
  }
  const { stdout, stderr, exitCode } = result
  return { stdout: withoutLastEnd(stdout), stderr: withoutLastEnd(stderr), exitCode }
}

function failureMessage(command: string, result: CommandResult, { redact }: BlockRun): string {
  const head = `${quoteCommand(redact(command))} ended with exit code ${result.exitCode}.`
  return [head, formatTail(result, redact)].filter((part) => part !== '').join('\n\n')
}

function withoutLastEnd(output: string): string {
  return output.replace(/\r?\n$/, '')
}
