import type { Reporter, Vitest } from 'vitest/node'
import type { IsSpec } from '../../plan/spec-files.ts'
import { rerunLast } from '../private-api/rerun-last-specs.ts'
import { startOf } from '../private-api/untyped-members.ts'

/** `start`: watch mode begins. `save`: a file was saved. `demand`: the user asked. `again`: asked for other specs. */
export type RunCause = 'start' | 'save' | 'demand' | 'again'

type OnRun = (cause: RunCause, asked?: readonly string[]) => void

/** Finds out why each run starts. `demand`: a key press, the UI, an editor or a filter. */
export function followCause(vitest: Vitest, isSpec: IsSpec, onRun: OnRun): Reporter {
  let next: RunCause = 'demand'
  const last = rerunLast(vitest, isSpec)
  // Vitest calls this only for runs caused by a saved file.
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
  // A filter at the start counts as `demand`: without it, no agent would start.
  const { isFirst, files } = startOf(vitest)
  return isFirst && (files.length > 0 || testNamePattern !== undefined || tagsFilter.length > 0)
}
