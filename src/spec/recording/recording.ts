import type { Block, Place, SpecProblem } from '../spec.ts'

/** What an agent did for one step, as blocks that mdtest runs in its place. */
export interface RecordedStep extends Place {
  /** As the recording has it; it is found by its key. */
  readonly title: string
  /** The heading above it, where there is one. */
  readonly scenario?: string
  /** What the step said when it was recorded: `keysOf`. */
  readonly key: string
  /** Program and version of the agent. For readers. */
  readonly by?: string
  /** Day of the recording, `YYYY-MM-DD`. For readers. */
  readonly on?: string
  /** Never empty. Each holds the path of the recording. */
  readonly blocks: readonly Block[]
  /** Last line with content. */
  readonly endLine: number
}

/** An `X.recording.md`. */
export interface Recording {
  /** Absolute path. */
  readonly file: string
  /** In the order of the file. */
  readonly steps: readonly RecordedStep[]
}

/** The recording as far as it could be read, and every problem found, in file order. */
export interface ParsedRecording {
  readonly recording: Recording
  readonly problems: readonly SpecProblem[]
}

/** Where the recording of a spec stands: beside it. */
export function recordingFileOf(specFile: string): string {
  return specFile.replace(/(?:\.test)?\.md$/i, '.recording.md')
}
