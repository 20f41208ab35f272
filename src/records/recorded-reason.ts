export interface RecordedReason {
  readonly code: string
  readonly message: string
  /** One or two words for what did not match a recording, such as `output changed`. */
  readonly cause?: string
  readonly line?: number
  readonly file?: string
}

/**
 * Why a step is not recorded. `NOT_ELIGIBLE`: this kind of run is never recorded. `NEEDS_THE_MODEL`: only an agent can
 * do a part of the step. `NOT_REPRODUCED`: the result differs without the agent. `VACUOUS`: the recording would pass
 * with any product. `UNCLEAN`: the recording would contain a secret or a path of this machine.
 */
export type RefusalCode = 'NOT_ELIGIBLE' | 'NEEDS_THE_MODEL' | 'NOT_REPRODUCED' | 'VACUOUS' | 'UNCLEAN'

export interface RecordingRefusal {
  readonly line: number
  readonly file?: string
  readonly code: RefusalCode
  readonly step: string
  readonly message: string
  /** Set if this step can be recorded, but another step of the scenario cannot. `code` is about the other step. */
  readonly isKeptBack?: true
}

export type StepRecorded = Pick<RecordingRefusal, 'line' | 'file' | 'step'>
