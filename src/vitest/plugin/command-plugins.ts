import { pathIn } from '../../system/files/paths.ts'
import type { Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import type { AgentTerminal } from '../../host/agent-run/agent-terminal.ts'
import { resolveOptions } from '../../plan/options/resolve-options.ts'
import { createInheritance } from '../private/inherited.ts'
import { flattenPlugins, specsConfigOf, testOf } from './plugin-list.ts'
import { specsProject } from './project.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'

interface CommandPluginOptions extends Pick<SpecsConfig, 'commandLine' | 'signal' | 'record' | 'onKept' | 'report'> {
  readonly root: string
  /** Told the settings in force. */
  onConfig(config: SpecsConfig): Promise<CommandPlan>
}

interface CommandPlan {
  /** Absolute paths of the specs, in the order in which they begin. */
  readonly files: readonly string[]
  /** How many of them run at once, from 1. */
  readonly concurrency: number
  /** In which agents are to be shown, if they are. */
  readonly terminal: AgentTerminal | undefined
}

/** Replaces whatever projects the configuration has by the specs' own, with the options of its `mdtest()`. */
export function commandPlugins({ root, onConfig, ...given }: CommandPluginOptions): Plugin[] {
  const inheritance = createInheritance()
  const plugin: Plugin = {
    name: 'mdtest:run',
    config: {
      order: 'post',
      async handler(user) {
        const plugins = await flattenPlugins(user.plugins)
        if (plugins.some(({ name }) => name === 'vitest:project')) return
        const options = specsConfigOf(plugins)?.config.options ?? resolveOptions({})
        const { agent } = given.commandLine
        // The option is what the agent `command` is looked up by.
        const isCommand = typeof agent === 'object' && 'command' in agent
        const settings = { ...given, options: isCommand ? { ...options, agent } : options }
        const { files, concurrency, terminal } = await onConfig(settings)
        const config = { ...settings, files, concurrency, ...(terminal && { terminal }) }
        const include = files.map((file) => escapeGlob(pathIn(root, file)))
        // Mutated, because Vite would append to the user's projects.
        Object.assign(user, {
          test: {
            ...testOf(user),
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

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}()!@+|\\]/g, '\\$&')
}

/** Vitest would run the slowest first, by its cache of former results. */
function sequencerFor(files: readonly string[]): typeof BaseSequencer {
  const order = new Map(files.map((file, index) => [file, index]))
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return specifications.toSorted((one, other) => (order.get(one.moduleId) ?? 0) - (order.get(other.moduleId) ?? 0))
    }
  }
}
