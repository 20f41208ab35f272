import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../system/error-facts.ts'

/** Least remaining time of a code. Otherwise the code could expire before the application receives it. */
const leastMs = 3_000

/**
 * The current code by RFC 6238. Never returns the same code twice in a run, because applications accept a code once.
 *
 * @param secret base32 text, or an `otpauth://` URL
 * @param folder absolute path of a folder shared by all processes of the run, in which used codes are noted
 */
export async function oneTimeCode(secret: string, folder: string, signal?: AbortSignal): Promise<string> {
  const { Secret, TOTP, URI } = await import('otpauth')
  const made = /^otpauth:/i.test(secret)
    ? URI.parse(secret)
    : new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/[\s-]/g, '')) })
  if (!(made instanceof TOTP)) throw new TypeError('Only codes that change with the time can be made.')
  for (;;) {
    const leftMs = made.remaining()
    const code = made.generate()
    if (leftMs >= leastMs && isFirst(join(folder, `code-${digest(`${secret} ${code} ${made.counter()}`)}`))) return code
    await sleep(leftMs, undefined, { signal })
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

function isFirst(note: string): boolean {
  try {
    mkdirSync(note)
    return true
  } catch (error: unknown) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
