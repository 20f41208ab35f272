import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Links to the programs that tests start, made by `scripts/find-programs.ts`. Absolute path. */
export const programsFolder = fileURLToPath(new URL('../../.cache/programs', import.meta.url))

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
