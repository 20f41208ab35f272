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

// Vitest 5 extends the root by default; 4 does not, and its types lack `false`.
const notExtending = { extends: false } as object // for the types of Vitest 4

/** An option of Vitest 5. A cached module would be a stale test. */
const notCached = { fsModuleCache: false }

/** Blocks wait for programs and agents for a network, so some run at once on a small machine, too. */
const minWorkers = 4

/** It takes over none of the user's test options. */
export function specsProject(
  config: SpecsConfig,
  { resolve, define, plugins = [], env, strictTags = false }: Inherited,
  { include = [...config.options.include] }: { readonly include?: string[] } = {},
): TestProjectInlineConfiguration {
  return {
    ...notExtending,
    ...(resolve && { resolve }),
    ...(define && { define }),
    plugins: [specsPlugin(config, { isOwn: true, isRunning: () => true }), ...plugins],
    test: {
      name: 'mdtest',
      ...(env && { env }),
      include,
      benchmark: { include: [] },
      // 300 trivial specs take 2 s in shared workers, 47 s in isolated ones.
      isolate: false,
      includeTaskLocation: true,
      pool: 'threads',
      maxWorkers: Math.max(config.options.maxAgents, minWorkers, availableParallelism() - 1),
      ...notCached,
      // Specs bring their tags; users need not declare them.
      strictTags,
    },
  }
}
