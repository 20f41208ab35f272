export interface RecordedReason {
  readonly code: string
  readonly message: string
  /** What did not fit of a recording, in a word or two: `output changed`. */
  readonly cause?: string
  readonly line?: number
  readonly file?: string
}

/**
 * Why a step is not recorded. `NOT_ELIGIBLE`: the run is none to record. `NEEDS_THE_MODEL`: something in it only an agent
 * can do. `NOT_REPRODUCED`: without the agent something else comes of it. `VACUOUS`: it would pass whatever the product
 * does. `UNCLEAN`: it would hold a secret or a path of this machine.
 */
export type RefusalCode = 'NOT_ELIGIBLE' | 'NEEDS_THE_MODEL' | 'NOT_REPRODUCED' | 'VACUOUS' | 'UNCLEAN'

export interface RecordingRefusal {
  readonly line: number
  readonly file?: string
  readonly code: RefusalCode
  readonly step: string
  /** What was found and what to do, one to three sentences. */
  readonly message: string
  /** It could have been recorded, but for another step of its scenario: `code` is that one's. */
  readonly isKeptBack?: true
}

export type StepRecorded = Pick<RecordingRefusal, 'line' | 'file' | 'step'>
