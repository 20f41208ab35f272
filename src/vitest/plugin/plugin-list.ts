import type { Plugin, ViteUserConfig, TestUserConfig } from 'vitest/config'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type { WatchPatterns } from '../watch/watch-patterns.ts'

export async function flattenPlugins(plugins: ViteUserConfig['plugins']): Promise<readonly Plugin[]> {
  const settled = await Promise.all(plugins ?? [])
  const flat = settled.map(async (plugin) => {
    if (Array.isArray(plugin)) return flattenPlugins(plugin)
    return plugin ? [plugin] : []
  })
  return (await Promise.all(flat)).flat() as readonly Plugin[] // `flat` contains only plugins and lists of plugins
}

export function isUsersPlugin({ name }: Plugin): boolean {
  return !/^(?:vitest|mdtest|vite)(?::|$)/.test(name)
}

/** Data that the `mdtest` plugin passes to other instances of the plugin. */
export interface SpecsPluginApi {
  readonly isOwn: boolean
  readonly config: SpecsConfig
  readonly patterns: WatchPatterns
}

export function specsConfigOf(plugins: readonly Plugin[]): SpecsPluginApi | undefined {
  return plugins.find((plugin) => plugin.name === 'mdtest')?.api?.mdtest
}

/** Reads `test` without its type, because Vite's type contains `test` only if `vitest/config` is loaded. */
export function testConfig(config: ViteUserConfig): TestUserConfig {
  const test: unknown = Reflect.get(config, 'test')
  return typeof test === 'object' && test !== null ? test : {}
}

export function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}()!@+|\\]/g, String.raw`\$&`)
}
