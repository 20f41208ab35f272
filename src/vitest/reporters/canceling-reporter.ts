import type { Reporter, Vitest } from 'vitest/node'

/**
 * Cancels the run of Vitest once the signal is aborted, so that no further spec starts. What is under way hears of it
 * from the host.
 */
export function cancelingReporter(vitest: Vitest, signal: AbortSignal): Reporter {
  let hasBegun = false
  const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input')
  return {
    // Before the first spec is under way Vitest would forget a cancellation; twice is for those who will not wait.
    onTestModuleQueued() {
      if (hasBegun) return
      hasBegun = true
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
    },
  }
}
