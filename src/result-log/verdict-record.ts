import { assurances } from '../shared/assurance.ts'
import { z } from 'zod'

/** What became of a step, a scenario or a spec. */
export const outcomeSchema = z.enum(['pass', 'fail', 'blocked', 'skipped'])
const count = z.number().nonnegative()

/** What an agent used. */
export const usageSchema = z.object({
  /** Tokens that went in, cached ones included. */
  inputTokens: count,
  outputTokens: count,
  /** US dollars. */
  costUsd: count.exactOptional(),
  /** Requests to the model. */
  turns: count.exactOptional(),
  /** Name of the model. */
  model: z.string().exactOptional(),
  /** Milliseconds from the agent's start to its end. */
  durationMs: count,
})

/** Path of the included file that a line is in, as `spec`; absent where it is in the spec itself. */
const includedFile = z.string().exactOptional()

/** Why a step is not simply passed. */
export const reasonSchema = z.object({
  code: z.string(),
  message: z.string(),
  line: z.number().int().exactOptional(),
  file: includedFile,
})

/** Names of pictures in the folder for evidence, made by the agent's program and not by its model. */
const images = z.array(z.string()).exactOptional()

const recordedStep = z.object({
  id: z.string(),
  title: z.string(),
  /** Line of the step's heading, or of its row in a table. */
  line: z.number().int().positive(),
  file: includedFile,
  outcome: outcomeSchema,
  /** How a pass is backed; only on a pass. */
  assurance: z.enum(assurances).exactOptional(),
  reasons: z.array(reasonSchema),
  /** What failed in a step that is expected to. */
  expected: z.array(reasonSchema).exactOptional(),
  /** Milliseconds that the step took with its blocks, 0 for one that was not tried. */
  durationMs: count,
  /** What the application looked like when the step was reported. */
  images,
  /** Of a scenario that is run several times: in how many runs up to this one the step passed. */
  passedRuns: z.number().int().nonnegative().exactOptional(),
})

const repeat = z.object({
  /** Which run this is, counted from 1. */
  run: z.number().int().positive(),
  of: z.number().int().positive(),
  /** How many runs a step has to pass. */
  required: z.number().int().positive(),
})

const recording = z.union([
  /** Path of the recording; in the verdict on disk its name, because it is beside that. */
  z.object({ file: z.string() }),
  /** Why there is none, though the agent worked in a terminal. */
  z.object({ dropped: z.string() }),
])

/**
 * What mdtest itself stores of a scenario that an agent worked on: its verdict, in `T.verdict.json`. It is written once
 * all is over; a run that did not come to its end has none. What the agent said is in the result log.
 */
export const verdictRecordSchema = z.object({
  version: z.literal(1),
  /** Path of the spec relative to the suite root, with slashes. */
  spec: z.string(),
  /** Title of the scenario. */
  scenario: z.string(),
  /** Counted from 1. */
  attempt: z.number().int().positive(),
  /** Of a scenario that is run several times. The verdict is on this one run. */
  repeat: repeat.exactOptional(),
  /** The run id. */
  run: z.string(),
  /** Name of the agent. */
  agent: z.string(),
  /** Start of the agent, ISO 8601 UTC. */
  startedAt: z.iso.datetime(),
  outcome: outcomeSchema,
  /** All steps up to the last that was asked for, in order. */
  steps: z.array(recordedStep),
  /** What the agent used; absent where its program could not be started. */
  usage: usageSchema.exactOptional(),
  /** What the application looked like at the end. */
  images,
  /** Of an agent that worked in a terminal. */
  recording: recording.exactOptional(),
})

/** The verdict on one scenario, as it stands on disk. */
export type VerdictRecord = z.infer<typeof verdictRecordSchema>
/** The verdict on one step. */
export type RecordedStep = z.infer<typeof recordedStep>
/** What became of the recording of a session in a terminal. */
export type Recording = z.infer<typeof recording>
/** What became of a scenario and its steps. */
export type Conclusion = Readonly<Pick<VerdictRecord, 'outcome' | 'steps' | 'repeat'>>
