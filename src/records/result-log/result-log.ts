import type { Outcome } from '../outcome.ts'
import type { UsedExecutor } from '../used-executor.ts'

/** A file name in the evidence folder, or a quote from the output of a tool. */
export type Evidence =
  | string
  | {
      readonly quote: string
      /** Id of the earlier step in which a tool printed the quote. */
      readonly step?: string | undefined
    }

/** An entry of `checks`: a `- [ ]` item of a step. */
export interface CheckResult {
  /** Position of the check in its step, from 1. A log can have the `line` of the check instead. */
  readonly n?: number | undefined
  readonly line?: number | undefined
  readonly status: Outcome
  readonly observed?: string | undefined
  readonly evidence?: readonly Evidence[] | undefined
}

/** An entry of `steps`. */
export interface StepResult extends Omit<CheckResult, 'n' | 'line'> {
  readonly id: string
  readonly checks?: readonly CheckResult[] | undefined
}

/** The validated front matter of a result log. Unknown keys, which agents may add, are ignored. */
export interface ResultLog {
  readonly status: 'pass' | 'fail'
  /** The run id from the prompt. */
  readonly run?: string | undefined
  /** Set if mdtest wrote the log from reports. This proves nothing, because an agent can write the same key. */
  readonly 'written-by'?: 'mdtest' | undefined
  readonly scenario?: string | undefined
  /** Counts from 1. */
  readonly attempt?: number | undefined
  /** Set if only mdtest executed the product. `sandbox` then says how the agent was confined. */
  readonly executor?: 'mdtest' | undefined
  readonly sandbox?: UsedExecutor['sandbox'] | undefined
  /** The outcome of the scenario. `status` is `pass` for a pass and `fail` for all other outcomes. */
  readonly outcome?: Outcome | undefined
  readonly reasons?: readonly { readonly code: string; readonly message: string }[] | undefined
  readonly usage?: LoggedUsage | undefined
  readonly steps?: readonly StepResult[] | undefined
}

interface LoggedUsage {
  readonly model?: string | undefined
  readonly turns?: number | undefined
  /** Includes cached tokens. */
  readonly 'input-tokens': number
  readonly 'output-tokens': number
  /** The cached part of `input-tokens`. */
  readonly 'cached-input-tokens'?: number | undefined
  readonly 'cost-usd'?: number | undefined
  /** Time from start to end of the agent. */
  readonly 'duration-ms': number
}

/** Validates the front matter of a result log. */
export interface ResultLogSchema {
  /** @throws Error if the data is not valid, with the reason */
  parse(data: unknown): ResultLog
  safeParse(
    data: unknown,
  ):
    | { readonly success: true; readonly data: ResultLog }
    | { readonly success: false; readonly error: Error & { readonly issues: readonly SchemaIssue[] } }
}

interface SchemaIssue {
  /** Where the wrong value is: keys and indexes, from the front matter down to the value. */
  readonly path: readonly PropertyKey[]
  readonly message: string
}

export const maxFrontMatterBytes = 256 * 1024
export const maxLogBytes = 10 * 1024 * 1024

/** A step's result, as the agent reported it over MCP. */
export interface StepReport extends StepResult {
  /** Time of the report, in UTC (ISO 8601). */
  readonly at: string
}

/** Why a result log is not trusted. `docs/reasons.md` explains the codes. */
export type LogProblemCode =
  | 'LOG_MISSING'
  | 'LOG_NO_FRONT_MATTER'
  | 'LOG_INVALID_YAML'
  | 'LOG_INVALID_STATUS'
  | 'LOG_TOO_LARGE'
  | 'LOG_UNREADABLE'

export interface LogProblem {
  readonly ok: false
  readonly code: LogProblemCode
  /** What was expected and what was found instead. */
  readonly message: string
}

/** The result of reading a log. An invalid log is returned as a value, not thrown. */
export type LogReading =
  | { readonly ok: true; readonly log: ResultLog; readonly body: string; readonly modifiedAtMs: number }
  | LogProblem
