import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RecordingRefusal, StepRecorded } from '../../records/recorded-reason.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import { isOwnRecording, recordingFileOf, whyShared, type RecordedStep } from '../../spec/recording/recording.ts'
import type { SpecProblem } from '../../spec/spec.ts'
import { updateRecording, type RecordingUpdate } from '../../spec/recording/update-recording.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { rewriteFile } from '../../system/files/write-file.ts'
import type { OwnWrites } from '../guard/left-changes.ts'
import type { MadeRecording } from '../protocol/protocol.ts'
import { noteSources, type NotedSources } from './note-sources.ts'
import { describeUnwritable, refusals as unwritable } from './update-refusals.ts'
import { isInside, isTaken } from '../../system/files/paths.ts'

/** What becomes of recordings outside of the worker that makes them. */
export interface Recordings {
  /** Which steps are written: none, those that a recording does not have, or all. */
  mode(): 'none' | 'missing' | 'all'
  onKept(kept: KeptRecording): void
}

export interface KeptRecording extends Omit<RecordingUpdate, 'text' | 'obsolete' | 'written'> {
  readonly specFile: string
  readonly file: string
  /** Texts; the same where nothing was to be written. */
  readonly before: string
  readonly after: string
  readonly isWritten: boolean
  readonly isCleaned: boolean
  /** Steps that no step of the spec has any more, with their lines in `before`. */
  readonly obsolete: readonly Pick<RecordedStep, 'title' | 'line'>[]
  readonly refusals: readonly RecordingRefusal[]
  /** What the verdicts on disk say of it from now on. */
  readonly sources: readonly NotedSources[]
  /** Why nothing can be written into this file, with a way out. */
  readonly problem?: string
  readonly recorded: readonly StepRecorded[]
}

export const noRecordings: Recordings = { mode: () => 'none', onKept() {} }

/** Writes recordings beside their specs, whole or not at all. What is there stays where nothing better was made. */
export class RecordingWriter {
  readonly #recordings: Recordings
  readonly #ownWrites: OwnWrites

  constructor(recordings: Recordings, ownWrites: OwnWrites) {
    this.#recordings = recordings
    this.#ownWrites = ownWrites
  }

  /** @throws MdtestError `LOG_UNWRITABLE` when a verdict cannot be told of it */
  async keep(made: MadeRecording): Promise<void> {
    const file = recordingFileOf(made.specFile)
    const { written, ...kept } = this.#keep(made, file)
    const sources = await noteSources({ ...made, written: kept.isWritten ? written : [] })
    this.#recordings.onKept({ ...kept, sources })
  }

  /** In one go: nobody else writes between what is read here and what is written. */
  #keep(made: MadeRecording, file: string): Omit<KeptRecording, 'sources'> & Pick<RecordingUpdate, 'written'> {
    const { specFile, recorded, refusals } = made
    const mode = this.#recordings.mode()
    const proposed = propose(made, { file, mode })
    const { problem, before, after } = proposed
    const isNew = mode !== 'none' && problem === undefined && after !== before
    const failure = isNew ? this.#write(file, after) : undefined
    const isWritten = isNew && failure === undefined
    return {
      specFile,
      file,
      recorded,
      refusals,
      ...proposed,
      isWritten,
      isCleaned: isWritten && mode === 'all',
      ...(failure !== undefined && { problem: failure }),
    }
  }

  #write(file: string, text: string): string | undefined {
    const refused = existsSync(file) ? describeUnwritable(file) : undefined
    if (refused !== undefined) return refused
    // First: whoever sees the change asks whose it is.
    this.#ownWrites.add(file, text)
    try {
      rewriteFile(file, text)
      return undefined
    } catch (error: unknown) {
      return unwritable.failed(error)
    }
  }
}

interface ProposalContext {
  readonly file: string
  readonly mode: ReturnType<Recordings['mode']>
}

type AddedLater = 'specFile' | 'file' | 'recorded' | 'refusals' | 'sources' | 'isWritten' | 'isCleaned'
type Proposal = Omit<KeptRecording, AddedLater> & Pick<RecordingUpdate, 'written'>

function propose(made: MadeRecording, { file, mode }: ProposalContext): Proposal {
  const { specFile, root, scenarios, isWhole } = made
  const unchanged = (before: string, problem?: string): Proposal => {
    const nothing = { added: 0, updated: 0, written: [], obsolete: [], heldBack: [] }
    return { before, after: before, ...nothing, ...(problem !== undefined && { problem }) }
  }
  const found = readBeside(file, root)
  if ('problem' in found) return unchanged('', found.problem)
  const { bytes } = found
  const text = bytes.toString('utf8')
  const { recording, problems } = parseRecording(bytes, file)
  const shared = whyShared(recording, specFile, isTaken)
  if (shared !== undefined) return unchanged(text, `it is ${shared}`)
  if (text.trim() !== '' && !isOwnRecording(text)) return unchanged(text, foreign)
  // What is damaged gives way to a new file where all of the spec was recorded.
  const isReplaced = isWhole && mode !== 'missing' && scenarios.every(({ known, steps }) => known.length === 0 || steps)
  const bases = [...(problems.length === 0 ? [text] : []), ...(isReplaced ? [''] : [])]
  const request = { specFile, scenarios, isWhole, mode: mode === 'missing' ? mode : ('all' as const) } // a literal mode
  const updates = bases.map((base) => updateRecording(base, request))
  const update = updates.find((one) => parseRecording(one.text, file).problems.length === 0)
  if (update === undefined) return unchanged(text, problems[0] ? describeProblem(problems[0]) : unreadable)
  const { text: after, ...counts } = update
  return { ...counts, before: text, after }
}

const foreign = 'it is no recording, but has the name of one. Rename it, or the spec.'

function describeProblem({ line, message }: SpecProblem): string {
  return `it has a problem on line ${line} (${message}). Mend it, or delete it and record all of the spec.`
}

const unreadable = 'what would stand there could not be read again. The agent has to do it each time.'

/** What stands there; nothing where there is no file. Never read through a link that leads out of the root. */
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
    return { problem: `it cannot be read: ${describeFileError(error)}. Remove what stands there.` }
  }
}

const outside = 'it would be outside of the suite root, where a link leads. Put a file in the place of the link.'
