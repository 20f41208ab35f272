import { relative } from 'node:path'
import type { TestContext } from 'vitest'
import { formatSpent, type AgentUsage } from '../shared/agent-usage.ts'
import type { SettledStep } from '../run/scenario-run.ts'
import type { Scenario, Spec, SpecLine } from '../spec/spec.ts'
import { describeFailure, describeRate, describeReason } from '../suite/describe-failure.ts'
import { StepFailure } from '../suite/failure.ts'
import type { StepMeta } from '../suite/step-meta.ts'
import { stepMetaOf } from '../suite/step-meta-of.ts'
import type {} from './provided.ts'

/** Which step of which spec. */
export interface StepPlace {
  readonly spec: Spec
  readonly scenario: Scenario
  readonly ordinal: number
  readonly root: string
}

/** Turns a settled step into the result of its Vitest test: meta, annotations, skip or failure. */
export async function reportStep(context: TestContext, settled: SettledStep, place: StepPlace): Promise<void> {
  const { logFile, rate } = settled
  const log = logFile === undefined ? undefined : relative(place.root, logFile)
  const { outcome, reasons } = settled.verdict
  const meta = stepMetaOf(settled, { log, tries: triesOf(context.task) })
  context.task.meta.mdtest = meta
  await annotate(context, meta)
  if (outcome === 'pass') return
  if (outcome === 'skipped') return context.skip(reasons.map(describeReason).join('\n'))
  throw new StepFailure(place.spec.file, describeFailure(settled.verdict, { ...place, log, rate }))
}

/** Reporters lose the note of a skip and never show `task.meta`, so what matters is annotated as well. */
async function annotate(context: TestContext, meta: StepMeta): Promise<void> {
  // After its time limit a test takes no annotations; its failure says the rest.
  if (context.signal.aborted) return
  // Together: each is a way to the main process and back.
  await Promise.all(notesOn(meta, context).map(([type, message]) => context.annotate(message, `mdtest:${type}`)))
}

function notesOn(
  { outcome, assurance, reasons, log, usage, rewritten, rate, expected = [], flaky }: StepMeta,
  { task }: TestContext,
): readonly (readonly [type: string, message: string])[] {
  const isPass = outcome === 'pass'
  return [
    ...(!isPass || log !== undefined ? [['outcome', outcome] as const] : []),
    ...(isPass && (log !== undefined || assurance === 'claimed')
      ? [['assurance', describeAssurance(assurance)] as const]
      : []),
    ...reasons.map(({ code }) => ['reason', code] as const),
    // JUnit loses the note of a skip.
    ...(outcome === 'skipped' ? reasons.map(({ message }) => ['skip', message] as const) : []),
    ...(rate ? [['rate', describeRate(rate)] as const] : []),
    ...expected.map((reason) => ['fails', `failed as expected: ${describeReason(reason)}`] as const),
    ...(log === undefined ? [] : [['log', log] as const]),
    ...(usage ? [['usage', describeUsage(usage)] as const] : []),
    ...(rewritten ? [['rewritten', describeRewritten(rewritten)] as const] : []),
    ...(flaky ? [['flaky', `flaky: passed at try ${triesOf(task)}`] as const] : []),
  ]
}

function describeRewritten(rewritten: readonly SpecLine[]): string {
  const places = rewritten.map(({ line, file }) => (file === undefined ? `line ${line}` : `${file}:${line}`))
  return `accepted what came as expected output: ${places.join(', ')}`
}

function describeAssurance(assurance: StepMeta['assurance']): string {
  return assurance === 'claimed' ? 'claimed: the agent says so and nothing else backs it' : (assurance ?? '')
}

function triesOf({ result }: TestContext['task']): number {
  return 1 + (result?.retryCount ?? 0)
}

function describeUsage({ turns, model, durationMs, ...spent }: AgentUsage): string {
  const parts = [
    formatSpent(spent),
    ...(turns === undefined ? [] : [`${turns} turns`]),
    `${(durationMs / 1000).toFixed(1)} s`,
    ...(model === undefined ? [] : [model]),
  ]
  return parts.join(', ')
}
