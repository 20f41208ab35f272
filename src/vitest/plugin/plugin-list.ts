import type { Plugin, ViteUserConfig, TestUserConfig } from 'vitest/config'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type { WatchPatterns } from '../watch/watch-patterns.ts'

/** Plugins as Vite takes them, nested, promised and falsy ones resolved. */
export async function flattenPlugins(plugins: ViteUserConfig['plugins']): Promise<readonly Plugin[]> {
  const settled = await Promise.all(plugins ?? [])
  const flat = settled.map(async (plugin) => {
    if (Array.isArray(plugin)) return flattenPlugins(plugin)
    return plugin ? [plugin] : []
  })
  // Every promise and array is resolved above, which the type of `flat` cannot say.
  return (await Promise.all(flat)).flat() as readonly Plugin[] // see the line before
}

/** Whether a plugin is neither of Vite, of Vitest nor of mdtest. */
export function isUsersPlugin({ name }: Plugin): boolean {
  return !/^(?:vitest|mdtest|vite)(?::|$)/.test(name)
}

/** What the plugin of the specs shows others of its kind. */
export interface SpecsPluginApi {
  readonly isOwn: boolean
  readonly config: SpecsConfig
  /** Of the specs that its server has loaded. */
  readonly patterns: WatchPatterns
}

/** The configuration that an `mdtest` plugin among these carries. */
export function specsConfigOf(plugins: readonly Plugin[]): SpecsPluginApi | undefined {
  return plugins.find((plugin) => plugin.name === 'mdtest')?.api?.mdtest
}

/** The test options in a Vite configuration, whose type knows them only where `vitest/config` is loaded. */
export function testOf(config: ViteUserConfig): TestUserConfig {
  const test: unknown = Reflect.get(config, 'test')
  return typeof test === 'object' && test !== null ? test : {}
}
