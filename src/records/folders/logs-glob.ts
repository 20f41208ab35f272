/** Folders that hold result logs: never watched, never searched for tests. */
export const logsGlob = '**/*.logs/**'

/** Whether a path is inside of such a folder. */
export function isLog(path: string): boolean {
  return /\.logs[\\/]/.test(path)
}
