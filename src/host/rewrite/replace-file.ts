import { randomUUID } from 'node:crypto'
import { chmod, chown, rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Replaces what a file holds, whole or not at all; permissions and owner stay. Of a link give the target, as its
 * absolute path.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const { mode, uid, gid } = await stat(file)
  // In the same folder, because a rename is atomic only within one file system.
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    await chmod(temporary, mode)
    await chown(temporary, uid, gid).catch(() => {
      // Only root may give files away; else it is the user's own by now.
    })
    await rename(temporary, file)
  } catch (error: unknown) {
    await rm(temporary, { force: true })
    throw error
  }
}
