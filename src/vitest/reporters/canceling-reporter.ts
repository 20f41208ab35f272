import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Starts no further specs after `signal` is aborted. The host ends the running specs. */
export function cancelingReporter(vitest: Vitest, signal: AbortSignal): Reporter {
  let hasBegun = false
  const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input')
  return {
    // Cancel once, after the first module: Vitest forgets an earlier cancellation, and a second one ends the process.
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

/** If no test of a module ran, marks the module as skipped. Vitest would count it as passed. */
function countAsSkipped(module: TestModule): void {
  if ([...module.children.allTests()].some((test) => test.result().state !== 'skipped')) return
  const { task } = module as unknown as { readonly task?: { mode: string; result?: { state: string } } } // missing in the types of Vitest 4 and 5
  if (task?.result === undefined) return
  task.mode = 'skip'
  task.result.state = 'skip'
}
