import { resolveConfig } from 'vitest/node'
import { resolveOptions, type ResolvedOptions } from '../options/resolve-options.ts'
import { specsConfigOf } from './plugin-list.ts'

/**
 * The options of the `mdtest()` in the configuration that Vitest takes for the directory `root`, the defaults where there
 * is none. Runs the configuration file, starts no server and looks for no test.
 */
export async function loadOptions(root: string): Promise<ResolvedOptions> {
  const { viteConfig } = await resolveConfig({ root, watch: false })
  return specsConfigOf(viteConfig.plugins)?.config.options ?? resolveOptions({})
}
