import { z } from 'zod'

/** A file of the evidence folder, or words that a tool printed. */
const evidence = z.array(
  z.union([
    z.string(),
    z.object({
      quote: z.string(),
      /** Id of the earlier step for which they were printed; absent for this one. */
      step: z.string().optional(),
    }),
  ]),
)

const checkResult = z.object({
  /** Place of the check in its step, counted from 1; `line`, its line in the spec, is accepted instead. */
  n: z.number().int().positive().optional(),
  line: z.number().int().positive().optional(),
  status: z.enum(['pass', 'fail', 'blocked', 'skipped']),
  observed: z.string().optional(),
  evidence: evidence.optional(),
})

/** One entry of `steps`. */
export const stepResultSchema = z.object({
  id: z.string(),
  status: z.enum(['pass', 'fail', 'blocked', 'skipped']),
  observed: z.string().optional(),
  evidence: evidence.optional(),
  checks: z.array(checkResult).optional(),
})

const count = z.number().nonnegative()
const usage = z.object({
  /** Name of the model. */
  model: z.string().optional(),
  /** Requests to the model. */
  turns: count.optional(),
  /** Cached ones included. */
  'input-tokens': count,
  'output-tokens': count,
  /** US dollars. */
  'cost-usd': count.optional(),
  /** Milliseconds from the agent's start to its end. */
  'duration-ms': count,
})

const reason = z.object({ code: z.string(), message: z.string() })

/**
 * The front matter of a result log. Unknown keys are kept out of the way: agents add their own. So are the keys that
 * only mdtest writes where they have another shape.
 */
export const resultLogSchema = z.object({
  status: z.enum(['pass', 'fail']),
  /** The run id that the prompt gave. */
  run: z.string().optional(),
  /** In a log that mdtest wrote from reports. Anybody can write this: it is a note for readers, never evidence. */
  'written-by': z.literal('mdtest').optional().catch(undefined),
  /** Title of the scenario. */
  scenario: z.string().optional().catch(undefined),
  /** Counted from 1. */
  attempt: z.number().int().positive().optional().catch(undefined),
  /** The verdict on the scenario; `status` is `pass` for a pass and `fail` for all else. */
  outcome: z.enum(['pass', 'fail', 'blocked', 'skipped']).optional().catch(undefined),
  reasons: z.array(reason).optional().catch(undefined),
  /** What the agent used. */
  usage: usage.optional().catch(undefined),
  steps: z.array(stepResultSchema).optional(),
})

/** The front matter above this size is refused. */
export const maxFrontMatterBytes = 256 * 1024
/** A result log above this size is refused. */
export const maxLogBytes = 10 * 1024 * 1024

/** What the front matter of a result log says, checked. */
export type ResultLog = z.infer<typeof resultLogSchema>
/** One entry of `steps`. */
export type StepResult = z.infer<typeof stepResultSchema>
/** A step as the agent reported it over MCP. */
export interface StepReport extends StepResult {
  /** ISO 8601 UTC time at which the report came. */
  readonly at: string
}
/** One entry of `checks`: a `- [ ]` item of a step. */
export type CheckResult = z.infer<typeof checkResult>

/** Why a result log cannot be believed; what each means is in `docs/result-log.md`. */
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
