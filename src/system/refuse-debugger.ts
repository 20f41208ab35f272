let isRefused = false

/**
 * From here on SIGUSR1 does nothing to this process. Without it Node.js opens a debugger port, and whoever connects, an
 * agent for example, does with our process what it likes. One that was started with `--inspect` has its port all the
 * same. For good: without a listener the signal would end the process.
 */
export function refuseDebugger(): void {
  if (isRefused) return
  isRefused = true
  process.on('SIGUSR1', () => undefined)
}

/** For a Node.js process of ours: the same from its first moment, where this version of Node.js can do that. */
export function flagsWithoutDebugger(): readonly string[] {
  return process.allowedNodeEnvironmentFlags.has(withoutSignal) ? [withoutSignal] : []
}

const withoutSignal = '--disable-sigusr1'
