import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Removes what an agent put in the place of a file of ours (absolute path), and makes the folder where that is gone.
 * Never rejects.
 */
export async function clearPlace(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await rm(file, { recursive: true, force: true })
  } catch {
    // Writing the file fails as well, and says why.
  }
}
