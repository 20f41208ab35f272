import type { TestUserConfig, ViteUserConfig } from 'vitest/config'

/** The test options in a Vite configuration, whose type knows them only where `vitest/config` is loaded. */
export function testOf(config: ViteUserConfig): TestUserConfig {
  const test: unknown = Reflect.get(config, 'test')
  return typeof test === 'object' && test !== null ? test : {}
}
