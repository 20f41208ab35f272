import { isNativeError } from 'node:util/types'
import { MdtestError } from '../mdtest-error.ts'
export type Redact = (text: string) => string

/** Texts under these keys are not redacted, because programs compare them. */
const kept: ReadonlySet<string> = new Set(
  'kind code id stepId step run runId status signal cause outcome assurance sandbox at logFile'.split(' '),
)

export function redactTexts<T>(value: T, redact: Redact): T // redaction keeps the shape
export function redactTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item: unknown) => redactTexts(item, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      kept.has(key) && typeof item === 'string' ? item : redactTexts<unknown>(item, redact),
    ]),
  )
}

/** If the message contains a secret, returns a new error. Cause and stack are dropped: both may contain the secret. */
export function redactError(error: unknown, redact: Redact): unknown {
  if (!isNativeError(error)) return error
  const message = redact(error.message)
  if (message === error.message) return error
  return error instanceof MdtestError ? new MdtestError(error.code, message) : new Error(message)
}
