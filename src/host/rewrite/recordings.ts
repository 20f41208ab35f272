import { readFile } from 'node:fs/promises'
import type { RecordingRefusal } from '../../records/recording-refusal.ts'
import { formatRecording } from '../../spec/recording/format-recording.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import { recordingFileOf } from '../../spec/recording/recording.ts'
import { errorCode } from '../../system/error-facts.ts'
import { rewriteFile } from '../../system/files/write-file.ts'
import type { OwnWrites } from '../guard/own-writes.ts'
import type { MadeRecording } from '../protocol/protocol.ts'

/** What becomes of recordings outside of the worker that makes them. */
export interface Recordings {
  /** Which are written: none, those of scenarios that have none, or all. */
  mode(): 'none' | 'missing' | 'all'
  /** A recording was made, or could not be. */
  onKept(kept: KeptRecording): void
}

/** What became of the recording of one spec. */
export interface KeptRecording {
  readonly specFile: string
  /** Absolute path of the recording. */
  readonly file: string
  /** Texts; the same where nothing was to be written. */
  readonly before: string
  readonly after: string
  readonly isWritten: boolean
  /** Why scenarios were not recorded. */
  readonly refusals: readonly RecordingRefusal[]
}

/** For a host that records nothing. */
export const noRecordings: Recordings = { mode: () => 'none', onKept() {} }

/** Writes recordings beside their specs, whole or not at all. What is there stays where nothing better was made. */
export class RecordingWriter {
  readonly #recordings: Recordings
  readonly #ownWrites: OwnWrites
  #queue: Promise<unknown> = Promise.resolve()

  constructor(recordings: Recordings, ownWrites: OwnWrites) {
    this.#recordings = recordings
    this.#ownWrites = ownWrites
  }

  /** @throws what the system does, where the file cannot be read or written */
  keep(made: MadeRecording): Promise<void> {
    const kept = this.#queue.then(() => this.#keep(made))
    this.#queue = kept.catch(() => {})
    return kept
  }

  async #keep({ specFile, scenarios, refusals }: MadeRecording): Promise<void> {
    const mode = this.#recordings.mode()
    const file = recordingFileOf(specFile)
    const before = await readText(file)
    const known = new Set(parseRecording(before, file).recording.steps.map((step) => step.scenario ?? step.title))
    const wanted = scenarios.map(({ steps, ...scenario }) => {
      const isWanted = mode !== 'missing' || !known.has(scenario.title)
      return { ...scenario, ...(steps && isWanted && { steps }) }
    })
    const after = wanted.some(({ steps }) => steps !== undefined) ? formatRecording(specFile, wanted, before) : before
    const isWritten = mode !== 'none' && after !== before
    if (isWritten) {
      rewriteFile(file, after)
      this.#ownWrites.add(file, after)
    }
    this.#recordings.onKept({ specFile, file, before, after, isWritten, refusals })
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}
