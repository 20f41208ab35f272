import type {} from 'vitest'
import type { HostAddress } from '../host/protocol.ts'
import type { Rate } from '../run/rate-step.ts'
import type { AgentUsage } from '../shared/agent-usage.ts'
import type { Assurance } from '../shared/assurance.ts'
import type { SpecLine } from '../spec/spec.ts'
import type { Outcome, Reason } from '../verdict/verdict.ts'
import type { RunCause } from './run-cause.ts'

/** What the main process hands to the workers. */
export interface Provided {
  readonly address: HostAddress
  /** Absolute path of the suite root. */
  readonly root: string
  /** A debugger is attached, or may be: code may stand at a breakpoint for any time. */
  readonly isDebugged: boolean
  /** What this run comes from: agents are started on demand. */
  readonly cause: RunCause
}

/** What a test carries in `task.meta.mdtest`, also in the JSON report. */
export interface StepMeta {
  readonly outcome: Outcome
  readonly assurance?: Assurance
  readonly reasons: readonly Reason[]
  /** Path of the result log, relative to the root. */
  readonly log?: string
  /** What the scenario's agent used in all: on the first step reported after its end, and on no other. */
  readonly usage?: AgentUsage
  /** How often the step passed, where its scenario is run several times. */
  readonly rate?: Rate
  /** What failed in a step that is expected to fail, and passes for it. */
  readonly expected?: readonly Reason[]
  /** Where expected output was rewritten: first lines. */
  readonly rewritten?: readonly SpecLine[]
  /** Passed, but not at the first try. */
  readonly flaky?: true
}

declare module 'vitest' {
  interface ProvidedContext {
    mdtest: Provided
  }
  interface TaskMeta {
    mdtest?: StepMeta
  }
}
