import { basename, dirname, join } from 'node:path'
import { withoutSpecEnding } from '../../system/spec-endings.ts'
import type { Section } from '../sections/build-sections.ts'
import type { Block, Place, SpecProblem } from '../spec.ts'

export interface RecordedStep extends Place {
  /** Title in the recording. Steps of the spec are matched by `key`. */
  readonly title: string
  readonly scenario?: string
  readonly key: string
  /** Checksum of the blocks as they were recorded; absent if somebody wrote them by hand. */
  readonly seal?: string
  readonly by?: string
  readonly on?: string
  /** Never empty. The `file` of each block is the recording. */
  readonly blocks: readonly Block[]
  readonly endLine: number
}

export interface Recording {
  readonly file: string
  readonly of?: string
  /** Version of the keys, set only if it is not `keysVersion`. Keys of different versions cannot be compared. */
  readonly otherKeys?: string
  readonly steps: readonly RecordedStep[]
}

/** Start of the message about a recording whose keys have another version. */
export const otherKeysAre = 'Its keys are of version'

export interface ParsedRecording {
  readonly recording: Recording
  readonly problems: readonly SpecProblem[]
  /** Headings, the outermost with all below them. */
  readonly sections: readonly Section[]
}

/** Whether a recorded step belongs to a scenario. The step of a one-step scenario has no scenario heading above it. */
export function isOfScenario(
  { scenario }: Pick<RecordedStep, 'scenario'>,
  { title, isStep }: { readonly title: string; readonly isStep: boolean },
): boolean {
  return scenario === (isStep ? undefined : title)
}

/** Recordings are never specs, even if `include` matches them. */
export const recordingsGlob = '**/*.recording.md'

export function isRecordingFile(file: string): boolean {
  return /\.recording\.md$/i.test(file)
}

/** Whether a text is a recording, even a damaged one. The name of a file is no proof: users may choose it, too. */
export function isOwnRecording(text: string): boolean {
  // A recording in UTF-16 must match, too: remove its NUL bytes.
  return /^recording-of:|<!--\s*mdtest\s*:[^>]*\bkey=/m.test(text.replaceAll('\0', ''))
}

export function recordingFileOf(specFile: string): string {
  return `${withoutSpecEnding(specFile)}.recording.md`
}

/** If `a.md` already has the recording of `a.test.md`, returns the rest of a sentence that begins with `It is`. */
export function whyShared(
  { of }: Pick<Recording, 'of'>,
  specFile: string,
  isTaken: (path: string) => boolean,
): string | undefined {
  if (of === undefined || of === basename(specFile) || of !== basename(of)) return undefined
  const other = join(dirname(specFile), of)
  if (recordingFileOf(other) !== recordingFileOf(specFile) || !isTaken(other)) return undefined
  return `of \`${of}\`, and two specs cannot share one recording. Rename one of them.`
}
