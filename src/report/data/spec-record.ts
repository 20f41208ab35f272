import type { AgentUsage } from '../../records/tokens-and-cost.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'
import type { Outcome } from '../../records/outcome.ts'
import type { StepResult } from '../../records/result-log/result-log.ts'
import type { StepMeta } from '../../plan/step-meta.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'

type StepFacts = 'outcome' | 'assurance' | 'source' | 'executor' | 'change' | 'rate' | 'flaky'

export interface EndedStep extends Pick<StepMeta, StepFacts> {
  readonly titles: readonly string[]
  readonly line?: number
  readonly reasons: readonly (Omit<Reason, 'code'> & { readonly code: string })[]
  readonly expected?: EndedStep['reasons']
  readonly durationMs: number
  readonly logFile?: string
  readonly logText?: string
  readonly usage?: AgentUsage
}

export interface EndedSpec {
  readonly file: string
  readonly root: string
  readonly baseUrl?: string
  readonly project?: string
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  readonly outcome: Outcome
  readonly problems: readonly { readonly message: string; readonly line?: number }[]
  readonly steps: readonly EndedStep[]
  readonly parsed?: Spec
  readonly text?: string
  readonly included: ReadonlyMap<string, string>
}

export type Said = Partial<Pick<StepResult, 'status' | 'observed' | 'evidence'>>

export interface KeptImage {
  readonly name: string
  readonly path: string
}

export interface KeptFile {
  /** A description such as `agent output`, or the name of a file in the evidence folder. */
  readonly title: string
  readonly bytes: number
  /** Path in the report's folder. Absent if the file was too large to be copied. */
  readonly path?: string
}

/** Problems that the browser reported, also in passed steps. Only the first ones are listed. */
export interface StepFindings {
  readonly consoleErrors: { readonly count: number; readonly first: readonly string[] }
  readonly failedRequests: {
    readonly count: number
    readonly statuses: readonly string[]
    readonly first: readonly string[]
  }
}

export interface ReportedCheck extends Said {
  readonly n: number
  readonly text: string
  readonly line?: number
}

export type ReportedCall = Pick<JournalEntry, 'at' | 'kind' | 'title' | 'exitCode' | 'denied' | 'excerpt'>

export interface ReportedStep extends Omit<EndedStep, 'logFile' | 'logText' | 'usage'> {
  readonly anchor: string
  readonly file?: string
  readonly said?: Said
  readonly checks: readonly ReportedCheck[]
  readonly calls: readonly ReportedCall[]
  readonly images: readonly KeptImage[]
  readonly files: readonly KeptFile[]
  readonly findings?: StepFindings
}

export interface AgentRun {
  readonly scenario: string
  readonly ordinal?: number
  readonly agent?: string
  readonly startedAt?: string
  readonly attempt?: number
  readonly usage?: AgentUsage
  readonly narrative: string
  readonly lastWords?: string
  readonly otherCalls: readonly ReportedCall[]
  readonly notes: readonly string[]
  readonly images: readonly KeptImage[]
  readonly files: readonly KeptFile[]
}

type EndFacts = 'project' | 'baseUrl' | 'startedAt' | 'endedAt' | 'durationMs' | 'outcome' | 'problems'

export interface SpecRecord extends Pick<EndedSpec, EndFacts> {
  readonly spec: string
  readonly title: string
  readonly scenarios?: readonly { readonly ordinal: number; readonly title: string; readonly line: number }[]
  /** The text of the spec, then of each included file. Empty if the spec could not be read. */
  readonly sources: readonly { readonly file?: string; readonly text: string }[]
  readonly steps: readonly ReportedStep[]
  readonly runs: readonly AgentRun[]
}

export function specAnchor({ spec, project }: Pick<SpecRecord, 'spec' | 'project'>): string {
  return project === undefined ? spec : `${project}:${spec}`
}
