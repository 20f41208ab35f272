import { replacedSettings } from './executor.ts'
import { z } from 'zod'
import { readAcpAgentName } from './acp-agent.ts'
import { createReader } from './create-reader.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { dialectNamed, dialectNames, dialects } from '../dialects/registry.ts'
import { commonKeys } from './keys.ts'
import type { RawFrontMatter } from './parse-front-matter.ts'
import { describeBadRepeats, repeatsOf } from './repeats.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { FrontMatter, OwnSettings, Repeats } from './front-matter.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'

/** Each key of any spec; those of a dialect are in the registry. */
export const keys = {
  dialect: {
    schema: z.enum(dialectNames),
    form: dialectNames.map((name) => `\`${name}\``).join(' or '),
  },
  ...commonKeys,
}

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
    include: read('include', keys.include) ?? [],
    requires: read('requires', keys.requires) ?? [],
    sideEffects: read('side-effects', keys['side-effects']) ?? false,
    watch: read('watch', keys.watch) ?? [],
    env: read('env', keys.env) ?? {},
    cwd: read('cwd', keys.cwd) ?? 'root',
    writes: read('writes', keys.writes) ?? [],
    settings: withoutUndefined<OwnSettings>({
      hardTimeoutMs: read('timeout', keys.timeout),
      silenceTimeoutMs: read('silence-timeout', keys['silence-timeout']),
      maxCostUsd: read('max-cost-usd', keys['max-cost-usd']),
      maxTokens: read('max-tokens', keys['max-tokens']),
      repeats: readRepeats(raw, report),
      afterFailure: read('after-failure', keys['after-failure']),
      replay: read('replay', keys.replay),
      reproduce: read('reproduce', keys.reproduce),
      baseUrl: read('base-url', keys['base-url']),
      ignoreHttpsErrors: read('ignore-https-errors', keys['ignore-https-errors']),
      mcpServers: read('mcp-servers', keys['mcp-servers']),
      allow: read('allow', keys.allow),
      network: read('network', keys.network),
      executor: read('executor', keys.executor),
      sandbox: read('sandbox', keys.sandbox),
      minAssurance: read('min-assurance', keys['min-assurance']),
    }),
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

function reportUnknownKeys(raw: RawFrontMatter, report: Report): void {
  const own = dialectNamed(raw.values.get('dialect'))
  for (const name of raw.values.keys()) {
    if (Object.hasOwn(keys, name) || (own !== undefined && isKeyOf(own, name))) continue
    const replaced = replacedSettings.get(name)
    const other = dialects.find((dialect) => isKeyOf(dialect, name))
    const known = Object.keys(keys).join(', ')
    const message =
      replaced !== undefined
        ? `\`${name}\` is no key of a spec any more. ${replaced}`
        : other === undefined
          ? `\`${name}\` is no key of a spec.${didYouMean(name, Object.keys(keys))} Known: ${known}. Keys of your own begin with \`x-\`.`
          : `\`${name}\` is a key of ${other.name}. Set \`dialect: ${other.name}\` as well, or take it out.`
    report('front-matter-unknown-key', raw.placeOf([name]), message)
  }
}

function isKeyOf({ keys: own, unsupportedKeys = [] }: Dialect, name: string): boolean {
  return Object.hasOwn(own, name) || unsupportedKeys.includes(name)
}

interface AgentCheck {
  readonly agentNames: readonly string[]
  readonly raw: RawFrontMatter
  readonly report: Report
}

/** Prose must not go to another agent than the one that was meant, nor to any where `None` meant none. */
function reportUnknownAgent(agent: string, { agentNames, raw, report }: AgentCheck): void {
  if (agentNames.includes(agent) || readAcpAgentName(agent) !== undefined) return
  const known = agentNames.map((name) => `\`${name}\``).join(', ')
  report(
    'unknown-agent',
    raw.placeOf(['agent']),
    `\`${agent}\` is no agent.${didYouMean(agent, agentNames)} Known: ${known}.`,
  )
}
