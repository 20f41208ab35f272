import type { SpecLine } from '../spec/spec.ts'
import type { Reason } from '../verdict/verdict.ts'

/** What the test runner shows of a failed step. Plain data. */
export interface FailureDetails {
  readonly message: string
  /** Places in the markdown, the closest first; the first gets the code frame. */
  readonly places: readonly SpecLine[]
  /** The most decisive reason. */
  readonly code?: Reason['code'] | undefined
}

/** A failed or blocked step. Its only stack frames are lines of the markdown. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  /** For whoever reads errors by code. */
  readonly code: Reason['code'] | undefined

  /** @param file absolute path of the spec */
  constructor(file: string, { message, places, code }: FailureDetails) {
    super(message)
    this.code = code
    const frames = places.map((place) => `    at ${place.file ?? file}:${place.line}:1`)
    this.stack = [`${this.name}: ${message}`, ...new Set(frames)].join('\n')
  }
}
