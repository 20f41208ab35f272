import type { ShellEnd, ShellProcess } from './open-shell-process.ts'

/** Why the waiting was over, with all reports that came until then. */
export interface ShellAnswer {
  readonly reason: 'report' | 'ended' | 'timeout' | 'stopped'
  readonly reports: readonly string[]
  /** How the shell ended, where it did. */
  readonly end?: ShellEnd
}

export interface WaitOptions {
  readonly timeoutMs: number
  readonly isLast?: (words: string) => boolean
  readonly onReport?: (words: string) => void
  /** Stops the waiting. */
  readonly signal?: AbortSignal
}

/** Waits for the last report, the end of the shell, the time limit or the signal, whatever is first. */
export function waitForShell(shell: ShellProcess, options: WaitOptions): Promise<ShellAnswer> {
  const { timeoutMs, isLast, onReport, signal } = options
  const reports: string[] = []
  return new Promise((resolve) => {
    const settle = (reason: ShellAnswer['reason'], end?: ShellEnd): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve({ reason, reports, ...(end === undefined ? {} : { end }) })
    }
    const stop = (): void => settle('stopped')
    // Also keeps this process alive while a run is under way; the shell itself does not.
    const timer = setTimeout(() => settle('timeout'), Math.min(timeoutMs, 2 ** 31 - 1))
    signal?.addEventListener('abort', stop)
    shell.listen({
      onReport(words) {
        reports.push(words)
        onReport?.(words)
        if (isLast?.(words) === true) settle('report')
      },
      // Reports it wrote before its end are in the channel already and are read within a turn or two.
      onEnd: (end) => setImmediate(() => setImmediate(() => settle('ended', end))),
    })
  })
}
