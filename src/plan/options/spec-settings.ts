import type { Scenario, Spec } from '../../spec/spec.ts'
import { type AfterFailure, type Repeats, type McpServers, repeatsOf } from '../../spec/front-matter/front-matter.ts'
import type { BrowserSettings } from '../../agents/browser/browser-settings.ts'
import { withoutCredentials } from '../../spec/browser/credentials.ts'
import type { EvidencePolicy } from '../../verdict/verdict.ts'
import type { Options } from './options.ts'
import type { ResolvedOptions } from './resolve-options.ts'

/** No spec has these for itself. */
const ofRuns = [
  'include',
  'dialects',
  'agent',
  'progress',
  'maxRunCostUsd',
  'maxRunTokens',
  'maxAgents',
  'watchAgents',
  'reportDir',
] as const // names, for a union

const ofParts = [
  'minAssurance',
  'provider',
  'model',
  'providerUrl',
  'baseUrl',
  'maxModelSteps',
  'headed',
  'ignoreHttpsErrors',
  'secretOrigins',
  'totp',
  'mailbox',
  'require',
] as const // names, for a union

type OfRuns = (typeof ofRuns)[number]
type OfParts = (typeof ofParts)[number]

/** It wins over everything but `agent: none` in a spec. */
export type CommandLine = Pick<Options, 'agent'> &
  Omit<Options, OfRuns | 'provider' | 'model' | 'repeats' | 'require' | 'logs'> & {
    /** Not checked: the environment may name an unknown one, too. */
    readonly provider?: string
    readonly model?: string
    readonly saveLogins?: boolean
    /** The run is to prove this change, and has no other specs: nothing is expected to fail. */
    readonly change?: string
  }

/** After precedence: command line > front matter > plugin option > default. Options not named above keep their names. */
export interface SpecSettings extends Omit<
  ResolvedOptions,
  OfRuns | OfParts | 'mcpServers' | 'repeats' | 'afterFailure'
> {
  readonly policy: EvidencePolicy
  /** For the agent `browser`, and for others that get its browser. */
  readonly browser: BrowserSettings
  readonly mcpServers: McpServers
  readonly repeats: Repeats
  readonly afterFailure: AfterFailure
  /** Until this change is archived, scenarios are expected to fail. */
  readonly awaitedChange?: string
}

const once: Repeats = { runs: 1, required: 1 }

/** `allow` rules and MCP servers add up; everything else is replaced. */
export function resolveSpecSettings(
  { frontMatter: { settings: own }, agent, change }: Pick<Spec, 'frontMatter' | 'agent' | 'change'>,
  options: ResolvedOptions,
  { change: proved, saveLogins, ...commandLine }: CommandLine,
): SpecSettings {
  const given = { ...options, ...own, ...commandLine }
  const totp = { ...options.totp, ...own.totp }
  const secrets = [...new Set([...given.secrets, ...Object.values(totp)])]
  return {
    ...without(given, [...ofRuns, ...ofParts]),
    secrets,
    allow: [...new Set([options, own, commandLine].flatMap(({ allow = [] }) => allow))],
    mcpServers: { ...options.mcpServers, ...own.mcpServers },
    policy: given.minAssurance === undefined ? {} : { minAssurance: given.minAssurance },
    browser: {
      // Variables of the environment stand between command line and option.
      provider: commandLine.provider,
      defaultProvider: options.provider,
      model: commandLine.model,
      defaultModel: options.model,
      providerUrl: given.providerUrl,
      ...applicationAt(given.baseUrl),
      maxModelSteps: given.maxModelSteps,
      isHeaded: given.headed,
      ignoresHttpsErrors: given.ignoreHttpsErrors,
      ...(saveLogins && { savesLogins: true }),
      signIn: { secrets, origins: given.secretOrigins, totp, mailbox: given.mailbox },
    },
    repeats: own.repeats ?? repeatsOf(options) ?? once,
    afterFailure: given.afterFailure ?? (agent === 'none' ? 'continue' : 'stop'),
    ...(change !== undefined && proved === undefined && { awaitedChange: change }),
  }
}

/** Only the browser needs the credentials in an address. */
function applicationAt(baseUrl: string | undefined): Pick<BrowserSettings, 'baseUrl' | 'credentials'> {
  if (baseUrl === undefined) return {}
  const { address, credentials } = withoutCredentials(baseUrl)
  return { baseUrl: address, ...(credentials && { credentials }) }
}

function without<T extends object, K extends keyof T>(all: T, names: readonly K[]): Omit<T, K> {
  const rest = { ...all }
  for (const name of names) delete rest[name]
  return rest
}

export function repeatsIn({ repeats }: Pick<Scenario, 'repeats'>, settings: Pick<SpecSettings, 'repeats'>): Repeats {
  return repeats ?? settings.repeats
}
