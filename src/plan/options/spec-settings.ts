import type { Repeats, Scenario, Spec } from '../../spec/spec.ts'
import type { BrowserSettings } from '../../agents/browser/browser-settings.ts'
import type { McpServers } from '../../spec/front-matter/mcp-servers.ts'
import { repeatsOf } from '../../spec/front-matter/repeats.ts'
import type { EvidencePolicy } from '../../verdict/verdict.ts'
import type { Options } from './options.ts'
import type { ResolvedOptions } from './resolve-options.ts'

/** How often a scenario is run. */
export function repeatsIn({ repeats }: Pick<Scenario, 'repeats'>, settings: Pick<SpecSettings, 'repeats'>): Repeats {
  return repeats ?? settings.repeats
}

/** What the command line says; it wins over everything but `agent: none` in a spec. */
export type CommandLine = Pick<
  Options,
  | 'agent'
  | 'allow'
  | 'allowSideEffects'
  | 'dangerouslyAllowAllActions'
  | 'hardTimeoutMs'
  | 'silenceTimeoutMs'
  | 'minAssurance'
  | 'baseUrl'
  | 'headed'
  | 'providerUrl'
> & {
  /** Not checked: the environment can name an unknown one as well. */
  readonly provider?: string
  readonly model?: string
}

/** Settings of one spec, after precedence: command line > front matter > plugin option > default. */
export interface SpecSettings {
  readonly hardTimeoutMs: number
  readonly silenceTimeoutMs: number
  readonly blockTimeoutMs: number
  /** US dollars for the agent of one scenario. */
  readonly maxCostUsd?: number | undefined
  /** In and out together, for the agent of one scenario. */
  readonly maxTokens?: number | undefined
  readonly allow: readonly string[]
  readonly network: boolean
  readonly dangerouslyAllowAllActions: boolean
  /** Names of variables whose values are secret whatever the names. */
  readonly secrets: readonly string[]
  readonly policy: EvidencePolicy
  /** Whether a spec with side effects runs under CI, too. */
  readonly allowSideEffects: boolean
  /** Program of the option `agent`, where that is a command. */
  readonly agentProgram?: string | undefined
  /** For the agent `browser`, and for others that get its browser. */
  readonly browser: BrowserSettings
  /** For every agent. */
  readonly mcpServers: McpServers
  /** For scenarios whose heading says nothing else. */
  readonly repeats: Repeats
  /** Whether all rows of a table run, or none behind one that does not pass. */
  readonly rows: 'all' | 'stop'
  readonly logs: ResolvedOptions['logs']
}

const once: Repeats = { runs: 1, required: 1 }

/** Applies the precedence. `allow` rules add up; everything else is replaced. */
export function resolveSpecSettings(
  { frontMatter, agent }: Pick<Spec, 'frontMatter' | 'agent'>,
  options: ResolvedOptions,
  commandLine: CommandLine,
): SpecSettings {
  return {
    hardTimeoutMs: commandLine.hardTimeoutMs ?? frontMatter.timeoutMs ?? options.hardTimeoutMs,
    silenceTimeoutMs: commandLine.silenceTimeoutMs ?? frontMatter.silenceTimeoutMs ?? options.silenceTimeoutMs,
    blockTimeoutMs: options.blockTimeoutMs,
    maxCostUsd: frontMatter.maxCostUsd ?? options.maxCostUsd,
    maxTokens: frontMatter.maxTokens ?? options.maxTokens,
    allow: [...new Set([...options.allow, ...frontMatter.allow, ...(commandLine.allow ?? [])])],
    network: frontMatter.network ?? options.network,
    dangerouslyAllowAllActions: commandLine.dangerouslyAllowAllActions ?? options.dangerouslyAllowAllActions,
    secrets: options.secrets,
    policy: {
      evidence: options.evidence,
      minAssurance: commandLine.minAssurance ?? frontMatter.minAssurance ?? options.minAssurance,
    },
    allowSideEffects: commandLine.allowSideEffects ?? options.allowSideEffects,
    agentProgram: typeof options.agent === 'object' ? options.agent.command[0] : undefined,
    browser: {
      provider: commandLine.provider,
      defaultProvider: options.provider,
      model: commandLine.model,
      defaultModel: options.model,
      providerUrl: commandLine.providerUrl ?? options.providerUrl,
      baseUrl: commandLine.baseUrl ?? frontMatter.baseUrl ?? options.baseUrl,
      maxModelSteps: options.maxModelSteps,
      isHeaded: commandLine.headed ?? options.headed,
    },
    mcpServers: { ...options.mcpServers, ...frontMatter.mcpServers },
    repeats: frontMatter.repeats ?? repeatsOf(options) ?? once,
    rows: frontMatter.rows ?? options.rows ?? (agent === 'none' ? 'all' : 'stop'),
    logs: options.logs,
  }
}
