/** Stops a program with us and lets it go on with us. */
export interface JobControl {
  close(): void
}

interface Listener {
  /** Before we stop. */
  readonly onStop: () => void
  readonly onContinue: () => void
}

/**
 * While a program has the terminal, Ctrl-Z is a byte for it. A SIGTSTP sent to us stops its process group, then us; a
 * SIGCONT wakes both. A terminal that is gone (SIGHUP) ends the run as SIGTERM does.
 */
export function followJobControl(pid: number, { onStop, onContinue }: Listener): JobControl {
  const stop = (): void => {
    onStop()
    signalGroup(pid, 'SIGSTOP')
    // Itself, by a signal that cannot be handled: SIGTSTP is ours.
    process.kill(process.pid, 'SIGSTOP')
  }
  const goOn = (): void => {
    signalGroup(pid, 'SIGCONT')
    onContinue()
  }
  const hangUp = (): void => void process.kill(process.pid, 'SIGTERM')
  const ignore = (): void => undefined
  const listeners = [
    ['SIGTSTP', stop],
    ['SIGCONT', goOn],
    ['SIGHUP', hangUp],
    // The second of these must not end us before the terminal is put back: there may be nobody else who listens.
    ['SIGINT', ignore],
    ['SIGTERM', ignore],
  ] as const // pairs of name and listener
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return {
    close() {
      for (const [signal, listener] of listeners) process.off(signal, listener)
    },
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}
