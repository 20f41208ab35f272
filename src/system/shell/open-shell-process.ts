import { writeFileSync } from 'node:fs'
import { orNothing } from '../error-facts.ts'
import { maxTimerMs } from '../slots-and-timers.ts'
import { launch, type ProgramEnd } from '../process/launcher/launch.ts'
import { readLines } from '../process/read-output.ts'
import type { ShellOptions, ShellStatus } from './open-shell-result.ts'

export interface ShellEnd extends ProgramEnd {
  readonly error?: string
}

export interface ShellListener {
  onReport(words: string): void
  onEnd(end: ShellEnd): void
}

export interface ShellProcess {
  readonly pid: number
  readonly startTime: string | undefined
  hasEnded(): boolean
  send(statement: string): void
  listen(listener: ShellListener): void
  finish(): void
  release(): void
}

interface StartOptions extends Pick<ShellOptions, 'launcher' | 'cwd' | 'env' | 'limit'> {
  readonly statementFile: string
}

/** The shell does not keep this process alive. @throws the errors of `launch` */
export async function startShellProcess(
  bash: string,
  driver: string,
  { launcher, cwd, env, limit, statementFile }: StartOptions,
): Promise<ShellProcess> {
  writeFileSync(statementFile, '', { mode: 0o600 })
  const argv = [bash, '--noprofile', '--norc', '-c', driver] as const
  const launched = await launch(launcher, { argv, argv0: 'bash', cwd, env, limit }, [0])
  launched.unref()
  let end: ShellEnd | undefined
  let listener: ShellListener | undefined
  const setEnd = (value: ShellEnd): void => {
    end = value
    listener?.onEnd(value)
  }
  launched.ended.then(setEnd, (error: Error) => setEnd({ exitCode: null, signal: null, error: error.message }))
  const [control] = launched.pipes
  readLines(control, (words) => void listener?.onReport(words))
  control.on('error', () => control.destroy())
  control.unref()
  return {
    pid: launched.pid,
    startTime: launched.startTime,
    hasEnded: () => end !== undefined,
    send(statement) {
      // Overwrites without the slow truncation: bash reads up to the NUL. If the disk is full, the socket must do.
      const isWritten = orNothing(() => writeFileSync(statementFile, `${statement}\0`, { flag: 'r+' }) ?? true)
      control.write(isWritten ? '\0' : `${statement}\0`)
    },
    listen(value) {
      listener = value
      if (end !== undefined) value.onEnd(end)
    },
    finish: () => void control.end(),
    release: () => void control.destroy(),
  }
}

export interface ShellAnswer {
  readonly reason: 'report' | 'ended' | 'timeout' | 'stopped'
  readonly reports: readonly string[]
  readonly end?: ShellEnd
}

interface WaitOptions {
  readonly timeoutMs: number
  readonly isLast?: (words: string) => boolean
  readonly onReport?: (words: string) => void
  readonly stop?: AbortSignal
}

export function waitForShell(shell: ShellProcess, options: WaitOptions): Promise<ShellAnswer> {
  const { timeoutMs, isLast, onReport, stop } = options
  const reports: string[] = []
  return new Promise((resolve) => {
    const settle = (reason: ShellAnswer['reason'], end?: ShellEnd): void => {
      clearTimeout(timer)
      resolve({ reason, reports, ...(end === undefined ? {} : { end }) })
    }
    // This timer keeps the process alive during a run, because the shell's pipes do not.
    const timer = setTimeout(() => settle('timeout'), Math.min(timeoutMs, maxTimerMs))
    stop?.addEventListener('abort', () => settle('stopped'))
    shell.listen({
      onReport(words) {
        reports.push(words)
        onReport?.(words)
        if (isLast?.(words) === true) settle('report')
      },
      // Waits two turns of the event loop for reports that bash wrote before it ended.
      onEnd: (end) => setImmediate(() => setImmediate(() => settle('ended', end))),
    })
  })
}

export function endOfBash({ reason, end }: { readonly reason: string; readonly end?: ShellEnd | undefined }): string {
  if (end !== undefined) return `bash ended with ${end.signal ?? `exit code ${end.exitCode}`}`
  return reason === 'timeout' ? 'bash did not answer' : 'its pipes could not be made or opened'
}

export function judgeAnswer(
  { reason, reports, end }: ShellAnswer,
  timeoutMs: number,
  endLine: number | undefined,
): ShellStatus {
  if (reason === 'timeout') return { status: 'timeout', timeoutMs }
  if (reports.includes('refused'))
    return { status: 'refused', message: 'The directory or a variable for this run could not be set.' }
  if (!reports.includes('open'))
    return { status: 'lost', message: `The command could not be started: ${endOfBash({ reason, end })}.` }
  const done = reports.find((words) => words.startsWith('done '))
  if (done !== undefined) return toDone(Number(done.slice('done '.length)))
  if (reports.includes('end') || reports.includes('left')) return { status: 'refused', message: leftMessage }
  if (typeof end?.exitCode === 'number') return toDone(end.exitCode, endLine)
  const signal = end?.signal ?? undefined
  return {
    status: 'lost',
    message: `The shell was ended by ${signal ?? 'an unknown cause'}.`,
    ...(signal !== undefined && { signal }),
  }
}

function toDone(exitCode: number, failedLine?: number): ShellStatus {
  return { status: 'done', exitCode, ...(failedLine !== undefined && { failedLine }) }
}

const leftMessage =
  '`break` or `continue` outside of a loop ended the block, so the rest did not run. Use `exit` or an `if`.'
