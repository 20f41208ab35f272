/** Folders that hold result logs: never watched, never searched for tests. */
export const logsGlob = '**/*.logs/**'

/** Whether the glob matches a path. */
export function isLog(path: string): boolean {
  return /\.logs[\\/]/.test(path)
}
