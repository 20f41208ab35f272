import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** With an aborted signal no further spec starts. The host ends the others. */
export function cancelingReporter(vitest: Vitest, signal: AbortSignal): Reporter {
  let hasBegun = false
  const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input')
  return {
    // Before the first module Vitest would forget a cancellation. A second one would end the process.
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

/** Vitest calls a file without failed tests passed, also one that ran none. */
function countAsSkipped(module: TestModule): void {
  if ([...module.children.allTests()].some((test) => test.result().state !== 'skipped')) return
  const { task } = module as unknown as { readonly task?: Countable } // not among the types, in Vitest 4 and 5
  if (task?.result === undefined) return
  task.mode = 'skip'
  task.result.state = 'skip'
}
