import type { AgentUsage } from '../../records/agent-usage.ts'
import type { Assurance, Outcome } from '../../records/outcome.ts'
import { withReason, type StepSource } from '../../records/step-source.ts'
import type { UsedExecutor } from '../../records/used-executor.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'

/** What became of a step, as its test or the verdict on disk says. */
export interface EndedStep {
  /** Titles of the headings above it, that of its scenario first, and its own. */
  readonly titles: readonly string[]
  readonly line?: number
  readonly outcome: Outcome
  readonly assurance?: Assurance
  /** Paths in it as those of reasons. */
  readonly source?: StepSource
  readonly executor?: UsedExecutor
  readonly reasons: readonly (Omit<Reason, 'code'> & { readonly code: string })[]
  readonly expected?: EndedStep['reasons']
  /** Name of the change until which it is expected to fail. */
  readonly change?: string
  /** Where its scenario is run several times. */
  readonly rate?: { readonly passed: number; readonly runs: number; readonly required: number }
  readonly flaky?: true
  readonly durationMs: number
  /** Absolute path of the result log, which need not be there. */
  readonly logFile?: string
  /** What stood in it. */
  readonly logText?: string
  readonly usage?: AgentUsage
}

/** A spec that has been run, here or on another machine. */
export interface EndedSpec {
  readonly file: string
  readonly root: string
  /** Address of the application, as it was given. */
  readonly baseUrl?: string
  /** Name of the Vitest project, where it is not `mdtest`. */
  readonly project?: string
  /** ISO 8601 UTC. */
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  readonly outcome: Outcome
  readonly problems: readonly { readonly message: string; readonly line?: number }[]
  readonly steps: readonly EndedStep[]
  /** Absent where it could not be parsed. */
  readonly parsed?: Spec
  /** Text of the spec; absent where it could not be read. */
  readonly text?: string
  /** Texts of the files that it includes, by absolute path. */
  readonly included: ReadonlyMap<string, string>
}

/** A step whose reasons name files as `pathOf` says. */
export function withFiles(step: EndedStep, pathOf: (file: string) => string): EndedStep {
  const named = <T extends Pick<EndedStep['reasons'][number], 'file'>>(reason: T): T =>
    reason.file === undefined ? reason : { ...reason, file: pathOf(reason.file) }
  const { source, reasons, expected } = step
  return {
    ...step,
    ...(source && { source: withReason(source, named) }),
    reasons: reasons.map(named),
    ...(expected && { expected: expected.map(named) }),
  }
}
