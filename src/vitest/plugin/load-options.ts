import type { Plugin } from 'vitest/config'
import { resolveConfig } from 'vitest/node'
import { resolveOptions, type ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { specsConfigOf } from './plugin-list.ts'

/** Options of the `mdtest()` in the configuration of `root`, or the defaults. Runs the configuration but no tests. */
export async function loadOptions(root: string, onCacheDir?: (folder: string) => void): Promise<ResolvedOptions> {
  let options: ResolvedOptions | undefined
  // Uses a plugin hook, because the result of `resolveConfig` differs between Vitest 4 and 5.
  const reader: Plugin = {
    name: 'mdtest:list',
    configResolved({ plugins, cacheDir }) {
      onCacheDir?.(cacheDir)
      options ??= specsConfigOf(plugins)?.config.options
    },
  }
  await resolveConfig({ root, watch: false }, { plugins: [reader] })
  return options ?? resolveOptions({})
}
