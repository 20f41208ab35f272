import type { Plugin } from 'vitest/config'
import { resolveConfig } from 'vitest/node'
import { resolveOptions, type ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { specsConfigOf } from './plugin-list.ts'

/**
 * The options of the `mdtest()` in the configuration that Vitest takes for the directory `root`, the defaults where there
 * is none. Runs the configuration file, starts no server and looks for no test.
 */
export async function loadOptions(root: string): Promise<ResolvedOptions> {
  let options: ResolvedOptions | undefined
  // What `resolveConfig` gives differs between Vitest 4 and 5; what it tells plugins does not.
  const reader: Plugin = {
    name: 'mdtest:list',
    configResolved({ plugins }) {
      options ??= specsConfigOf(plugins)?.config.options
    },
  }
  await resolveConfig({ root, watch: false }, { plugins: [reader] })
  return options ?? resolveOptions({})
}
