import type {} from 'vitest'
import type { HostAddress } from '../../host/protocol/protocol.ts'
import type { StepMeta } from '../../plan/step-meta.ts'
import type { RunCause } from '../watch/run-cause.ts'

export interface Provided {
  readonly address: HostAddress
  readonly root: string
  /** Code may stand at a breakpoint of a debugger for any time. */
  readonly isDebugged: boolean
  readonly cause: RunCause
  /** By the user; undefined for all files. */
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
