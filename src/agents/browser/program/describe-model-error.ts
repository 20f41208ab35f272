import { MdtestError } from '../../../system/mdtest-error.ts'
import { messageOf } from '../../../system/error-facts.ts'
import { errorCause } from '../../error-cause.ts'

/** What went wrong in a request to a model or on the way to it. */
export interface ModelError {
  /** `model`: it was asked and did not answer as it should. `browser`: nobody was to blame but the browser. */
  readonly cause: 'auth' | 'budget' | 'model' | 'browser' | 'other'
  /** One sentence. */
  readonly message: string
  /** HTTP status. */
  readonly status?: number
}

/** Of an error that was met after several tries, the last one says what is wrong. */
export function describeModelError(error: unknown): ModelError {
  const last: unknown = memberOf(error, 'lastError') ?? error
  const text = messageOf(last)
  const status = memberOf(last, 'statusCode')
  const message = versionsApart.test(text)
    ? `${text} Install a version of \`ai\` that fits the provider's package.`
    : text
  return {
    cause: causeOf(last, { text, status: typeof status === 'number' ? status : undefined }),
    message: /[.!?]$/.test(message) ? message : `${message}.`,
    ...(typeof status === 'number' && { status }),
  }
}

function causeOf(error: unknown, { text, status }: { text: string; status: number | undefined }): ModelError['cause'] {
  if (error instanceof MdtestError) return error.code === 'AGENT_BROWSER_UNAVAILABLE' ? 'browser' : 'other'
  const cause = errorCause(text, status)
  return cause === 'other' && memberOf(error, 'name') === 'AI_APICallError' ? 'model' : cause
}

/** `ai` 6 with a provider of the next major. */
const versionsApart = /unsupported model version/i

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
