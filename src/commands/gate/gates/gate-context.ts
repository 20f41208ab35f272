import type { Ground } from '../../../system/files/ground.ts'
import type { ProgramContext } from '../../../system/process/program-context.ts'

/** Where gates are run. */
export interface GateContext extends ProgramContext {
  /** Absolute, real path of the project: the working directory. */
  readonly root: string
  /** Absolute path of a folder for what commands print. */
  readonly folder: string
  /** The project: below it no link on the way to that folder is followed. */
  readonly ground: Ground
  /** Called with a line about what is being done. */
  readonly onProgress: (line: string) => void
  readonly signal: AbortSignal
}
