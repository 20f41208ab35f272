import type { Reporter, Vitest } from 'vitest/node'

/** What a run comes from: the beginning of a watch, a file that was saved, or somebody who asks for it. */
export type RunCause = 'start' | 'save' | 'demand'

/**
 * Tells what each run of a watch comes from, before it begins. A key, the UI and an editor are a demand, and so is a
 * watch that is begun with a filter; one that begins anew because the configuration was saved is not.
 */
export function followCause(vitest: Vitest, onRun: (cause: RunCause) => void): Reporter {
  if (!vitest.config.watch) return {}
  let next: RunCause = 'demand'
  // Called for runs that come from a file, and for no others.
  vitest.onFilterWatchedSpecification(() => {
    next = 'save'
    return true
  })
  return {
    onInit: () => void (next = 'start'),
    onWatcherStart: () => void (next = 'demand'),
    onWatcherRerun() {
      if (next === 'start') next = 'demand'
    },
    onTestRunStart() {
      onRun(next === 'start' && isAskedFor(vitest) ? 'demand' : next)
      next = 'demand'
    },
  }
}

function isAskedFor(vitest: Vitest): boolean {
  const { testNamePattern, tagsFilter = [] } = vitest.config
  // Both are in either major, and in the types of neither. Without them no agent would be started.
  const files: unknown = Reflect.get(vitest, 'filenamePattern')
  const starts: unknown = Reflect.get(vitest, 'restartsCount')
  const isFiltered = Array.isArray(files) || testNamePattern !== undefined || tagsFilter.length > 0
  return isFiltered && starts === 1
}
