import type { GateFlags } from './flags.ts'

/** What was asked for. */
export interface Asked {
  readonly flags: GateFlags
  /** Absolute, real path. */
  readonly root: string
  /** Absolute path of the configuration, where one was named. */
  readonly file: string | undefined
}
