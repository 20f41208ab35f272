import type { Outcome } from '../outcome.ts'
import type { UsedExecutor } from '../used-executor.ts'

/** A file of the evidence folder, or words that a tool printed. */
export type Evidence =
  | string
  | {
      readonly quote: string
      /** Id of the earlier step for which they were printed; absent for this one. */
      readonly step?: string | undefined
    }

/** One entry of `checks`: a `- [ ]` item of a step. */
export interface CheckResult {
  /** Place of the check in its step, counted from 1; `line`, its line in the spec, is accepted instead. */
  readonly n?: number | undefined
  readonly line?: number | undefined
  readonly status: Outcome
  readonly observed?: string | undefined
  readonly evidence?: readonly Evidence[] | undefined
}

/** One entry of `steps`. */
export interface StepResult {
  readonly id: string
  readonly status: Outcome
  readonly observed?: string | undefined
  readonly evidence?: readonly Evidence[] | undefined
  readonly checks?: readonly CheckResult[] | undefined
}

/** What the front matter of a result log says, checked. Unknown keys are kept out of the way: agents add their own. */
export interface ResultLog {
  readonly status: 'pass' | 'fail'
  /** The run id that the prompt gave. */
  readonly run?: string | undefined
  /** In a log that mdtest wrote from reports. Anybody can write this: it is a note for readers, never evidence. */
  readonly 'written-by'?: 'mdtest' | undefined
  readonly scenario?: string | undefined
  /** Counted from 1. */
  readonly attempt?: number | undefined
  /** Who executed the product, where mdtest alone did, and what its agent was in. */
  readonly executor?: 'mdtest' | undefined
  readonly sandbox?: UsedExecutor['sandbox'] | undefined
  /** The verdict on the scenario; `status` is `pass` for a pass and `fail` for all else. */
  readonly outcome?: Outcome | undefined
  readonly reasons?: readonly { readonly code: string; readonly message: string }[] | undefined
  /** What the agent used. */
  readonly usage?: LoggedUsage | undefined
  readonly steps?: readonly StepResult[] | undefined
}

interface LoggedUsage {
  /** Name of the model. */
  readonly model?: string | undefined
  /** Requests to the model. */
  readonly turns?: number | undefined
  /** Cached ones included. */
  readonly 'input-tokens': number
  readonly 'output-tokens': number
  /** Of the input tokens, what the provider had in its cache. */
  readonly 'cached-input-tokens'?: number | undefined
  /** US dollars. */
  readonly 'cost-usd'?: number | undefined
  /** Milliseconds from the agent's start to its end. */
  readonly 'duration-ms': number
}

/** Checks data as the front matter of a result log. */
export interface ResultLogSchema {
  /** @throws Error where the data is not of this shape; it says what is wrong. */
  parse(data: unknown): ResultLog
  safeParse(
    data: unknown,
  ):
    | { readonly success: true; readonly data: ResultLog }
    | { readonly success: false; readonly error: Error & { readonly issues: readonly SchemaIssue[] } }
}

interface SchemaIssue {
  /** Keys and indexes from the front matter to what is wrong. */
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** More of either is refused. */
export const maxFrontMatterBytes = 256 * 1024
export const maxLogBytes = 10 * 1024 * 1024

/** A step as the agent reported it over MCP. */
export interface StepReport extends StepResult {
  /** ISO 8601 UTC time at which the report came. */
  readonly at: string
}

/** Why a result log cannot be believed; what each means is in `docs/reasons.md`. */
export type LogProblemCode =
  | 'LOG_MISSING'
  | 'LOG_NO_FRONT_MATTER'
  | 'LOG_INVALID_YAML'
  | 'LOG_INVALID_STATUS'
  | 'LOG_TOO_LARGE'
  | 'LOG_UNREADABLE'

/** What is wrong with a result log. */
export interface LogProblem {
  readonly ok: false
  readonly code: LogProblemCode
  /** What was found and what is expected. */
  readonly message: string
}

/** What reading a result log gave. A bad log is a value, never thrown. */
export type LogReading =
  | { readonly ok: true; readonly log: ResultLog; readonly body: string; readonly modifiedAtMs: number }
  | LogProblem
