import type { Reporter, TestModule, Vitest } from 'vitest/node'

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
    onTestModuleEnd(module) {
      if (signal.aborted) countAsSkipped(module)
    },
  }
}

interface Countable {
  mode: string
  result?: { state: string }
}

/** For Vitest a file has passed where none of its tests failed, and be it that none was run. */
function countAsSkipped(module: TestModule): void {
  if ([...module.children.allTests()].some((test) => test.result().state !== 'skipped')) return
  const { task } = module as unknown as { readonly task?: Countable } // not among the types, in Vitest 4 and 5
  if (task?.result === undefined) return
  task.mode = 'skip'
  task.result.state = 'skip'
}
