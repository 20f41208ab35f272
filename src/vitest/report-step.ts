import { relative } from 'node:path'
import type { TestContext } from 'vitest'
import { formatSpent, type AgentUsage } from '../shared/agent-usage.ts'
import type { Rate } from '../run/rate-step.ts'
import type { SettledStep } from '../run/scenario-run.ts'
import { lineOf, stepsOf, type Scenario, type Spec, type SpecLine } from '../spec/spec.ts'
import type { Reason, Verdict } from '../verdict/verdict.ts'
import { StepFailure } from './failure.ts'
import type { StepMeta } from './provided.ts'

/** Which step of which spec. */
export interface StepPlace {
  readonly spec: Spec
  readonly scenario: Scenario
  readonly ordinal: number
  readonly root: string
}

/** Turns a settled step into the result of its Vitest test: meta, annotations, skip or failure. */
export async function reportStep(
  context: TestContext,
  { verdict, logFile, usage, rewritten, rate }: SettledStep,
  place: StepPlace,
): Promise<void> {
  const log = logFile === undefined ? undefined : relative(place.root, logFile)
  const { outcome, assurance, reasons, expected } = verdict
  const meta: StepMeta = {
    outcome,
    reasons,
    ...(assurance && { assurance }),
    ...(log !== undefined && { log }),
    ...(usage && { usage }),
    ...(rate && { rate }),
    ...(expected && { expected }),
    ...(rewritten.length > 0 && { rewritten }),
    ...(outcome === 'pass' && triesOf(context.task) > 1 && { flaky: true as const }), // the type knows no `false`
  }
  context.task.meta.mdtest = meta
  await annotate(context, meta)
  if (outcome === 'pass') return
  if (outcome === 'skipped') return context.skip(reasons.map(describeReason).join('\n'))
  const step = stepsOf(place.scenario)[place.ordinal - 1]
  const [first] = reasons
  const heading = step ?? place.scenario
  throw new StepFailure(place.spec.file, {
    message: failureMessage(verdict, { log, rate }),
    places: [first?.line === undefined ? heading : lineOf({ ...first, line: first.line }), heading],
    code: first?.code,
  })
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

function failureMessage(
  { outcome, reasons }: Verdict,
  { log, rate }: { readonly log: string | undefined; readonly rate: Rate | undefined },
): string {
  const head = `${outcome === 'blocked' ? 'blocked: ' : ''}${rate ? `${describeRate(rate)}\n` : ''}`
  const tail = log === undefined ? [] : [`Log: ${log}`]
  return `${head}${[...reasons.map(describeReason), ...tail].join('\n')}`
}

function describeRate({ passed, runs, required }: Rate): string {
  return `passed in ${passed} of ${runs} runs, ${required} required`
}

function describeReason({ code, message }: Reason): string {
  return `${code}: ${message}`
}
