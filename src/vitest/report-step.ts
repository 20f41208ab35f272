import { relative } from 'node:path'
import type { TestContext } from 'vitest'
import { formatSpent, type AgentUsage } from '../shared/agent-usage.ts'
import type { SettledStep } from '../run/scenario-run.ts'
import { stepsOf, type Scenario, type Spec } from '../spec/spec.ts'
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
  { verdict, logFile, usage }: SettledStep,
  place: StepPlace,
): Promise<void> {
  const log = logFile === undefined ? undefined : relative(place.root, logFile)
  const { outcome, assurance, reasons } = verdict
  const tries = 1 + (context.task.result?.retryCount ?? 0)
  const meta: StepMeta = {
    outcome,
    reasons,
    ...(assurance && { assurance }),
    ...(log !== undefined && { log }),
    ...(usage && { usage }),
    ...(outcome === 'pass' && tries > 1 && { flaky: true as const }), // the type knows no `false`
  }
  context.task.meta.mdtest = meta
  await annotate(context, verdict, meta)
  if (meta.flaky && !context.signal.aborted) await context.annotate(`flaky: passed at try ${tries}`, 'mdtest:flaky')
  if (outcome === 'pass') return
  if (outcome === 'skipped') return context.skip(reasons.map(describeReason).join('\n'))
  const step = stepsOf(place.scenario)[place.ordinal - 1]
  const [first] = reasons
  const heading = step?.line ?? place.scenario.line
  throw new StepFailure(place.spec.file, {
    message: failureMessage(verdict, log),
    lines: [first?.line ?? heading, heading],
    code: first?.code,
  })
}

/** Reporters lose the note of a skip and never show `task.meta`, so what matters is annotated as well. */
async function annotate(
  context: TestContext,
  { outcome, assurance, reasons }: Verdict,
  { log, usage }: StepMeta,
): Promise<void> {
  // After its time limit a test takes no annotations; its failure says the rest.
  if (context.signal.aborted) return
  if (outcome !== 'pass' || log !== undefined) await context.annotate(outcome, 'mdtest:outcome')
  if (outcome === 'pass' && assurance === 'claimed') {
    await context.annotate('claimed: the agent says so and nothing else backs it', 'mdtest:assurance')
  } else if (outcome === 'pass' && log !== undefined) {
    await context.annotate(assurance ?? '', 'mdtest:assurance')
  }
  for (const { code } of reasons) await context.annotate(code, 'mdtest:reason')
  if (log !== undefined) await context.annotate(log, 'mdtest:log')
  if (usage) await context.annotate(describeUsage(usage), 'mdtest:usage')
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

function failureMessage({ outcome, reasons }: Verdict, log: string | undefined): string {
  const head = outcome === 'blocked' ? 'blocked: ' : ''
  const tail = log === undefined ? [] : [`Log: ${log}`]
  return `${head}${[...reasons.map(describeReason), ...tail].join('\n')}`
}

function describeReason({ code, message }: Reason): string {
  return `${code}: ${message}`
}
