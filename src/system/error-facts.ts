import { isNativeError } from 'node:util/types'

// Errors of other realms (`node:vm`) are no `Error` of ours, and a `DOMException` is no native one.

/** The code that the system or Node.js gave an error, for example `ENOENT`; nothing where it has none. */
export function errorCode(error: unknown): string | undefined {
  if (!isError(error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error)
}

/** What an action gives; nothing where it fails, whatever the reason is. */
export function orNothing<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function isError(error: unknown): error is Error {
  return error instanceof Error || isNativeError(error)
}
