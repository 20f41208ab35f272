import type { SpecLine } from '../spec/spec.ts'
import { plainText } from '../system/text/plain-text.ts'

/** What the test runner shows of a failed step. Plain data. */
export interface FailureDetails {
  readonly message: string
  /** Places in the markdown, the closest first; the first gets the code frame. */
  readonly places: readonly SpecLine[]
}

/** A failed or blocked step. Its only stack frames are lines of the markdown. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'

  /** @param file absolute path of the spec */
  constructor(file: string, { message: told, places }: FailureDetails) {
    const message = plainText(told)
    super(message)
    const frames = places.map((place) => `    at ${place.file ?? file}:${place.line}:1`)
    this.stack = [`${this.name}: ${message}`, ...new Set(frames)].join('\n')
  }
}
