import type { Reporter, Vitest } from 'vitest/node'
import { existsSync } from 'node:fs'

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
  // Both are in either major, and in the types of neither. Without them no agent would be started.
  const files: unknown = Reflect.get(vitest, 'filenamePattern')
  const starts: unknown = Reflect.get(vitest, 'restartsCount')
  const isFiltered = Array.isArray(files) || testNamePattern !== undefined || tagsFilter.length > 0
  return isFiltered && starts === 1
}

/** Files of the last run of a watch, by absolute path. */
interface LastRun {
  files: readonly string[]
  /** It is asked for again, until that run begins. */
  isAskedAgain: boolean
}

type RerunFiles = (this: Vitest, files?: readonly string[], ...rest: readonly unknown[]) => unknown

/**
 * Has the key `r` run again what ran last, where that were specs alone. Vitest runs all files that it knows: also after
 * one spec was saved, all other specs and all tests of the user.
 */
function rerunLast(vitest: Vitest, isSpec: (file: string) => boolean): LastRun {
  const last: LastRun = { files: [], isAskedAgain: false }
  // Not the one that an earlier start of the same watch has put here.
  const rerunFiles: unknown = Reflect.get(Object.getPrototypeOf(vitest), 'rerunFiles')
  if (!isRerunFiles(rerunFiles)) return last
  const rerun: RerunFiles = function (files, ...rest) {
    // The key names no files; all else that runs tests again does.
    if (files !== undefined) return rerunFiles.call(this, files, ...rest)
    last.isAskedAgain = true
    const again = last.files.every(isSpec) ? last.files.filter((file) => existsSync(file)) : []
    return again.length === 0 ? rerunFiles.call(this) : rerunFiles.call(this, again, undefined, false)
  }
  Object.defineProperty(vitest, 'rerunFiles', { configurable: true, writable: true, value: rerun })
  return last
}

function isRerunFiles(value: unknown): value is RerunFiles {
  return typeof value === 'function'
}
