import type { Plugin } from 'vitest/config'
import { resolveConfig } from 'vitest/node'
import { resolveOptions, type ResolvedOptions } from '../../plan/options/option-defaults.ts'
import { specsConfigOf } from './plugin-list.ts'

/** Runs the Vitest configuration of `root`, but no tests. Returns the options of its `mdtest()`, or the defaults. */
export async function loadOptions(root: string, onCacheDir?: (folder: string) => void): Promise<ResolvedOptions> {
  let options: ResolvedOptions | undefined
  // `resolveConfig` returns different results in Vitest 4 and 5, so read the options in a plugin hook.
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
