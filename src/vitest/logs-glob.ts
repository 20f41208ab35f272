/** Folders that hold result logs: never watched, never searched for tests. */
export const logsGlob = '**/*.logs/**'
