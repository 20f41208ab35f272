import { pathIn } from '../../system/files/paths.ts'
import type { Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { resolveOptions } from '../../plan/options/option-defaults.ts'
import { Inheritance } from '../private-api/inherited-configuration.ts'
import { escapeGlob, flattenPlugins, specsConfigOf, testConfig } from './plugin-list.ts'
import { specsProject } from './project.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'

interface CommandPluginOptions extends Pick<SpecsConfig, 'commandLine' | 'signal' | 'record' | 'onKept' | 'report'> {
  readonly root: string
  /** Returns `files` in the order in which the specs are to start. */
  onConfig(config: SpecsConfig): Promise<Pick<SpecsConfig, 'concurrency' | 'terminal'> & { files: readonly string[] }>
}

/** Replaces all projects of the user's configuration with the specs' project. Keeps the options of `mdtest()`. */
export function commandPlugins({ root, onConfig, ...given }: CommandPluginOptions): Plugin[] {
  const inheritance = new Inheritance()
  const plugin: Plugin = {
    name: 'mdtest:run',
    config: {
      order: 'post',
      async handler(user) {
        const plugins = await flattenPlugins(user.plugins)
        if (plugins.some(({ name }) => name === 'vitest:project')) return
        const options = specsConfigOf(plugins)?.config.options ?? resolveOptions({})
        const { agent } = given.commandLine
        // mdtest looks up an agent's program in the options, so put a command from the command line there.
        const isCommand = typeof agent === 'object' && 'command' in agent
        const settings = { ...given, options: isCommand ? { ...options, agent } : options }
        const config = { ...settings, ...(await onConfig(settings)) }
        const { files } = config
        const include = files.map((file) => escapeGlob(pathIn(root, file)))
        // Change the configuration in place: Vite would add a returned project to the user's projects.
        Object.assign(user, {
          test: {
            ...testConfig(user),
            projects: [specsProject(config, inheritance.from(user, plugins), { include })],
            globalSetup: [],
            dir: undefined,
            exclude: [],
            sequence: { sequencer: sequencerFor(files) },
          },
        })
      },
    },
  }
  return [inheritance.plugin, plugin]
}

/** Keeps the order of `files`, because Vitest would run the slowest spec first. */
function sequencerFor(files: readonly string[]): typeof BaseSequencer {
  const order = new Map(files.map((file, index) => [file, index]))
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return specifications.toSorted((one, other) => (order.get(one.moduleId) ?? 0) - (order.get(other.moduleId) ?? 0))
    }
  }
}
