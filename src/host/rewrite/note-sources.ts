import { basename, dirname } from 'node:path'
import { pathIn } from '../../system/files/path-in.ts'
import type { RecordingRefusal } from '../../records/recording-refusal.ts'
import { logPathsOf } from '../../records/folders/log-paths.ts'
import type { StepSource } from '../../records/step-source.ts'
import type { RecordedStep } from '../../records/verdict/verdict-record.ts'
import type { RecordingUpdate } from '../../spec/recording/update-recording.ts'
import type { MadeRecording } from '../protocol/protocol.ts'

/** What became known of the steps of a scenario when their recording was made. */
export interface NotedSources {
  /** Absolute path of the scenario's result log. */
  readonly log: string
  readonly steps: readonly { readonly title: string; readonly source: StepSource }[]
}

interface MadeSteps extends Pick<MadeRecording, 'root' | 'logs' | 'refusals'> {
  /** Steps that were written. */
  readonly written: RecordingUpdate['written']
}

/**
 * Writes into the verdicts on disk whose work was recorded, and whose was not and why: recordings are made once all
 * scenarios of a spec are over and have their verdicts.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when a verdict cannot be written.
 */
export async function noteSources({ root, logs, refusals, written }: MadeSteps): Promise<readonly NotedSources[]> {
  if (logs.length === 0 || refusals.length + written.length === 0) return []
  // With the package that checks what is read: for runs that record.
  const { readVerdict, writeVerdict } = await import('../../records/verdict/verdict-file.ts')
  const noted: NotedSources[] = []
  for (const log of logs) {
    const paths = logPathsOf(dirname(log), basename(log, '.log.md'))
    const reading = await readVerdict(paths.verdict, paths.ground)
    if (!reading.ok) continue
    const { record } = reading
    const first = record.steps.find(({ source }) => source !== undefined && source.kind !== 'replayed')
    const steps = record.steps.map((step) => {
      const isWritten = written.some(({ scenario, title }) => scenario === record.scenario && title === step.title)
      const refusal =
        refusals.find((one) => isAbout(one, step, root)) ??
        // What holds for all of a scenario is told once.
        (step === first ? refusals.find((one) => one.step === record.scenario) : undefined)
      return withSource(step, { isWritten, refusal, root })
    })
    const changed = steps.filter((step, index) => step !== record.steps[index])
    if (changed.length === 0) continue
    writeVerdict(paths, { ...record, steps })
    noted.push({ log, steps: changed.flatMap(({ title, source }) => (source ? [{ title, source }] : [])) })
  }
  return noted
}

interface Made {
  readonly isWritten: boolean
  readonly refusal: RecordingRefusal | undefined
  readonly root: string
}

/** The same step, where nothing became known of it. */
function withSource(step: RecordedStep, { isWritten, refusal, root }: Made): RecordedStep {
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
