import { didYouMean } from '../../system/text/did-you-mean.ts'
import { z } from 'zod'

import { assurances } from '../../records/assurance.ts'
import { createReader } from '../markdown/create-reader.ts'
import { isInnerPath } from './is-inner-path.ts'
import { tagPattern } from './is-tag.ts'
import { durationForm, durationPattern, parseDuration } from './parse-duration.ts'
import { mcpServersForm, mcpServersSchema } from './mcp-servers-schema.ts'
import type { RawFrontMatter } from './parse-front-matter.ts'
import { describeBadRepeats, maxRepeats, repeatsOf } from './repeats.ts'
import { isDocumentKey } from '../dialects/scrut/read-document-config.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { FrontMatter, Repeats } from '../spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'

// Patterns rather than functions where that can be: the JSON schema is made from them.
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

const runs = z.number().int().min(1).max(maxRepeats)
const runsForm = `a whole number from 1 to ${maxRepeats}`

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Each key: its schema, and in words what it accepts. */
export const keys = {
  dialect: { schema: z.enum(['mdtest', 'scrut']), form: '`mdtest` or `scrut`' },
  title: { schema: text, form: 'a text' },
  agent: { schema: text, form: 'the name of an agent, such as `auto`, `claude` or `none`' },
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
  require: {
    schema: runs,
    form: runsForm,
    hint: (value: unknown) => (isListOfTexts(value) ? ' Did you mean `requires`?' : ''),
  },
  rows: { schema: z.enum(['all', 'stop']), form: '`all` or `stop`' },
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
  'base-url': {
    schema: z.string().regex(/^https?:\/\/[^\s/]\S*$/i),
    form: 'an address that begins with `http://` or `https://`',
  },
  'mcp-servers': { schema: mcpServersSchema, form: mcpServersForm },
  allow: { schema: z.array(text), form: 'a list of permission rules such as `Bash(npm *)`' },
  network: { schema: z.boolean(), form: '`true` or `false`' },
  'min-assurance': {
    schema: z.enum(assurances),
    form: '`claimed`, `observed`, `evidenced` or `verified`',
  },
} as const

/** Checks front matter key by key: a bad value costs that key only, every other one is kept. */
export function readFrontMatter(raw: RawFrontMatter, report: Report, agentNames?: readonly string[]): FrontMatter {
  reportUnknownKeys(raw, report)
  const read = createReader(raw, 'front-matter-bad-value', report)
  const agent = read('agent', keys.agent)
  if (agent !== undefined && agentNames !== undefined) reportUnknownAgent(agent, { agentNames, raw, report })
  return withoutUndefined<FrontMatter>({
    dialect: read('dialect', keys.dialect) ?? 'mdtest',
    title: read('title', keys.title),
    agent,
    tags: read('tags', keys.tags) ?? [],
    timeoutMs: read('timeout', keys.timeout),
    silenceTimeoutMs: read('silence-timeout', keys['silence-timeout']),
    maxCostUsd: read('max-cost-usd', keys['max-cost-usd']),
    maxTokens: read('max-tokens', keys['max-tokens']),
    include: read('include', keys.include) ?? [],
    requires: read('requires', keys.requires) ?? [],
    sideEffects: read('side-effects', keys['side-effects']) ?? false,
    repeats: readRepeats(raw, report),
    rows: read('rows', keys.rows),
    watch: read('watch', keys.watch) ?? [],
    env: read('env', keys.env) ?? {},
    cwd: read('cwd', keys.cwd) ?? 'root',
    writes: read('writes', keys.writes) ?? [],
    baseUrl: read('base-url', keys['base-url']),
    mcpServers: read('mcp-servers', keys['mcp-servers']),
    allow: read('allow', keys.allow) ?? [],
    network: read('network', keys.network),
    minAssurance: read('min-assurance', keys['min-assurance']),
  })
}

function readRepeats(raw: RawFrontMatter, report: Report): Repeats | undefined {
  const read = createReader(raw, 'front-matter-bad-value', report)
  const given = { repeats: read('repeats', keys.repeats), require: read('require', keys.require) }
  const problem = describeBadRepeats(given)
  if (problem === undefined) return repeatsOf(given)
  // A bad `repeats` was reported already.
  if (given.repeats !== undefined || !raw.values.has('repeats'))
    report('front-matter-bad-value', raw.placeOf(['require']), problem)
  return undefined
}

/** Checks the front matter of an included file and gives what it includes itself: all else is up to the spec. */
export function readIncludedFrontMatter(raw: RawFrontMatter, report: Report): readonly string[] {
  for (const name of raw.values.keys()) {
    if (name === 'include') continue
    const message = `\`${name}\` would have no effect in an included file. Move it to the front matter of the spec; keys of your own begin with \`x-\`.`
    report('front-matter-unknown-key', raw.placeOf([name]), message)
  }
  return createReader(raw, 'front-matter-bad-value', report)('include', keys.include) ?? []
}

function reportUnknownKeys(raw: RawFrontMatter, report: Report): void {
  const isScrut = raw.values.get('dialect') === 'scrut'
  for (const name of raw.values.keys()) {
    const isOfScrut = isDocumentKey(name)
    if (Object.hasOwn(keys, name) || (isScrut && isOfScrut)) continue
    const known = Object.keys(keys).join(', ')
    const message = isOfScrut
      ? `\`${name}\` is a key of scrut. Set \`dialect: scrut\` as well, or take it out.`
      : `\`${name}\` is no key of a spec.${didYouMean(name, Object.keys(keys))} Known: ${known}. Keys of your own begin with \`x-\`.`
    report('front-matter-unknown-key', raw.placeOf([name]), message)
  }
}

interface AgentCheck {
  readonly agentNames: readonly string[]
  readonly raw: RawFrontMatter
  readonly report: Report
}

/** Prose must not go to another agent than the one that was meant, nor to any where `None` meant none. */
function reportUnknownAgent(agent: string, { agentNames, raw, report }: AgentCheck): void {
  if (agentNames.includes(agent)) return
  const known = agentNames.map((name) => `\`${name}\``).join(', ')
  report(
    'unknown-agent',
    raw.placeOf(['agent']),
    `\`${agent}\` is no agent.${didYouMean(agent, agentNames)} Known: ${known}.`,
  )
}
