import type {} from 'vitest'
import type { HostAddress } from '../../host/protocol/protocol.ts'
import type { StepMeta } from '../../plan/step-meta.ts'
import type { RunCause } from '../watch/run-cause.ts'

/** What the main process hands to the workers. */
export interface Provided {
  readonly address: HostAddress
  readonly root: string
  /** A debugger is attached, or may be: code may stand at a breakpoint for any time. */
  readonly isDebugged: boolean
  /** Folders of `PATH` that were not there when the run began. Absolute paths. */
  readonly absentFolders: readonly string[]
  /** What this run comes from: agents are started on demand. */
  readonly cause: RunCause
  /** Absolute paths of the files that were asked for, where that is not all of them. */
  readonly asked?: readonly string[] | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    mdtest: Provided
  }
  interface TaskMeta {
    mdtest?: StepMeta
  }
}
