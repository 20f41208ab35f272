import { relative } from 'node:path'
import type { TestAttachment, TestContext } from 'vitest'
import { plainLine } from '../shared/plain-text.ts'
import { formatSpent, sumUsage, type AgentUsage } from '../shared/agent-usage.ts'
import type { Rate } from '../run/rate-step.ts'
import type { SettledStep } from '../run/scenario-run.ts'
import { lineOf, stepsOf, type Scenario, type Spec, type SpecLine } from '../spec/spec.ts'
import type { Reason, Verdict } from '../verdict/verdict.ts'
import { StepFailure } from './failure.ts'
import { isTriedAgain } from './is-tried-again.ts'
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
  { verdict, logFile, logText, usage, rewritten, rate }: SettledStep,
  place: StepPlace,
): Promise<void> {
  const log = logFile === undefined ? undefined : relative(place.root, logFile)
  // Earlier tries of the same test were paid for, too.
  const usages = [context.task.meta.mdtest?.usage ?? [], usage ?? []].flat()
  const { outcome, assurance, reasons, expected } = verdict
  const meta: StepMeta = {
    outcome,
    reasons,
    ...(assurance && { assurance }),
    ...(log !== undefined && { log }),
    ...(usages.length > 0 && { usage: sumUsage(usages) }),
    ...(rate && { rate }),
    ...(expected && { expected }),
    ...(rewritten.length > 0 && { rewritten }),
    ...(outcome === 'pass' && triesOf(context.task) > 1 && { flaky: true as const }), // the type knows no `false`
  }
  context.task.meta.mdtest = meta
  if (!isTriedAgain(context.task, outcome)) await annotate(context, notesOn(meta, { context, logText }))
  if (outcome === 'pass') return
  if (outcome === 'skipped') return context.skip(reasons.map(describeReason).join('\n'))
  const step = stepsOf(place.scenario)[place.ordinal - 1]
  const [first] = reasons
  const heading = step ?? place.scenario
  throw new StepFailure(place.spec.file, {
    message: failureMessage(verdict, { log, rate }),
    places: [first?.line === undefined ? heading : lineOf({ ...first, line: first.line }), heading],
  })
}

/** One annotation of a test. */
type Note = readonly [type: string, message: string, attachment?: TestAttachment | undefined]

/** Reporters lose the note of a skip and never show `task.meta`, so what matters is annotated as well. */
export async function annotate(context: TestContext, notes: readonly Note[]): Promise<void> {
  // After its time limit a test takes no annotations; its failure says the rest.
  if (context.signal.aborted) return
  // With the test's own line on the stack each would be a notice on GitHub, which shows ten of them and drops the rest.
  await Promise.resolve()
  // In one line each, because TAP has them as comments. Together: each is a way to the main process and back.
  await Promise.all(
    notes.map(([type, message, attachment]) => context.annotate(plainLine(message), `mdtest:${type}`, attachment)),
  )
}

interface NoteContext {
  readonly context: TestContext
  readonly logText: string | undefined
}

function notesOn(
  { outcome, assurance, reasons, log, usage, rewritten, rate, expected = [], flaky }: StepMeta,
  { context, logText }: NoteContext,
): readonly Note[] {
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
    ...(log === undefined ? [] : [['log', log, logText === undefined ? undefined : attached(logText)] as const]),
    ...(usage ? [['usage', describeUsage(usage)] as const] : []),
    ...(rewritten ? [['rewritten', describeRewritten(rewritten)] as const] : []),
    ...(flaky ? [['flaky', `flaky: passed at try ${triesOf(context.task)}`] as const] : []),
  ]
}

/** In the text itself, because a path would be that of this machine in a merged report. */
function attached(body: string): TestAttachment {
  return { body, bodyEncoding: 'utf-8', contentType: 'text/markdown' }
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
