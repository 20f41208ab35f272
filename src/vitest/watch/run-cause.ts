import type { Reporter, Vitest } from 'vitest/node'
import { rerunLast } from '../private/rerun-last.ts'
import { startOf } from '../private/untyped-members.ts'

/**
 * Why a run begins: the watch starts, a file was saved, the user asks. `again`: the user asks for the last files, and
 * this file is none of them.
 */
export type RunCause = 'start' | 'save' | 'demand' | 'again'

interface CauseOptions {
  readonly isSpec: (file: string) => boolean
  /** `asked`: files that the user asked for; undefined for all. */
  onRun(cause: RunCause, asked?: readonly string[]): void
}

/** Keys, the UI, editors and a watch with a filter are a demand; a restart for a saved configuration is none. */
export function followCause(vitest: Vitest, { isSpec, onRun }: CauseOptions): Reporter {
  if (!vitest.config.watch) return {}
  let next: RunCause = 'demand'
  const last = rerunLast(vitest, isSpec)
  // Vitest calls it for runs that a file started only.
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
  // Otherwise nothing would start the agent.
  const { isFirst, files } = startOf(vitest)
  return isFirst && (files.length > 0 || testNamePattern !== undefined || tagsFilter.length > 0)
}
