import { countedUsage, sumUsage, toldUsage, type AgentUsage, type ToldUsage } from '../records/tokens-and-cost.ts'
import type { SettledStep } from '../scenario/settled-step.ts'
import { withoutUndefined } from '../system/without-undefined.ts'
import type { StepMeta } from './step-meta.ts'

interface StepDetails {
  /** Path of the result log, relative to the root. */
  readonly log: string | undefined
  readonly tries: number
  /** Usage of earlier tries of the same test. */
  readonly spent?: ToldUsage
}

export function stepMetaOf(
  { verdict, usage, rewritten, rate, source }: SettledStep,
  { log, tries, spent }: StepDetails,
): StepMeta {
  const { outcome, assurance, isUnproved, reasons, expected, change, unreproduced, executor, whyItself } = verdict
  const usages: readonly AgentUsage[] = [spent ? countedUsage(spent) : [], usage ?? []].flat()
  return {
    outcome,
    reasons,
    ...withoutUndefined({ assurance, source, executor, whyItself, log, rate, expected, change, unreproduced }),
    ...(usages.length > 0 && { usage: toldUsage(sumUsage(usages)) }),
    ...(rewritten.length > 0 && { rewritten }),
    ...(isUnproved && { unproved: isUnproved }),
    ...(outcome === 'pass' && tries > 1 && { flaky: true as const }), // the type knows no `false`
  }
}
