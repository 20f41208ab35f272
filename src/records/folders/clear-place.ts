import { dirname } from 'node:path'
import type { Ground } from '../../system/files/ground.ts'
import { removeIn } from '../../system/files/remove.ts'
import { makeFolder } from '../../system/files/write-file.ts'

/**
 * Removes what an agent put in the place of a file of ours (absolute path), and makes the folder where that is gone.
 * Never throws.
 */
export function clearPlace(ground: Ground, file: string): void {
  try {
    makeFolder(ground, dirname(file))
    removeIn(ground, file)
  } catch {
    // Writing the file fails as well, and says why.
  }
}
