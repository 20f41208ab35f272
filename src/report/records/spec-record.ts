import type { AgentUsage } from '../../records/agent-usage.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'
import type { Outcome } from '../../records/outcome.ts'
import type { StepResult } from '../../records/result-log/result-log.ts'
import type { EndedStep } from './ended-spec.ts'

/** What the agent said of a step or check. */
type Said = Partial<Pick<StepResult, 'status' | 'observed' | 'evidence'>>

/** A screenshot. */
interface KeptImage {
  /** In the folder for evidence. */
  readonly name: string
  /** In the folder of the report. */
  readonly path: string
}

interface KeptFile {
  /** What it is to a reader, for example `agent output`, or its name in the folder for evidence. */
  readonly title: string
  readonly bytes: number
  /** Path in the folder of the report; absent for what was too large to be copied. */
  readonly path?: string
}

/** What the browser told while a step was under way, whatever became of it. Of many the first are kept. */
export interface StepFindings {
  readonly consoleErrors: { readonly count: number; readonly first: readonly string[] }
  readonly failedRequests: {
    readonly count: number
    /** `404`, `ERR_CONNECTION_REFUSED`, each once. */
    readonly statuses: readonly string[]
    /** `GET http://127.0.0.1:3000/help: 404 Not Found` */
    readonly first: readonly string[]
  }
}

export interface ReportedCheck extends Said {
  /** Place in the step, counted from 1. */
  readonly n: number
  readonly text: string
  readonly line?: number
  /** Path of an included file, relative to the suite root; absent where the line is in the spec itself. */
  readonly file?: string
}

/** One step of a spec, as a report tells of it. */
export interface ReportedStep extends EndedStep {
  /** Part of the address of the step in the report, unique in its spec. */
  readonly anchor: string
  /** As of a check. */
  readonly file?: string
  readonly said?: Said
  readonly checks: readonly ReportedCheck[]
  /** Tool calls that were seen for it. */
  readonly calls: readonly JournalEntry[]
  /** Screenshots that were made for it, that it cites, or that are named like it. */
  readonly images: readonly KeptImage[]
  /** Texts that were kept with one of these, such as console and network of the page. */
  readonly files: readonly KeptFile[]
  readonly findings?: StepFindings
}

/** What an agent did for one of the scenarios. */
export interface AgentRun {
  readonly scenario: string
  /** Which scenario of the spec that is, counted from 1. */
  readonly ordinal?: number
  readonly agent?: string
  readonly startedAt?: string
  readonly attempt?: number
  readonly usage?: AgentUsage
  /** What the agent wrote below the front matter of its log. */
  readonly narrative: string
  /** The last that its model said, where there is no log. */
  readonly lastWords?: string
  readonly otherCalls: readonly JournalEntry[]
  /** What is to be known besides: no verdict, an unreadable journal. */
  readonly notes: readonly string[]
  /** Screenshots that belong to no step. */
  readonly images: readonly KeptImage[]
  /** Log, journal and so on, and texts in the folder for evidence that belong to no step. */
  readonly files: readonly KeptFile[]
}

/** All that a report tells of one spec. */
export interface SpecRecord {
  /** Path relative to the suite root, with slashes. */
  readonly spec: string
  /** Name of the Vitest project, where it is not `mdtest`. */
  readonly project?: string
  /** Of a file with several scenarios that name each of them alone: its path. */
  readonly title: string
  /** Where there are several. */
  readonly scenarios?: readonly { readonly ordinal: number; readonly title: string; readonly line: number }[]
  /** Address of the application, without credentials. */
  readonly baseUrl?: string
  /** ISO 8601 UTC. */
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  readonly outcome: Outcome
  /** The markdown of the spec, then that of the files it includes; none where it could not be read. */
  readonly sources: readonly { readonly file?: string; readonly text: string }[]
  /** What is wrong outside of any step. */
  readonly problems: readonly { readonly message: string; readonly line?: number }[]
  readonly steps: readonly ReportedStep[]
  readonly runs: readonly AgentRun[]
}

/** Address of a spec in the report. */
export function specAnchor({ spec, project }: Pick<SpecRecord, 'spec' | 'project'>): string {
  return project === undefined ? spec : `${project}:${spec}`
}
