import { errorCause } from '../error-cause.ts'

/** What went wrong in a request to a model or on the way to it. */
export interface ModelError {
  readonly cause: 'auth' | 'budget' | 'other'
  /** One sentence. */
  readonly message: string
  /** HTTP status. */
  readonly status?: number
}

/** Of an error that was met after several tries, the last one says what is wrong. */
export function describeModelError(error: unknown): ModelError {
  const last: unknown = memberOf(error, 'lastError') ?? error
  const text = last instanceof Error ? last.message : String(last)
  const status = memberOf(last, 'statusCode')
  const message = versionsApart.test(text)
    ? `${text} Install a version of \`ai\` that fits the provider's package.`
    : text
  return {
    cause: errorCause(text, typeof status === 'number' ? status : undefined),
    message: /[.!?]$/.test(message) ? message : `${message}.`,
    ...(typeof status === 'number' && { status }),
  }
}

/** `ai` 6 with a provider of the next major. */
const versionsApart = /unsupported model version/i

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
