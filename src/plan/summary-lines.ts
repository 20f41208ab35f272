import type { RunUsage } from '../host/agent-run/budget.ts'
import { formatSpent } from '../records/tokens-and-cost.ts'
import { assurances } from '../records/outcome.ts'
import { countSources, describeSources } from '../records/step-source.ts'
import { executorWord } from '../records/used-executor.ts'
import { plainLine } from '../system/text/plain-text.ts'
import { quoteWord } from '../system/text/shell-and-regex-quotes.ts'
import type { StepMeta } from './step-meta.ts'
import { counted, plural } from '../system/text/wording.ts'

export interface EndedStep {
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  readonly meta: StepMeta | undefined
}

export function summarizeRun(steps: readonly EndedStep[], usage: RunUsage): readonly string[] {
  return [
    ...agentsLine(usage),
    ...guardedLine(usage),
    ...stepsLine(steps),
    ...changeLines(steps),
    ...sourcesLine(steps),
    ...executorLine(steps),
    ...remarkLines(steps),
  ]
}

function guardedLine({ agents, guarded }: RunUsage): string[] {
  if (agents === 0 || guarded === undefined) return []
  const { count, cap } = guarded
  const beyond =
    cap === undefined
      ? ''
      : `; of files that git does not track, only the first ${formatCount(cap)}. Let git ignore files that are not part of the product.`
  return [`guarded: ${formatCount(count)} ${count === 1 ? 'file' : 'files'}${beyond}`]
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

function agentsLine({ scenarios, agents, withoutCost, guarded: _guarded, ...spent }: RunUsage): string[] {
  if (agents === 0) return []
  const starts = agents === scenarios ? [] : [`${agents} starts`]
  const parts = [plural(scenarios, 'scenario'), ...starts, formatSpent(spent)].join(', ')
  const isPartial = spent.costUsd !== undefined && withoutCost > 0
  return [
    `agents: ${parts}${isPartial ? ` (${agents - withoutCost} of ${plural(agents, 'agent')} say what they cost)` : ''}`,
  ]
}

function stepsLine(steps: readonly EndedStep[]): string[] {
  const green = steps.filter(({ state }) => state === 'passed')
  const passed = green.filter(({ meta }) => meta?.expected === undefined)
  const failed = steps.filter(({ state }) => state === 'failed')
  if (green.length + failed.length === 0) return []
  const blocked = failed.filter(({ meta }) => meta?.outcome === 'blocked').length
  const byAssurance = assurances
    .toReversed()
    .flatMap((assurance) => counted(passed.filter(({ meta }) => meta?.assurance === assurance).length, assurance))
  const backing = byAssurance.length === 0 ? '' : `: ${byAssurance.join(', ')}`
  const rest = [
    ...counted(green.length - passed.length, 'failed as expected'),
    ...counted(failed.length - blocked, 'failed'),
    ...counted(blocked, 'blocked'),
    ...counted(passed.filter(({ meta }) => meta?.flaky === true).length, 'flaky'),
  ]
  return [`steps: ${[`${passed.length} passed${backing}`, ...rest].join('; ')}`]
}

function changeLines(steps: readonly EndedStep[]): string[] {
  const names = new Set(steps.flatMap(({ meta }) => meta?.change ?? []))
  return [...names].toSorted().flatMap((name) => {
    const own = steps.filter(({ state, meta }) => meta?.change === name && isOver(state))
    const early = own.filter(({ state, meta }) => state === 'passed' && meta?.expected === undefined).length
    if (early === 0) return []
    const count = `${early} of ${plural(own.length, 'scenario')} ${own.length === 1 ? 'passes' : 'pass'} already`
    const plain = plainLine(name)
    return [`change ${plain}: ${count}; when all do, archive it: openspec archive ${quoteWord(plain)}`]
  })
}

function sourcesLine(steps: readonly EndedStep[]): string[] {
  const sources = steps.flatMap(({ state, meta }) => (isOver(state) && meta?.source) || [])
  const counts = describeSources(countSources(sources))
  return counts === undefined ? [] : [`steps: ${counts}`]
}

function executorLine(steps: readonly EndedStep[]): string[] {
  const words = steps.flatMap(({ state, meta }) => (isOver(state) && meta?.executor ? executorWord(meta.executor) : []))
  const parts = [...new Set(words)].map(
    (word) => `${plural(words.filter((one) => one === word).length, 'step')} by ${word}`,
  )
  const reasons = new Set(steps.flatMap(({ meta }) => meta?.whyItself ?? []))
  return [
    ...(parts.length === 0 ? [] : [`executor: ${parts.join('; ')}`]),
    ...[...reasons].map((why) => `executor: the agent itself. ${why}`),
  ]
}

function isOver(state: EndedStep['state']): boolean {
  return state === 'passed' || state === 'failed'
}

function remarkLines(steps: readonly EndedStep[]): string[] {
  const passes = steps.flatMap(({ state, meta }) => (state === 'passed' && meta) || [])
  const claimed = passes.filter(({ assurance }) => assurance === 'claimed').length
  const unproved = passes.filter((meta) => meta.unproved === true).length
  const [what, again] = unproved === 1 ? ['step is', 'it'] : ['steps are', 'them']
  const unreproduced = passes.filter((meta) => meta.unreproduced !== undefined).length
  const lines: readonly (readonly [number, string])[] = [
    [claimed, `claimed: ${plural(claimed, 'step')} passed on the agent's word alone. Add \`verify\` blocks.`],
    [
      unproved,
      `unproved: ${unproved} ${what} compared with nothing but what this run has written. Look at it and run ${again} again.`,
    ],
    [
      unreproduced,
      `not reproduced: ${plural(unreproduced, 'step')} passed, and could not be repeated without the agent.`,
    ],
  ]
  return lines.flatMap(([count, line]) => (count === 0 ? [] : [line]))
}
