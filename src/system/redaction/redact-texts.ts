import { isNativeError } from 'node:util/types'
import { MdtestError } from '../mdtest-error.ts'
export type Redact = (text: string) => string

/** What programs compare: under these keys a text is never a message. */
const kept: ReadonlySet<string> = new Set(
  'kind code id stepId step run runId status signal cause outcome assurance sandbox at logFile'.split(' '),
)

/** The same plain data with all texts in it redacted, but for what says which kind of thing it is. */
export function redactTexts<T>(value: T, redact: Redact): T {
  // Texts become texts and all else keeps its shape, which the compiler cannot see.
  return redactValue(value, redact) as T // see the line before
}

function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      kept.has(key) && typeof item === 'string' ? item : redactValue(item, redact),
    ]),
  )
}

/** An error that says the same without secrets. Its causes and its stack would show them again. */
export function redactError(error: unknown, redact: Redact): unknown {
  if (!isNativeError(error)) return error
  const message = redact(error.message)
  if (message === error.message) return error
  return error instanceof MdtestError ? new MdtestError(error.code, message) : new Error(message)
}
