import type { Reason } from '../verdict/verdict.ts'

/** What Vitest shows of a failed step. */
interface FailureDetails {
  readonly message: string
  /** Markdown lines, the closest first; the first gets the code frame. */
  readonly lines: readonly number[]
  /** The most decisive reason. */
  readonly code?: Reason['code'] | undefined
}

/** A failed or blocked step. Its only stack frames are lines of the markdown. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  /** For whoever reads errors by code. */
  readonly code: Reason['code'] | undefined

  constructor(file: string, { message, lines, code }: FailureDetails) {
    super(message)
    this.code = code
    this.stack = [`${this.name}: ${message}`, ...new Set(lines.map((line) => `    at ${file}:${line}:1`))].join('\n')
  }
}
