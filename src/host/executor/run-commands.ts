import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { DoneCall } from '../../agents/agent.ts'
import { permit } from '../../permissions/permit.ts'
import { messageOf } from '../../system/error-facts.ts'
import { realPathOf } from '../../system/files/trusted-folder.ts'
import { isInside } from '../../system/files/paths.ts'
import type { AgentExecutor, ExecutorResult } from '../protocol/protocol.ts'
import type { Answer } from '../agent-reports/step-reports.ts'
import { withoutLoneBytes } from '../../system/text/byte-text.ts'
import { cutLine } from '../../system/text/plain-text.ts'
import { refused, told, shownOutput, withinWait, type ActingContext } from './executor-answer.ts'
import type { OwnFiles } from './file-tools.ts'
import { parse } from 'unbash'

interface CommandOptions extends ActingContext {
  readonly worker: AgentExecutor
  readonly own: OwnFiles
  readonly environment: ReadonlySet<string>
  readonly roots: readonly string[]
  readonly allow: readonly string[]
  readonly afterAction: () => Promise<void>
}

interface StartedCommand {
  readonly id: string
  readonly command: string
  /** `doubt`: why the output must not be quoted. */
  readonly ended: Promise<{ readonly result: ExecutorResult; readonly doubt: string | undefined }>
}

export class RunCommands {
  readonly #options: CommandOptions
  #latest: StartedCommand | undefined
  #running: StartedCommand | undefined
  #directory: string
  #count = 0
  #jobs: ReadonlyMap<string, boolean> = new Map()
  #checked: Promise<void> = Promise.resolve()

  constructor(options: CommandOptions) {
    this.#options = options
    this.#directory = options.cwd
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  get ended(): Promise<unknown> | undefined {
    return this.#running?.ended
  }

  /** Waits until the guarded files are checked after the latest command. If the check failed, repeats it. */
  whenChecked(): Promise<void> {
    this.#checked = this.#checked.catch(this.#options.afterAction)
    return this.#checked
  }

  async run(command: string): Promise<Answer> {
    if (this.#running) return refused(stillRuns(this.#running))
    const { own, cwd, onEvent, onDone } = this.#options
    const permission = permit(command, {
      ...this.#options,
      directories: [this.#directory],
      home: cwd,
      jobs: this.#jobs,
      isWritable: (file) => own.groundFor(file) !== undefined,
      isOwn: (file) => own.has(file),
    })
    this.#count += 1
    const id = `c${this.#count}`
    if (!permission.ok) {
      const { rules, message } = permission
      for (const [index, rule] of [rules[0], ...rules.slice(1)].entries())
        onEvent({ type: 'denial', id: `${id}${'+'.repeat(index)}`, what: command, ...(rule !== undefined && { rule }) })
      onDone({ kind: 'refused' })
      return refused(`Refused: ${message}`)
    }
    this.#jobs = permission.jobs
    for (const file of permission.written) own.add(file)
    return this.#answer(this.#start(id, command, permission.isAction))
  }

  async nextOutput({ id, stop }: { id: string; stop?: boolean | undefined }): Promise<Answer> {
    const found = this.#running ?? this.#latest
    if (found?.id !== id) return refused(`\`${id}\` is over. Run the command again to see its output.`)
    if (stop === true && found === this.#running) await this.#options.worker.stopForAgent()
    return this.#answer(found)
  }

  #start(id: string, command: string, isAction: boolean): StartedCommand {
    const { worker, onEvent, onDone, afterAction, timeoutMs, scratchDir } = this.#options
    const directory = this.#directory
    const setDone = onDone({ kind: 'unfinished', command })
    onEvent({ type: 'tool-call', id, kind: 'command', tool: 'run', title: command, files: [], directory })
    const startedAtMs = performance.now()
    const ended = this.whenChecked()
      .then(() => worker.runForAgent({ code: command, timeoutMs, scratchDir }))
      .catch((error: unknown): ExecutorResult => ({
        exitCode: undefined,
        problem: messageOf(error),
        isUntried: true,
        output: '',
        durationMs: performance.now() - startedAtMs,
        directory,
      }))
    const started: StartedCommand = {
      id,
      command,
      ended: ended.then((result) => {
        // Check the guarded files after the agent has its answer. The next command and report wait for this check.
        if (isAction) this.#checked = setImmediate().then(afterAction)
        // Avoids an unhandled rejection; callers of `whenChecked` get the error.
        this.#checked.catch(() => undefined)
        setDone(doneCall(command, directory, { ...result, output: withoutLoneBytes(result.output) }))
        return { result, doubt: this.#complete(started, result) }
      }),
    }
    this.#running = started
    return started
  }

  #complete(started: StartedCommand, { exitCode, output, isUntried, directory }: ExecutorResult): string | undefined {
    const { onEvent, cwd } = this.#options
    this.#running = undefined
    this.#directory = inPlace(directory, cwd)
    this.#latest = started
    if (isUntried) return undefined
    const code = exitCode !== undefined && { exitCode }
    return onEvent({ type: 'tool-result', id: started.id, isError: !code, output, ...code })
  }

  async #answer(started: StartedCommand): Promise<Answer> {
    const { worker, scratchDir } = this.#options
    const { id } = started
    const end = await withinWait(started.ended)
    if (end !== undefined)
      return told(describeResult(end.result, shownOutput(end.result.output, id, scratchDir), end.doubt))
    const output = await worker.outputForAgent().catch(() => '')
    const soFar = output === '' ? 'No output so far.' : `Output so far:\n${shownOutput(output, id, scratchDir)}`
    return told(`${stillRuns(started)} ${soFar}`)
  }
}

/** Describes a result. Exit code and "No output" have lines of their own, so that the agent can quote them. */
function describeResult(
  { exitCode, problem, durationMs }: ExecutorResult,
  shown: string,
  doubt: string | undefined,
): string {
  return [
    ...(doubt === undefined ? [] : [`Not to be quoted: ${doubt}`]),
    `After ${(durationMs / 1000).toFixed(2)} s:`,
    problem ?? `Exit code ${exitCode}`,
    shown === '' ? 'No output' : `Output:\n${shown}`,
  ].join('\n')
}

/** Replaces the real path of `cwd` at the beginning of `directory` by `cwd` itself. */
function inPlace(directory: string, cwd: string): string {
  const real = realPathOf(cwd)
  return real !== cwd && isInside(directory, real) ? join(cwd, relative(real, directory)) : directory
}

function doneCall(command: string, cwd: string, { exitCode, output, isUntried }: ExecutorResult): DoneCall {
  if (isUntried) return { kind: 'refused' }
  if (exitCode === undefined) return { kind: 'unfinished', command, isEnded: true }
  const started = exitCode === 0 ? backgroundCommand(command) : undefined
  const done = { kind: 'command', cwd, exitCode, output } as const
  return { ...done, command: started ?? command, isBackground: started !== undefined }
}

function stillRuns({ id, command }: StartedCommand): string {
  return `\`${cutLine(command, 200)}\` still runs: wait with next_output {"id": "${id}"}, or end it with next_output {"id": "${id}", "stop": true}. A server is started with \`&\` behind it.`
}

/** Returns `node server.mjs` for `node server.mjs &`; `undefined` if the line does anything else. */
export function backgroundCommand(line: string): string | undefined {
  const { commands } = parse(line)
  const [only] = commands
  if (commands.length !== 1 || only?.background !== true) return undefined
  return line.slice(only.command.pos, only.command.end)
}
