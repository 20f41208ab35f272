import { isNativeError } from 'node:util/types'
import { MdtestError } from '../mdtest-error.ts'
import type { Redact } from './redact-texts.ts'

/** An error that says the same without secrets. Its causes and its stack would show them again. */
export function redactError(error: unknown, redact: Redact): unknown {
  if (!isNativeError(error)) return error
  const message = redact(error.message)
  if (message === error.message) return error
  return error instanceof MdtestError ? new MdtestError(error.code, message) : new Error(message)
}
