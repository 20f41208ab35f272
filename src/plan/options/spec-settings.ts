import type { Scenario, Spec } from '../../spec/spec.ts'
import { type AfterFailure, type Repeats, type McpServers, repeatsOf } from '../../spec/front-matter/front-matter.ts'
import type { BrowserSettings } from '../../agents/browser/browser-settings.ts'
import { withoutCredentials } from '../../spec/browser/credentials.ts'
import type { EvidencePolicy } from '../../verdict/verdict.ts'
import type { Options } from './options.ts'
import type { ResolvedOptions } from './option-defaults.ts'

/** Options of a whole run, which `SpecSettings` leaves out. */
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
] as const

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
] as const

type OfRuns = (typeof ofRuns)[number]
type OfParts = (typeof ofParts)[number]

/** Settings from the command line. They override everything except `agent: none` in a spec. */
export type CommandLine = Pick<Options, 'agent'> &
  Omit<Options, OfRuns | 'provider' | 'model' | 'repeats' | 'require' | 'logs'> & {
    /** Any text. Checked later, because the name can also come from an environment variable. */
    readonly provider?: string
    readonly model?: string
    readonly saveLogins?: boolean
    /** Name of an OpenSpec change. In this run, its specs must pass even before the change is archived. */
    readonly change?: string
  }

/** Settings of one spec. Precedence: command line > front matter > plugin option > default. */
export interface SpecSettings extends Omit<
  ResolvedOptions,
  OfRuns | OfParts | 'mcpServers' | 'repeats' | 'afterFailure'
> {
  readonly policy: EvidencePolicy
  readonly browser: BrowserSettings
  readonly mcpServers: McpServers
  readonly repeats: Repeats
  readonly afterFailure: AfterFailure
  /** Name of an OpenSpec change: scenarios are expected to fail until the change is archived. */
  readonly awaitedChange?: string
}

const once: Repeats = { runs: 1, required: 1 }

/** Merges `allow` rules, MCP servers and one-time codes. For others, the first source in precedence decides. */
export function resolveSpecSettings(
  { frontMatter: { settings: own, savedLogins }, agent, change }: Pick<Spec, 'frontMatter' | 'agent' | 'change'>,
  options: ResolvedOptions,
  { change: proved, saveLogins, ...commandLine }: CommandLine,
): SpecSettings {
  const given = { ...options, ...own, ...commandLine }
  const totp = { ...options.totp, ...own.totp }
  const seeds = new Set(Object.values(totp))
  return {
    ...without(given, [...ofRuns, ...ofParts]),
    secrets: [...new Set([...given.secrets, ...seeds])],
    allow: [...new Set([options, own, commandLine].flatMap(({ allow = [] }) => allow))],
    mcpServers: { ...options.mcpServers, ...own.mcpServers },
    policy: given.minAssurance === undefined ? {} : { minAssurance: given.minAssurance },
    browser: {
      // Keep `provider` and `defaultProvider` apart: an environment variable overrides only `defaultProvider`.
      provider: commandLine.provider,
      defaultProvider: options.provider,
      model: commandLine.model,
      defaultModel: options.model,
      providerUrl: given.providerUrl,
      // Take credentials out of the address, because only the browser needs them.
      ...(given.baseUrl !== undefined && withoutCredentials(given.baseUrl)),
      maxModelSteps: given.maxModelSteps,
      isHeaded: given.headed,
      ignoresHttpsErrors: given.ignoreHttpsErrors,
      savedLogins,
      ...(saveLogins && { savesLogins: true }),
      signIn: {
        // Leave out the secrets of one-time codes: the agent may type the codes, but not the secrets.
        secrets: given.secrets.filter((name) => !seeds.has(name)),
        ...{ origins: given.secretOrigins, totp, mailbox: given.mailbox },
      },
    },
    repeats: own.repeats ?? repeatsOf(options) ?? once,
    afterFailure: given.afterFailure ?? (agent === 'none' ? 'continue' : 'stop'),
    ...(change !== undefined && proved === undefined && { awaitedChange: change }),
  }
}

function without<T extends object, K extends keyof T>(all: T, names: readonly K[]): Omit<T, K> {
  const rest = { ...all }
  for (const name of names) delete rest[name]
  return rest
}

export function repeatsIn({ repeats }: Pick<Scenario, 'repeats'>, settings: Pick<SpecSettings, 'repeats'>): Repeats {
  return repeats ?? settings.repeats
}
