import type { FileReading } from '../../system/files/read-file.ts'

interface Described {
  /** For the message, for example `journal`. */
  readonly what: string
  readonly maxBytes: number
  /** The whole message where there is no file. */
  readonly missing: string
}

/** Why a file of a run could not be read, as one sentence. */
export function describeFileProblem(
  problem: Extract<FileReading, { ok: false }>,
  { what, maxBytes, missing }: Described,
): string {
  switch (problem.why) {
    case 'missing':
      return missing
    case 'too-large':
      return `The ${what} has more than ${maxBytes} bytes.`
    case 'not-regular':
      return `The ${what} is ${problem.found}, not a regular file.`
    case 'refused':
      return `The ${what} cannot be read: ${problem.message}.`
    case 'unreadable':
      return `The ${what} cannot be read (${problem.errorCode}).`
    default:
      return problem satisfies never
  }
}
