import {
  replacedSettings,
  readAcpAgentName,
  describeBadRepeats,
  repeatsOf,
  type FrontMatter,
  type OwnSettings,
  type Repeats,
  acpAgentName,
  afterFailures,
  executors,
  sandboxModes,
  maxRepeats,
  replayModes,
  reproduceModes,
} from './front-matter.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { oneOf } from '../../system/text/wording.ts'
import { z } from 'zod'
import { dialectNames } from '../dialects/dialect-places.ts'
import type { RawFrontMatter } from './parse-yaml.ts'
import type { Report } from '../rules/spec-rules.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import {
  acpAgentSchema,
  loginForm,
  loginSchema,
  mcpServersForm,
  mcpServersSchema,
  savedLoginForm,
  totpForm,
  totpSchema,
} from './servers-and-logins.ts'
import { assurances } from '../../records/outcome.ts'
import { isInnerPath, tagPattern, durationForm, durationPattern, parseDuration } from './value-forms.ts'

// The JSON schema is generated from these schemas, so use patterns instead of functions if possible.
const text = z.string().regex(/\S/)
const duration = z
  .string()
  .regex(durationPattern)
  .transform((value, context) => {
    const durationMs = parseDuration(value)
    if (durationMs !== undefined) return durationMs
    context.addIssue('not a duration')
    return z.NEVER
  })

const webAddress = z.string().regex(/^https?:\/\/[^\s/]\S*$/i)
const webForm = 'an address that begins with `http://` or `https://`'
const runs = z.number().int().min(1).max(maxRepeats)
const runsForm = `a whole number from 1 to ${maxRepeats}`

export const keys = {
  dialect: { schema: z.enum(dialectNames), form: oneOf(dialectNames, '`') },
  title: { schema: text, form: 'a text' },
  agent: {
    schema: z.union([text, acpAgentSchema.transform(acpAgentName)]),
    form: 'the name of an agent, such as `auto`, `claude` or `none`, or `{ acp: [program, arguments…] }`',
  },
  tags: {
    schema: z.array(z.string().regex(tagPattern)),
    form: 'a list such as `[smoke, slow]`, of names without spaces or `!*&|(),`',
  },
  timeout: { schema: duration, form: durationForm },
  'silence-timeout': { schema: duration, form: durationForm },
  'max-cost-usd': { schema: z.number().positive(), form: 'an amount in US dollars above 0, such as `0.5`' },
  'max-tokens': { schema: z.number().int().min(1), form: 'a whole number from 1' },
  include: { schema: z.array(text), form: 'a list of paths of markdown files, relative to this one' },
  requires: {
    schema: z.array(z.string().regex(/^(?:browser|(?:bin|env|mcp|agent):\S+)$/)),
    form: 'a list of `browser`, `bin:docker` (a program), `env:NAME` (a variable), `mcp:NAME` (a server) or `agent:auto`',
  },
  'side-effects': { schema: z.boolean(), form: '`true` or `false`' },
  repeats: { schema: runs, form: runsForm },
  require: { schema: runs, form: runsForm },
  'after-failure': { schema: z.enum(afterFailures), form: '`continue` or `stop`' },
  replay: { schema: z.enum(replayModes), form: '`auto`, `only` or `off`' },
  reproduce: { schema: z.literal(reproduceModes), form: '`true`, `warn` or `false`' },
  watch: {
    schema: z.array(z.string().regex(/^(?!\/|(?:\.\/)*\.\.(?:\/|$)).*\S/)),
    form: 'a list of file patterns such as `src/**`, relative to the suite root and inside it',
  },
  env: {
    schema: z.record(
      z.string().regex(/^[A-Za-z_]\w*$/),
      z.string().refine((value) => !value.includes('\0')),
    ),
    form: 'a mapping of variable names to texts, numbers or booleans',
  },
  cwd: { schema: z.string().refine(isInnerPath), form: '`root`, `temp`, `copy` or a path inside the suite root' },
  writes: { schema: z.array(text), form: 'a list of file patterns' },
  'base-url': { schema: webAddress, form: webForm },
  'ignore-https-errors': { schema: z.boolean(), form: '`true` or `false`' },
  login: { schema: loginSchema, form: `${loginForm}, ${savedLoginForm}, or a mapping of users to such values` },
  'secret-origins': {
    schema: z.array(webAddress),
    form: 'a list of addresses that begin with `http://` or `https://`',
  },
  totp: { schema: totpSchema, form: totpForm },
  mailbox: { schema: webAddress, form: webForm },
  'mcp-servers': { schema: mcpServersSchema, form: mcpServersForm },
  allow: { schema: z.array(text), form: 'a list of permission rules such as `Bash(npm *)`' },
  network: { schema: z.boolean(), form: '`true` or `false`' },
  executor: { schema: z.enum(executors), form: '`auto`, `mdtest` or `agent`' },
  sandbox: { schema: z.enum(sandboxModes), form: '`auto`, `require` or `off`' },
  'min-assurance': { schema: z.enum(assurances), form: oneOf(assurances, '`') },
} as const

