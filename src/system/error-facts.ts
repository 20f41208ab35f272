import { isNativeError } from 'node:util/types'

// `isError` tests twice: `instanceof Error` misses errors from `node:vm`, `isNativeError` misses a `DOMException`.

/** The `code` of a system or Node.js error, for example `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (!isError(error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error)
}

/** Matches an error thrown by Node's own module loader: code that is not found, not exported or bad syntax. */
export const ofModuleLoader =
  /^(?:(?:Syntax)?Error(?: \[\w+\])?|TypeError \[ERR_(?:IMPORT_\w+|UNKNOWN_FILE_EXTENSION)\]): (?:(?!\s+at ).*\n){1,20}?\s+at .*\bnode:internal\/(?:modules\/|vm:)/m

export function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? ''
}

export function orNothing<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

/** `undefined` if `action` fails with this `code` of the system. */
export function orNothingIf<T>(code: string, action: () => T): T | undefined {
  try {
    return action()
  } catch (error: unknown) {
    if (errorCode(error) !== code) throw error
    return undefined
  }
}

function isError(error: unknown): error is Error {
  return error instanceof Error || isNativeError(error)
}
