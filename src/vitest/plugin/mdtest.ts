import { basename, resolve } from 'node:path'
import { pathIn } from '../../system/files/paths.ts'
import type { Plugin, TestUserConfig, ViteUserConfig } from 'vitest/config'
import { resolveOptions, type ResolvedOptions } from '../../plan/options/option-defaults.ts'
import type { Options } from '../../plan/options/options.ts'
import { collectSecrets } from '../../system/redaction/secret-forms.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { Inheritance } from '../private-api/inherited-configuration.ts'
import { logsGlob } from '../../records/folders/log-names.ts'
import { escapeGlob, flattenPlugins, specsConfigOf, testConfig } from './plugin-list.ts'
import { specsProject } from './project.ts'
import { setUpProject } from './set-up-project.ts'
import { specsPlugin } from './specs-plugin.ts'

/**
 * Vitest plugin that runs `*.test.md` files as tests of a project named `mdtest`. Add it to `plugins` in the Vitest
 * configuration.
 *
 * @throws {MdtestError} `OPTION_INVALID` if an option is unknown or out of range, or a secret is too short.
 *
 * @example
 * export default defineConfig({ plugins: [mdtest({ allow: ['Bash(npm *)'] })] })
 */
export function mdtest(options: Options = {}): Plugin[] {
  const config = { options: checkedOptions(options), commandLine: {} }
  const { problem } = collectSecrets(process.env, config.options.secrets)
  if (problem) throw problem
  const inheritance = new Inheritance()
  let isPlaced = false
  return [
    inheritance.plugin,
    specsPlugin(config, { isOwn: false, isRunning: () => isPlaced }),
    {
      name: 'mdtest:project',
      config: {
        // Runs after the other plugins, because they may add `projects`.
        order: 'post',
        async handler(user) {
          const plugins = await flattenPlugins(user.plugins)
          if (!isRootOfVitest(plugins)) return
          ignoreLogs(user)
          const { projects } = testConfig(user)
          if (await holdSpecs(projects)) return
          const specs = specsProject(config, inheritance.from(user, plugins))
          if (projects) return withProjects([specs]) // Vite appends the returned project to the user's projects
          const self = configFileAsProject(user)
          if (self !== undefined) return withProjects([self, specs])
        },
      },
      async configureVitest({ vitest, project, injectTestProjects }) {
        if (await holdSpecs(vitest.config.projects)) return
        if (vitest.config.projects) {
          // The user's own project runs the specs. Copy its `include`, because projects may share the list.
          if (project.config.browser.enabled) throw notInBrowser(project.name)
          isPlaced = true
          const { include } = project.config
          project.config.include = [...new Set([...include, ...config.options.include])]
          return setUpProject(vitest, project, config)
        }
        // If the configuration file cannot be a project, inject one. Vitest calls no hooks for it, so set it up here.
        const user = vitest.vite.config.inlineConfig
        const [injected] = await injectTestProjects(specsProject(config, inheritance.from(user, [])))
        if (injected) await setUpProject(vitest, injected, config)
      },
    },
  ]
}

/** Vite calls this hook if the user writes `plugins: [mdtest]`, without a call. */
mdtest.config = (): never => {
  throw new MdtestError('OPTION_INVALID', '`plugins: [mdtest]` lacks the call. Write `plugins: [mdtest()]`.')
}

/** Reduces the stack of an error to the line of the user's configuration. */
function checkedOptions(options: Options): ResolvedOptions {
  try {
    return resolveOptions(options)
  } catch (error: unknown) {
    if (!(error instanceof Error)) throw error
    Error.captureStackTrace(error, mdtest)
    const [place = ''] = /^ {4}at .*$/m.exec(error.stack ?? '') ?? []
    const isOfUser = !/node:internal|\.timestamp-\d+/.test(place)
    error.stack = [`${error.name}: ${error.message}`, ...(isOfUser ? [place] : [])].join('\n')
    throw error
  }
}

function notInBrowser(name: string): MdtestError {
  const message = `The project \`${name}\` runs its tests in a browser, and specs cannot run there.`
  const hint =
    'Put `mdtest()` into the `plugins` of the root configuration, beside `test`: specs then have a project of their own.'
  return new MdtestError('OPTION_INVALID', message, { hint })
}

type Projects = TestUserConfig['projects']

function withProjects(projects: NonNullable<Projects>): ViteUserConfig {
  const test: TestUserConfig = { projects }
  return Object.assign({}, { test })
}

/** Whether these are plugins of Vitest's root configuration, not of plain Vite or of a single project. */
function isRootOfVitest(plugins: readonly { readonly name: string }[]): boolean {
  const names = new Set(plugins.map((plugin) => plugin.name))
  return (names.has('vitest') || names.has('vitest:test-config')) && !names.has('vitest:project')
}

function ignoreLogs(user: ViteUserConfig): void {
  if (user.server?.watch === null) return
  const { watch } = user.server ?? {}
  user.server = { ...user.server, watch: { ...watch, ignored: [watch?.ignored ?? [], logsGlob].flat() } }
}

async function holdSpecs(projects: Projects): Promise<boolean> {
  for (const project of projects ?? []) {
    if (typeof project !== 'object' || !('plugins' in project)) continue
    const plugins: ViteUserConfig['plugins'] = project.plugins
    if (specsConfigOf(await flattenPlugins(plugins))?.isOwn) return true
  }
  return false
}

const configName = /^vite(?:st)?(?:\.[\w-]+)?\.config\./

/** The configuration file as project of the user's own tests; `undefined` if Vitest would refuse the file. */
function configFileAsProject(user: ViteUserConfig): string | undefined {
  const file: unknown = Reflect.get(user, 'configFile')
  if (typeof file !== 'string') return undefined
  const root = resolve(testConfig(user).root ?? user.root ?? process.cwd())
  // A relative path, because parent folders may contain glob characters.
  const self = pathIn(root, file)
  return configName.test(basename(self)) && escapeGlob(self) === self ? self : undefined
}
