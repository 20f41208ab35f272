import type { Reporter, Vitest } from 'vitest/node'
import { rerunLast } from '../private/rerun-last.ts'
import { startOf } from '../private/untyped-members.ts'

/**
 * What a run comes from: the beginning of a watch, a file that was saved, or somebody who asks for it. `again`: somebody
 * asks for what ran last, and this file did not.
 */
export type RunCause = 'start' | 'save' | 'demand' | 'again'

interface CauseOptions {
  readonly isSpec: (file: string) => boolean
  /** A run begins; `asked` are the files that were asked for, where that is not all of them. */
  onRun(cause: RunCause, asked?: readonly string[]): void
}

/**
 * Tells what each run of a watch comes from, before it begins. A key, the UI and an editor are a demand, and so is a
 * watch that is begun with a filter; one that begins anew because the configuration was saved is not.
 */
export function followCause(vitest: Vitest, { isSpec, onRun }: CauseOptions): Reporter {
  if (!vitest.config.watch) return {}
  let next: RunCause = 'demand'
  const last = rerunLast(vitest, isSpec)
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
    onTestRunStart(specifications) {
      onRun(next === 'start' && isAskedFor(vitest) ? 'demand' : next, last.isAskedAgain ? last.files : undefined)
      last.isAskedAgain = false
      if (specifications.length > 0) last.files = [...new Set(specifications.map(({ moduleId }) => moduleId))]
      next = 'demand'
    },
  }
}

function isAskedFor(vitest: Vitest): boolean {
  const { testNamePattern, tagsFilter = [] } = vitest.config
  // Without these no agent would be started.
  const { isFirst, hasFiles } = startOf(vitest)
  return isFirst && (hasFiles || testNamePattern !== undefined || tagsFilter.length > 0)
}
