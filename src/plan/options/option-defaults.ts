import { z } from 'zod'
import { providers } from '../../agents/browser/browser-settings.ts'
import { agentNames, agents, codingAgents, drivesBrowser } from '../../agents/registry.ts'
import {
  acpAgentName,
  afterFailures,
  executors,
  replacedSettings,
  replayModes,
  reproduceModes,
  sandboxModes,
  describeBadRepeats,
  maxRepeats,
} from '../../spec/front-matter/front-matter.ts'
import {
  acpAgentSchema,
  mcpServersForm,
  mcpServersSchema,
  totpForm,
  totpSchema,
} from '../../spec/front-matter/servers-and-logins.ts'
import { isWebAddress } from '../../spec/front-matter/value-forms.ts'
import { namesOfDialects } from '../../spec/dialects/dialect-places.ts'
import { assurances } from '../../records/outcome.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { defaultInclude } from '../../system/spec-endings.ts'
import type { Options } from './options.ts'
import { oneOf } from '../../system/text/wording.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { maxTimerMs } from '../../system/slots-and-timers.ts'

const milliseconds = z.number().int().min(1).max(maxTimerMs)
const costUsd = z.number().positive()
const tokens = z.number().int().min(1)
const runs = z.number().int().min(1).max(maxRepeats)
const webAddress = z.string().refine(isWebAddress)
const commandAgent = z.strictObject({ command: z.tuple([z.string().min(1)], z.string()).readonly() })

const logsSchema = z.strictObject({
  keep: z.number().int().min(1).max(1000).default(10),
  dir: z.string().min(1).optional(),
})

const globs = z.array(z.string().min(1)).min(1)

const schema = z.strictObject({
  include: globs.default([...defaultInclude]),
  dialects: z.strictObject(Object.fromEntries(namesOfDialects.map((name) => [name, globs.optional()]))).default({}),
  agent: z.union([z.enum([...agentNames, 'none']), acpAgentSchema, commandAgent]).default('auto'),
  allow: z.array(z.string().min(1)).default([]),
  network: z.boolean().default(false),
  executor: z.enum(executors).default('auto'),
  sandbox: z.enum(sandboxModes).default('auto'),
  dangerouslyAllowAllActions: z.boolean().default(false),
  hardTimeoutMs: milliseconds.default(600_000),
  silenceTimeoutMs: milliseconds.default(180_000),
  blockTimeoutMs: milliseconds.default(60_000),
  secrets: z
    .array(z.string().regex(/^[^=\0]+$/, 'the name of a variable'))
    .readonly()
    .default([]),
  minAssurance: z.enum(assurances).optional(),
  progress: z.boolean().default(true),
  maxCostUsd: costUsd.optional(),
  maxTokens: tokens.optional(),
  maxRunCostUsd: costUsd.optional(),
  maxRunTokens: tokens.optional(),
  maxAgents: z.number().int().min(1).max(1000).default(4),
  allowSideEffects: z.boolean().default(false),
  watchAgents: z.boolean().default(false),
  repeats: runs.optional(),
  require: runs.optional(),
  afterFailure: z.enum(afterFailures).optional(),
  replay: z.enum(replayModes).default('auto'),
  recordings: z.boolean().default(false),
  reproduce: z.literal(reproduceModes).default(false),
  provider: z.enum(providers).optional(),
  model: z.string().min(1).optional(),
  providerUrl: webAddress.optional(),
  baseUrl: webAddress.optional(),
  maxModelSteps: z.number().int().min(1).max(1000).default(50),
  headed: z.boolean().default(false),
  ignoreHttpsErrors: z.boolean().default(false),
  secretOrigins: z.array(webAddress).readonly().default([]),
  totp: totpSchema.default({}),
  mailbox: webAddress.optional(),
  mcpServers: mcpServersSchema.default({}),
  reportDir: z.string().min(1).default('mdtest-report'),
  logs: logsSchema.default({ keep: 10 }),
})

export type ResolvedOptions = Readonly<z.infer<typeof schema>> & {
  /** Programs by agent name; an agent needs one of them on PATH. Saves workers from loading the agents' modules. */
  readonly agentPrograms: Readonly<Record<string, readonly string[]>>
}

