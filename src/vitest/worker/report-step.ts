import { basename, join, relative } from 'node:path'
import type { TestAttachment, TestContext, RunnerTestCase } from 'vitest'
import { groundAt } from '../../system/files/trusted-folder.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { countedUsage, formatSpent, type ToldUsage } from '../../records/tokens-and-cost.ts'
import type { SettledStep } from '../../scenario/settled-step.ts'
import type { Spec } from '../../spec/spec.ts'
import { describeFailure, describeRate, describeReason, StepFailure } from '../../plan/describe-failure.ts'
import type { StepAddress } from '../../plan/describe-failure.ts'
import type { RecordedReason } from '../../records/recorded-reason.ts'
import { describeMisfit, sourceWord } from '../../records/step-source.ts'
import { executorWord } from '../../records/used-executor.ts'
import type { StepMeta } from '../../plan/step-meta.ts'
import { stepMetaOf } from '../../plan/build-step-meta.ts'
import type { Outcome } from '../../records/outcome.ts'
import { nameLog } from '../../records/folders/log-file.ts'

export interface StepPlace extends StepAddress {
  readonly spec: Spec
  readonly root: string
}

export async function reportStep(context: TestContext, settled: SettledStep, place: StepPlace): Promise<void> {
  const { logFile, logText, rate } = settled
  const log = logFile === undefined ? undefined : relative(place.root, logFile)
  const namedLog = nameLog(logFile, place.root)
  const { outcome, reasons } = settled.verdict
  const spent = context.task.meta.mdtest?.usage
  const meta = stepMetaOf(settled, { log, tries: triesOf(context.task), ...(spent && { spent }) })
  context.task.meta.mdtest = meta
  if (!isTriedAgain(context.task, outcome)) {
    const notes = notesOn(meta, { context, root: place.root, log: namedLog, logText })
    await annotate(context, [...notes, ...screenshots(settled.images)])
  }
  if (outcome === 'pass') return
  if (outcome === 'skipped') return context.skip(reasons.map(describeReason).join('\n'))
  throw new StepFailure(
    place.spec.file,
    describeFailure(settled.verdict, { ...place, log: namedLog, rate, source: settled.source }),
  )
}

type Note = readonly [type: string, message: string | undefined, attachment?: TestAttachment | undefined]

/** Adds annotations, because reporters drop the note of a skip and never show `task.meta`. */
export async function annotate(context: TestContext, notes: readonly Note[]): Promise<void> {
  // A test that timed out accepts no annotations. Its failure contains the data.
  if (context.signal.aborted) return
  // Annotations after an `await` have no line. GitHub shows each annotation with a line as a notice, but at most ten.
  await Promise.resolve()
  // Send all annotations at once, because each is a call to the main process. TAP needs a single line for each.
  await Promise.all(
    notes.flatMap(([type, message, attachment]) =>
      message === undefined ? [] : context.annotate(plainLine(message), `mdtest:${type}`, attachment),
    ),
  )
}

interface NoteContext {
  readonly context: TestContext
  readonly root: string
  readonly log: string | undefined
  readonly logText: string | undefined
}

function notesOn(meta: StepMeta, { context, root, log: namedLog, logText }: NoteContext): readonly Note[] {
  const { outcome, assurance, source, executor, reasons, usage, rewritten, rate, expected = [], change } = meta
  const isPass = outcome === 'pass'
  const isEarly = isPass && change !== undefined && expected.length === 0
  const places = rewritten?.map(({ line, file }) => (file === undefined ? `line ${line}` : `${file}:${line}`)) ?? []
  // Attach the text instead of the path, because a report may be merged on another machine.
  const attached: TestAttachment | undefined =
    logText === undefined ? undefined : { body: logText, bodyEncoding: 'utf-8', contentType: 'text/markdown' }
  return [
    ['outcome', isPass && meta.log === undefined ? undefined : outcome],
    ['assurance', isPass ? assurance : undefined],
    ['claimed', isPass && assurance === 'claimed' ? 'the agent says so and nothing else backs it' : undefined],
    ['source', source && sourceWord(source)],
    ['executor', executor && executorWord(executor)],
    ['handed-over', source?.reason && describeMisfit(withPath(source.reason, root))],
    ...reasons.map(({ code }): Note => ['reason', code]),
    // The JUnit reporter drops the note of a skip, but shows annotations.
    ...(outcome === 'skipped' ? reasons.map(({ message }): Note => ['skip', message]) : []),
    ['rate', rate && describeRate(rate)],
    ...expected.map((reason): Note => ['fails', `failed as expected: ${describeReason(reason)}`]),
    ['change', change],
    ['early', isEarly ? `passes already, before the change ${change} is archived` : undefined],
    ['log', namedLog, attached],
    ['usage', usage && describeUsage(usage)],
    ['rewritten', rewritten && `accepted the actual output as expected output: ${places.join(', ')}`],
    ['unreproduced', meta.unreproduced && describeReason(meta.unreproduced)],
    ['unproved', meta.unproved && 'nothing was verified: all that it is compared with was written by this run'],
    ['flaky', meta.flaky && `flaky: passed at try ${triesOf(context.task)}`],
  ]
}

function withPath({ file, ...reason }: RecordedReason, root: string): RecordedReason {
  return file === undefined ? reason : { ...reason, file: relative(root, file) }
}

/** Attaches screenshots. Ignores missing files, because the verdict does not depend on screenshots. */
function screenshots(files: readonly string[] = []): readonly Note[] {
  return files.flatMap((file): readonly Note[] => {
    // A link may replace neither the evidence folder nor the log folder, so check from the folder above.
    const read = readFileIn(groundAt(join(file, '../../..')), file, maxScreenshotBytes)
    if (!read.ok) return []
    const body = read.bytes.toString('base64')
    return [['screenshot', basename(file), { body, bodyEncoding: 'base64', contentType: 'image/jpeg' }]]
  })
}

const maxScreenshotBytes = 20 * 1024 * 1024

function triesOf({ result }: TestContext['task']): number {
  return 1 + (result?.retryCount ?? 0)
}

function describeUsage(usage: ToldUsage): string {
  const { turns, model, durationMs, ...spent } = countedUsage(usage)
  const parts = [
    formatSpent(spent),
    ...(turns === undefined ? [] : [`${turns} turns`]),
    `${(durationMs / 1000).toFixed(1)} s`,
    ...(model === undefined ? [] : [model]),
  ]
  return parts.join(', ')
}

/** Whether Vitest will retry the test. Returns false if the user set a condition, because its result is unknown. */
function isTriedAgain({ retry, result }: Pick<RunnerTestCase, 'retry' | 'result'>, outcome: Outcome): boolean {
  if (outcome === 'pass' || outcome === 'skipped') return false
  const { count = 0, condition } = typeof retry === 'object' ? retry : { count: retry }
  return condition === undefined && (result?.retryCount ?? 0) < count
}