/** A bad value is reported and left out; all other keys are kept. */
export function readFrontMatter(raw: RawFrontMatter, report: Report, agentNames?: readonly string[]): FrontMatter {
  reportUnknownKeys(raw, report, { what: 'a spec', known: Object.keys(keys) })
  const read = createReader(raw, report)
  const agent = read('agent', keys.agent)
  const login = read('login', keys.login)
  const unknown = describeUnknownAgent(agent, agentNames)
  if (unknown !== undefined) report('unknown-agent', raw.placeOf(['agent']), unknown)
  return withoutUndefined<FrontMatter>({
    dialect: read('dialect', keys.dialect) ?? 'mdtest',
    title: read('title', keys.title),
    agent,
    tags: read('tags', keys.tags) ?? [],
    include: read('include', keys.include) ?? [],
    requires: read('requires', keys.requires) ?? [],
    sideEffects: read('side-effects', keys['side-effects']) ?? false,
    watch: read('watch', keys.watch) ?? [],
    env: read('env', keys.env) ?? {},
    cwd: read('cwd', keys.cwd) ?? 'root',
    writes: read('writes', keys.writes) ?? [],
    login: login && { user: login.user, ...raw.placeOf(['login']) },
    savedLogins: login?.savedLogins,
    settings: withoutUndefined<OwnSettings>({
      hardTimeoutMs: read('timeout', keys.timeout),
      silenceTimeoutMs: read('silence-timeout', keys['silence-timeout']),
      maxCostUsd: read('max-cost-usd', keys['max-cost-usd']),
      maxTokens: read('max-tokens', keys['max-tokens']),
      repeats: readRepeats(raw, read, report),
      afterFailure: read('after-failure', keys['after-failure']),
      replay: read('replay', keys.replay),
      reproduce: read('reproduce', keys.reproduce),
      baseUrl: read('base-url', keys['base-url']),
      ignoreHttpsErrors: read('ignore-https-errors', keys['ignore-https-errors']),
      secretOrigins: read('secret-origins', keys['secret-origins']),
      totp: read('totp', keys.totp),
      mailbox: read('mailbox', keys.mailbox),
      mcpServers: read('mcp-servers', keys['mcp-servers']),
      allow: read('allow', keys.allow),
      network: read('network', keys.network),
      executor: read('executor', keys.executor),
      sandbox: read('sandbox', keys.sandbox),
      minAssurance: read('min-assurance', keys['min-assurance']),
    }),
  })
}

function readRepeats(raw: RawFrontMatter, read: Read, report: Report): Repeats | undefined {
  const given = { repeats: read('repeats', keys.repeats), require: read('require', keys.require) }
  const problem = describeBadRepeats(given)
  if (problem === undefined) return repeatsOf(given)
  // `read` has reported a bad `repeats`, so do not report that `require` lacks `repeats`.
  if (given.repeats !== undefined || !raw.values.has('repeats'))
    report('front-matter-bad-value', raw.placeOf(['require']), problem)
  return undefined
}

export function reportUnknownKeys(
  raw: RawFrontMatter,
  report: Report,
  { what, known }: { readonly what: string; readonly known: readonly string[] },
): void {
  for (const name of raw.values.keys()) {
    if (known.includes(name)) continue
    const replaced = known.includes('agent') ? replacedSettings.get(name) : undefined
    const message =
      replaced === undefined
        ? `\`${name}\` is no key of ${what}.${didYouMean(name, known)} Known: ${known.join(', ')}. Keys of your own begin with \`x-\`.`
        : `\`${name}\` is no key of ${what} any more. ${replaced}`
    report('front-matter-unknown-key', raw.placeOf([name]), message)
  }
}

/** Reports a misspelt name such as `None`, because another agent must not start in its place. */
function describeUnknownAgent(agent?: string, agentNames?: readonly string[]): string | undefined {
  if (agent === undefined || agentNames === undefined) return undefined
  if (agentNames.includes(agent) || readAcpAgentName(agent) !== undefined) return undefined
  const known = agentNames.map((name) => `\`${name}\``).join(', ')
  return `\`${agent}\` is no agent.${didYouMean(agent, agentNames)} Known: ${known}.`
}

interface Key<T> {
  readonly schema: z.ZodType<T>
  readonly form: string
}

type Read = <T>(name: string, key: Key<T>) => T | undefined

export function createReader({ values, placeOf }: RawFrontMatter, report: Report): Read {
  return (name, { schema, form }) => {
    if (!values.has(name)) return undefined
    const value = values.get(name)
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const moved = value === 'scrut' ? ' What to do with documents of scrut: docs/coming-from.md.' : ''
    const message = `\`${name}\` must be ${form}, got ${describeGiven(value)}.${moved}`
    report('front-matter-bad-value', placeOf([name, ...(result.error.issues[0]?.path ?? [])]), message)
    return undefined
  }
}

function describeGiven(value: unknown): string {
  const kind = value === null ? 'empty' : Array.isArray(value) ? 'list' : typeof value
  const json = JSON.stringify(value) ?? 'nothing'
  return `\`${json.length > 60 ? `${json.slice(0, 60)}…` : json}\` (${kind})`
}