/** @throws {MdtestError} `OPTION_INVALID`. The message names each wrong option. */
export function resolveOptions(options: Options): ResolvedOptions {
  const parsed = schema.safeParse(options)
  const bad = parsed.success ? describeBadRepeats(parsed.data) : undefined
  if (parsed.success && bad === undefined)
    return {
      ...parsed.data,
      include: [
        ...new Set([...parsed.data.include, ...Object.values(parsed.data.dialects).flatMap((each) => each ?? [])]),
      ],
      agentPrograms: programsWith(parsed.data),
    }
  const problems = parsed.error?.issues.map((issue) => describeIssue(issue, options)) ?? [bad]
  throw new MdtestError('OPTION_INVALID', `mdtest(): ${problems.join(' ')}`)
}

function programsWith({ agent }: z.infer<typeof schema>): ResolvedOptions['agentPrograms'] {
  return {
    auto: codingAgents.map(({ bin }) => bin),
    ...Object.fromEntries(agents.map(({ name, bin }) => [name, [bin]])),
    ...(typeof agent === 'object' &&
      ('acp' in agent ? { [acpAgentName(agent)]: agent.acp.slice(0, 1) } : { command: agent.command.slice(0, 1) })),
  }
}

function describeIssue(issue: z.core.$ZodIssue, options: Options): string {
  if (issue.code === 'unrecognized_keys') {
    const replaced = issue.keys.flatMap((key) => replacedSettings.get(key) ?? [])
    if (replaced.length > 0)
      return `There is no option ${issue.keys.map((key) => `\`${key}\``).join(', ')} any more. ${replaced.join(' ')}`
    const parent = issue.path.join('.')
    const known = Object.keys(parent === 'logs' ? logsSchema.shape : schema.shape)
    const unknown = issue.keys.map((key) => `\`${[...issue.path, key].join('.')}\``).join(', ')
    const hint = issue.keys.map((key) => didYouMean(key, known)).join('')
    return `Unknown option ${unknown}.${hint} The options are ${known.join(', ')}.`
  }
  const name = issue.path.join('.')
  const value = issue.path.reduce<unknown>((whole, key) => Reflect.get(Object(whole), key), options)
  return `Expected \`${name}\` to be ${expectationOf(issue)}, got \`${JSON.stringify(value)}\` (${typeof value}).`
}

function expectationOf(issue: z.core.$ZodIssue): string {
  if (issue.path[0] === 'agent')
    return `${agentNames.map((name) => `'${name}'`).join(', ')}, 'none', { acp: ['program', …] } or { command: ['program', …] }`
  if (/(?:Url|Origins|^mailbox)$/.test(String(issue.path[0]))) return 'an address that begins with http:// or https://'
  if (issue.path[0] === 'totp') return totpForm
  if (issue.path[0] === 'mcpServers') return mcpServersForm
  if (String(issue.path.at(-1)).endsWith('Ms')) return `a whole number of milliseconds from 1 to ${maxTimerMs}`
  if (String(issue.path.at(-1)).endsWith('CostUsd')) return 'an amount in US dollars above 0'
  if (String(issue.path.at(-1)).endsWith('Tokens')) return 'a whole number of tokens from 1'
  if (['repeats', 'require'].includes(issue.path.join('.'))) return `a whole number from 1 to ${maxRepeats}`
  if (['logs.keep', 'maxAgents', 'maxModelSteps'].includes(issue.path.join('.'))) return 'a whole number from 1 to 1000'
  if (issue.code === 'invalid_value') return oneOf(issue.values, "'")
  return issue.code === 'invalid_type' ? `of type ${issue.expected}` : issue.message
}

/** Checks the option `dir` of a reporter. @throws {MdtestError} `OPTION_INVALID` */
export function checkReportDir({ dir }: { readonly dir?: unknown }): string | undefined {
  if (dir === undefined || (typeof dir === 'string' && dir !== '')) return dir
  const got = `${JSON.stringify(dir)} (${typeof dir})`
  throw new MdtestError('OPTION_INVALID', `The option \`dir\` of the reporter is a path, got ${got}.`)
}

/** Whether any markdown page can be a spec. This depends on the agent: it must drive a browser. */
export function mayHavePages(agent: ResolvedOptions['agent'] | undefined): boolean {
  return typeof agent === 'string' && drivesBrowser(agent)
}
