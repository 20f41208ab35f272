import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import type { Plugin } from 'vitest/config'
import { generateProblems, isIncluded, runtimeId, type GeneratedModule } from './generate-module.ts'
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
      if (isIncluded(id)) return id
      return isOwn && environmentName.test(id) ? environmentId : undefined
    },
    async load(id) {
      if (id === environmentId) return environmentCode
      // What it holds is in the module of the spec: this one is for the module graph.
      if (isIncluded(id)) return 'export {}'
      if (isSpec(id)) return loadSpec(fileOf(id), { config, root, watch: (file) => this.addWatchFile(file) })
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

interface LoadContext {
  readonly config: SpecsConfig
  readonly root: string
  /** Has the spec loaded anew when this file changes. */
  watch(file: string): void
}

async function loadSpec(file: string, { config, root, watch }: LoadContext): Promise<GeneratedModule> {
  const bytes = await readFile(file)
  const text = bytes.toString('utf8')
  // Loaded with the first spec, so that a project without one does not pay for the parser.
  const { planSpec } = await import('./plan-spec.ts')
  const planned = planSpec(bytes, { file, root, ...config })
  const { included } = planned
  for (const path of included.keys()) watch(path)
  if (planned.ok) {
    const { generateModule } = await import('./generate-module.ts')
    return generateModule(planned.plan, text)
  }
  const { formatProblems } = await import('../spec/format-problems.ts')
  const count = planned.problems.length
  const report = `${relative(root, file)} has ${count} problem${count === 1 ? '' : 's'}:\n${formatProblems(planned.problems, { text, included, root })}`
  return generateProblems(planned.problems, { report, file, text, included: [...included.keys()] })
}
