import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createIsSpec, madeOf } from '../../../plan/spec-files.ts'
import { defaultInclude } from '../../../plan/options/defaults.ts'
import { resolveOptions, type ResolvedOptions } from '../../../plan/options/resolve-options.ts'
import { knownPlaces } from '../../../spec/dialects/places.ts'
import { pathIn } from '../../../system/files/paths.ts'

export interface SuitesBefore {
  readonly root: string
  readonly files: readonly string[]
  /** Gives the options of the `mdtest()` in the configuration of a folder (absolute path). Rejects where that cannot be loaded. */
  readonly suiteOptions: (folder: string) => Promise<ResolvedOptions>
}

interface Suite {
  readonly folder: string
  readonly options: ResolvedOptions
}

const vitestConfig = /(?:^|\/)(?:vitest|vite)\.config\.[cm]?[jt]s$/

/**
 * What the specs of a project are made of: by each configuration in it that uses mdtest, and at the places that need none.
 * Paths relative to the root; some are not there.
 */
export async function specSources({ root, files, suiteOptions }: SuitesBefore): Promise<ReadonlySet<string>> {
  const configs = files.filter((file) => vitestConfig.test(file)).map((file) => join(root, file))
  const texts = await Promise.all(configs.map((file) => readFile(file, 'utf8').catch(() => '')))
  const folders = configs.filter((_, index) => texts[index]?.includes('mdtest')).map((file) => dirname(file))
  const suites = await Promise.all([...new Set(folders)].map((folder) => suiteAt(folder, suiteOptions)))
  const sources = new Set<string>()
  for (const { folder, options } of [{ folder: root, options: resolveOptions({}) }, ...suites.flat()]) {
    const named = Object.values(options.dialects).flatMap((globs) => globs ?? [])
    const include = [...defaultInclude, ...options.include, ...named, ...knownPlaces]
    const specs = files.map((file) => join(root, file)).filter(createIsSpec({ root: folder, include }))
    for (const file of await madeOf(specs, { root: folder, options, commandLine: {} })) sources.add(pathIn(root, file))
  }
  return sources
}

/** Nothing for a configuration that cannot be loaded: no run would read its specs. */
async function suiteAt(folder: string, suiteOptions: SuitesBefore['suiteOptions']): Promise<readonly Suite[]> {
  return suiteOptions(folder).then(
    (options) => [{ folder, options }],
    () => [],
  )
}
