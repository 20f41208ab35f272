import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RecordingRefusal, StepRecorded } from '../../records/recorded-reason.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import { isOwnRecording, recordingFileOf, whyShared, type RecordedStep } from '../../spec/recording/recording.ts'
import type { SpecProblem } from '../../spec/spec.ts'
import { isRecordedAnew, updateRecording, type RecordingUpdate } from '../../spec/recording/update-recording.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import type { OwnWrites } from '../guard/source-watch.ts'
import type { MadeRecording } from '../protocol/protocol.ts'
import { describeUnwritable, rewriteOwn } from './update-refusals.ts'
import { isInside, isTaken } from '../../system/files/paths.ts'

export interface Recordings {
  mode(): 'none' | 'missing' | 'all'
  onKept(kept: KeptRecording): void
}

export interface KeptRecording extends Omit<RecordingUpdate, 'text' | 'obsolete'> {
  readonly specFile: string
  readonly file: string
  readonly before: string
  readonly after: string
  readonly isWritten: boolean
  readonly isCleaned: boolean
  readonly obsolete: readonly Pick<RecordedStep, 'title' | 'line'>[]
  readonly refusals: readonly RecordingRefusal[]
  readonly problem?: string
  readonly recorded: readonly StepRecorded[]
}

/** Updates a spec's recording, completely or not at all. Synchronous, so that nothing else writes in between. */
export function keepRecording(made: MadeRecording, recordings: Recordings, ownWrites: OwnWrites): void {
  const { specFile, recorded, refusals } = made
  const file = recordingFileOf(specFile)
  const mode = recordings.mode()
  const proposed = propose(made, file, mode)
  const { problem, before, after } = proposed
  const isNew = mode !== 'none' && problem === undefined && after !== before
  const unwritable = isNew && existsSync(file) ? describeUnwritable(file) : undefined
  const failure = unwritable ?? (isNew ? rewriteOwn(file, after, ownWrites) : undefined)
  const isWritten = isNew && failure === undefined
  const isCleaned = isWritten && mode === 'all'
  const failed = failure !== undefined && { problem: failure }
  recordings.onKept({ specFile, file, recorded, refusals, ...proposed, isWritten, isCleaned, ...failed })
}

type Proposal = Omit<KeptRecording, 'specFile' | 'file' | 'recorded' | 'refusals' | 'isWritten' | 'isCleaned'>

function propose(made: MadeRecording, file: string, mode: ReturnType<Recordings['mode']>): Proposal {
  const { specFile, root, scenarios, isWhole } = made
  const none = { added: 0, updated: 0, obsolete: [], heldBack: [] }
  const unchanged = (before: string, problem: string): Proposal => ({ ...none, before, after: before, problem })
  const found = readBeside(file, root)
  if ('problem' in found) return unchanged('', found.problem)
  const { bytes } = found
  const text = bytes.toString('utf8')
  const { recording, problems } = parseRecording(bytes, file)
  const shared = whyShared(recording, specFile, isTaken)
  if (shared !== undefined) return unchanged(text, `it is ${shared}`)
  if (text.trim() !== '' && !isOwnRecording(text)) return unchanged(text, foreign)
  // A damaged recording is replaced only if the whole spec was recorded anew.
  const request = { specFile, scenarios, isWhole, mode: mode === 'missing' ? mode : ('all' as const) }
  const bases = [...(problems.length === 0 ? [text] : []), ...(isRecordedAnew(request) ? [''] : [])]
  const updates = bases.map((base) => updateRecording(base, request))
  const update = updates.find((one) => parseRecording(one.text, file).problems.length === 0)
  if (update === undefined) return unchanged(text, problems[0] ? describeProblem(problems[0]) : unreadable)
  const { text: after, ...counts } = update
  return { ...counts, before: text, after }
}

const foreign = 'it is no recording, but has the name of one. Rename it, or the spec.'

function describeProblem({ line, message }: SpecProblem): string {
  return `it has a problem on line ${line} (${message}). Correct it, or delete it and record the whole spec.`
}

const unreadable = 'what would stand there could not be read again. The agent has to do it each time.'

/** Content of the file; empty if there is none. Never follows a link out of the root. */
function readBeside(file: string, root: string): { readonly bytes: Buffer } | { readonly problem: string } {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false })
    const folder = realpathSync(dirname(file))
    const top = realpathSync(root)
    if (!isInside(folder, top)) return { problem: outside }
    if (stats === undefined) return { bytes: Buffer.alloc(0) }
    if (stats.isSymbolicLink() && !isInside(realpathSync(file), top)) return { problem: outside }
    return { bytes: readFileSync(file) }
  } catch (error: unknown) {
    return { problem: `it cannot be read: ${describeFileError(error)}. Remove whatever is there.` }
  }
}

const outside = 'it would be outside of the suite root, because of a link. Replace the link by a file.'
