import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { groundAt } from '../system/files/trusted-folder.ts'
import { makeNewFolder } from '../system/files/write-file.ts'

/** A returned code is valid for at least this time: the application must receive the code before it expires. */
const leastMs = 3_000

/**
 * Returns the current code (RFC 6238). Never returns a code twice in a run, because applications accept it only once.
 * @param secret base32 text, or an `otpauth://` URL
 * @param folder absolute path of the folder for used codes, which all processes of the run share
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
    const note = createHash('sha256').update(`${secret} ${made.counter()}`).digest('hex')
    if (leftMs >= leastMs && makeNewFolder(groundAt(folder), join(folder, `code-${note}`))) return code
    await sleep(leftMs, undefined, { signal })
  }
}
