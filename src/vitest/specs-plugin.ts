import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import type { Plugin } from 'vitest/config'
import { generateProblems, runtimeId, type GeneratedModule } from './generate-module.ts'
import { includedModuleId, isIncludedModule } from './included-module.ts'
import { fileOf, isSpec, specGlob } from './is-spec.ts'
import { setUpProject } from './set-up-project.ts'
import type { SpecsConfig } from './specs-config.ts'

/** What Vitest asks for where the text of a spec names an environment that is not its own. */
const environmentName = /^vitest-environment-[\w-]+$/
const environmentId = '/@mdtest/environment.js'
/** Changes nothing: the module of such a spec must be loaded, because it tells what is wrong. */
const environmentCode = "export default { name: 'mdtest', viteEnvironment: 'ssr', setup: () => ({ teardown() {} }) }"

/**
 * Turns specs into test modules. It stands in every Vite server that may see a spec; `isOwn` in the one of the
 * project named `mdtest`.
 */
export function specsPlugin(config: SpecsConfig, { isOwn }: { readonly isOwn: boolean }): Plugin {
  let root = process.cwd()
  return {
    name: 'mdtest',
    // Before the plugins that claim every `.md` file.
    enforce: 'pre',
    api: { mdtest: { isOwn, config } },
    configResolved(resolved) {
      root = resolved.root
    },
    resolveId(id) {
      // The package may not be installed where the specs are, for example under `npx`.
      if (id === runtimeId) return { id: runtimeFile(), external: true }
      if (isIncludedModule(id)) return id
      return isOwn && environmentName.test(id) ? environmentId : undefined
    },
    async load(id) {
      if (id === environmentId) return environmentCode
      if (isIncludedModule(id)) return ''
      if (!isSpec(id)) return undefined
      const { module, included } = await loadSpec(fileOf(id), { config, root })
      for (const file of included) {
        this.addWatchFile(file)
        if (this.environment.mode === 'dev') await this.environment.warmupRequest(includedModuleId(file))
      }
      return module
    },
    async configureVitest(context) {
      const { vitest, project } = context
      // Named `experimental_…` in Vitest 4. A cached module would be a stale test.
      const define =
        'defineCacheKeyGenerator' in context
          ? context.defineCacheKeyGenerator
          : Reflect.get(context, 'experimental_defineCacheKeyGenerator')
      if (typeof define === 'function') define(({ id }: { id: string }) => (isSpec(id) ? false : undefined))
      const { coverage } = vitest.config
      if (!coverage.exclude.includes(specGlob)) coverage.exclude = [...coverage.exclude, specGlob]
      if (isOwn) await setUpProject(vitest, project, config)
    },
  }
}

/** By its name in package.json: always the built one, wherever this module was bundled to. */
function runtimeFile(): string {
  return createRequire(import.meta.url).resolve(runtimeId)
}

interface LoadedSpec {
  readonly module: GeneratedModule
  /** Absolute paths of the files that it includes. */
  readonly included: readonly string[]
}

async function loadSpec(
  file: string,
  { config, root }: { readonly config: SpecsConfig; readonly root: string },
): Promise<LoadedSpec> {
  const bytes = await readFile(file)
  const text = bytes.toString('utf8')
  // Loaded with the first spec, so that a project without one does not pay for the parser.
  const { planSpec } = await import('./plan-spec.ts')
  const planned = planSpec(bytes, { file, root, ...config })
  const included = [...planned.included.keys()]
  if (planned.ok) {
    const { generateModule } = await import('./generate-module.ts')
    return { module: generateModule(planned.plan, text), included }
  }
  const { formatProblems } = await import('../spec/format-problems.ts')
  const { problems } = planned
  const count = problems.length
  const shown = formatProblems(problems, { text, included: planned.included, root })
  const report = `${relative(root, file)} has ${count} problem${count === 1 ? '' : 's'}:\n${shown}`
  return { module: generateProblems(problems, { report, file, text }), included }
}
