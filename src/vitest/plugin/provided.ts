import type {} from 'vitest'
import type { HostAddress } from '../../host/protocol/protocol.ts'
import type { StepMeta } from '../../plan/step-meta.ts'
import type { RunCause } from '../watch/run-cause.ts'

export interface Provided {
  readonly address: HostAddress
  readonly root: string
  /** Whether a debugger may pause code. If so, code has no time limit. */
  readonly isDebugged: boolean
  readonly cause: RunCause
  /** Files that the user chose; `undefined` means all files. */
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
