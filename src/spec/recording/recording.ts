import { basename, dirname, join } from 'node:path'
import { withoutSpecEnding } from '../../system/spec-endings.ts'
import type { Block, Place, SpecProblem } from '../spec.ts'

export interface RecordedStep extends Place {
  /** As the recording has it; it is found by its key. */
  readonly title: string
  readonly scenario?: string
  readonly key: string
  /** Stands for the blocks as they were recorded; absent where somebody wrote them by hand, and answers for them. */
  readonly seal?: string
  readonly by?: string
  readonly on?: string
  /** Never empty. Each holds the path of the recording. */
  readonly blocks: readonly Block[]
  readonly endLine: number
}

export interface Recording {
  readonly file: string
  readonly of?: string
  /** How its keys were made, where that is not how they are made now: they cannot be compared. */
  readonly otherKeys?: string
  readonly steps: readonly RecordedStep[]
}

export interface RecordingHeading {
  readonly line: number
  readonly title: string
  readonly isTop: boolean
}

/** How the problem of a recording with other keys begins. */
export const otherKeysAre = 'Its keys are of version'

export interface ParsedRecording {
  readonly recording: Recording
  readonly problems: readonly SpecProblem[]
  readonly headings: readonly RecordingHeading[]
}

/** Whether a recorded step stands where those of a scenario stand: below its heading, or below none if it is a step itself. */
export function isOfScenario(
  { scenario }: Pick<RecordedStep, 'scenario'>,
  { title, isStep }: { readonly title: string; readonly isStep: boolean },
): boolean {
  return scenario === (isStep ? undefined : title)
}

/** Files that are recordings by their names, and never specs, whatever `include` says. */
export const recordingsGlob = '**/*.recording.md'

export function isRecordingFile(file: string): boolean {
  return /\.recording\.md$/i.test(file)
}

/** Whether a file of such a name is one of ours, however damaged: users have others. An empty one is nobody's. */
export function isOwnRecording(text: string): boolean {
  // Also as UTF-16.
  return /^recording-of:|<!--\s*mdtest\s*:[^>]*\bkey=/m.test(text.replaceAll('\0', ''))
}

export function recordingFileOf(specFile: string): string {
  return `${withoutSpecEnding(specFile)}.recording.md`
}

/**
 * Why a recording cannot be that of a spec: it was written for another one that would have the same, `a.md` beside
 * `a.test.md`. What follows `It is`.
 *
 * @param isTaken whether anything stands at a path
 */
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
