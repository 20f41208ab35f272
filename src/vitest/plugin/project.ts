import { availableParallelism } from 'node:os'
import type { Plugin, TestProjectInlineConfiguration, TestUserConfig, ViteUserConfig } from 'vitest/config'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { specsPlugin } from './specs-plugin.ts'

export interface Inherited {
  readonly resolve?: ViteUserConfig['resolve']
  readonly define?: ViteUserConfig['define']
  readonly plugins?: readonly Plugin[]
  readonly env?: TestUserConfig['env']
  readonly strictTags?: TestUserConfig['strictTags']
}

/** Even few cores can run several specs at once, because specs mostly wait for programs or the network. */
const minWorkers = 4

/** The Vitest project that runs specs. It ignores the user's `test` options, except the inherited options. */
export function specsProject(
  config: SpecsConfig,
  { resolve, define, plugins = [], env, strictTags = false }: Inherited,
  { include = [...config.options.include] }: { readonly include?: string[] } = {},
): TestProjectInlineConfiguration {
  return {
    // Without this option, Vitest 5 would apply the root configuration to specs, too.
    ...({ extends: false } as object), // Vitest 4 has no type for it
    ...(resolve && { resolve }),
    ...(define && { define }),
    plugins: [specsPlugin(config, { isOwn: true, isRunning: () => true }), ...plugins],
    test: {
      name: 'mdtest',
      ...(env && { env }),
      include,
      benchmark: { include: [] },
      // 300 trivial specs take 2 s in shared workers but 47 s in isolated workers.
      isolate: false,
      includeTaskLocation: true,
      pool: 'threads',
      maxWorkers: Math.max(config.options.maxAgents, minWorkers, availableParallelism() - 1),
      // Turn off a cache of Vitest 5, because a cached module would be an outdated test.
      ...{ fsModuleCache: false },
      // Tags of specs need not be declared, so the default is `false`.
      strictTags,
    },
  }
}
