import { basename, dirname } from 'node:path'
import { pathIn } from '../../system/files/paths.ts'
import type { RecordingRefusal } from '../../records/recorded-reason.ts'
import { logPathsOf } from '../../records/folders/log-paths.ts'
import type { StepSource } from '../../records/step-source.ts'
import type { RecordedStep } from '../../records/verdict/verdict-record.ts'
import type { RecordingUpdate } from '../../spec/recording/update-recording.ts'
import type { MadeRecording, RunToRecord } from '../protocol/protocol.ts'

export interface NotedSources {
  readonly log: string
  readonly steps: readonly NotedStep[]
}

interface NotedStep {
  readonly title: string
  /** How many tests of the spec stand before its own. */
  readonly test: number
  readonly source: StepSource
}

interface MadeSteps extends Pick<MadeRecording, 'root' | 'runs'> {
  readonly written: RecordingUpdate['written']
}

/**
 * Writes into the verdicts on disk whose work was recorded, and whose was not and why: recordings are made once all
 * scenarios of a spec are over and have their verdicts.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when a verdict cannot be written.
 */
export async function noteSources({ root, runs, written }: MadeSteps): Promise<readonly NotedSources[]> {
  const told = runs.filter(({ refusals }) => refusals.length + written.length > 0)
  if (told.length === 0) return []
  // With the package that checks what is read: for runs that record.
  const { readVerdict, writeVerdict } = await import('../../records/verdict/verdict-file.ts')
  const noted: NotedSources[] = []
  for (const run of told) {
    const { log, refusals } = run
    const paths = logPathsOf(dirname(log), basename(log, '.log.md'))
    const reading = await readVerdict(paths.verdict, paths.ground)
    if (!reading.ok) continue
    const { record } = reading
    const first = record.steps.find(({ source }) => source !== undefined && source.kind !== 'replayed')
    const steps = record.steps.map((step) => {
      const key = run.steps[step.id]?.key
      const isWritten = key !== undefined && written.includes(key)
      const refusal =
        refusals.find((one) => isAbout(one, step, root)) ??
        // What holds for all of a scenario is told once.
        (step === first ? refusals.find((one) => one.step === record.scenario) : undefined)
      return withSource(step, { isWritten, refusal, root })
    })
    const changed = steps.filter((step, index) => step !== record.steps[index])
    if (changed.length === 0) continue
    writeVerdict(paths, { ...record, steps })
    noted.push({ log, steps: changed.flatMap((step) => notedStep(step, run)) })
  }
  return noted
}

function notedStep({ id, title, source }: RecordedStep, { steps }: RunToRecord): readonly NotedStep[] {
  const test = steps[id]?.test
  return source === undefined || test === undefined ? [] : [{ title, test, source }]
}

interface Recordability {
  readonly isWritten: boolean
  readonly refusal: RecordingRefusal | undefined
  readonly root: string
}

function withSource(step: RecordedStep, { isWritten, refusal, root }: Recordability): RecordedStep {
  const { source } = step
  if (source === undefined || source.kind === 'replayed') return step
  if (isWritten) return { ...step, source: { ...source, kind: 'recorded' } }
  if (refusal === undefined) return step
  const { code, message, line, file } = refusal
  const told = { code, message, line, ...(file !== undefined && { file: pathIn(root, file) }) }
  return { ...step, source: { ...source, refusal: told } }
}

function isAbout({ step: title, line, file }: RecordingRefusal, step: RecordedStep, root: string): boolean {
  const isSameFile = (file === undefined ? undefined : pathIn(root, file)) === step.file
  return title === step.title && isSameFile && line === step.line
}
