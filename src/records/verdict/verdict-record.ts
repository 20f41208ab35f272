import { z } from 'zod'
import type { Ground } from '../../system/files/trusted-folder.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { parseJson } from '../../system/text/parse-json.ts'
import type { AgentUsage } from '../tokens-and-cost.ts'
import { describeFileProblem, groundOfLog, clearPlace, writeLogFile } from '../folders/log-file.ts'
import type { LogPaths } from '../folders/log-paths.ts'
import { assurances, outcomes } from '../outcome.ts'
import type { RecordedReason } from '../recorded-reason.ts'
import { stepSourceKinds, type StepSource } from '../step-source.ts'
import { usedSandboxes, type UsedExecutor } from '../used-executor.ts'

const count = z.number().nonnegative()
const fromOne = z.number().int().positive()
const text = z.string()

const usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count.exactOptional(),
  costUsd: count.exactOptional(),
  turns: count.exactOptional(),
  model: text.exactOptional(),
  durationMs: count,
}) satisfies z.ZodType<AgentUsage>

const reason = z.object({
  code: text,
  message: text,
  cause: text.exactOptional(),
  line: z.number().int().exactOptional(),
  file: text.exactOptional(),
}) satisfies z.ZodType<RecordedReason>

const source = z.object({
  kind: z.enum(stepSourceKinds),
  reason: reason.exactOptional(),
}) satisfies z.ZodType<StepSource>

const executor = z.object({
  sandbox: z.enum(usedSandboxes),
  why: text.exactOptional(),
}) satisfies z.ZodType<UsedExecutor>

/** File names of screenshots in the evidence folder. The agent's program took them, not the model. */
const images = z.array(text).readonly()
const reasons = z.array(reason).readonly()

const recordedStep = z.object({
  id: text,
  title: text,
  line: fromOne,
  file: text.exactOptional(),
  outcome: z.enum(outcomes),
  assurance: z.enum(assurances).exactOptional(),
  /** Absent for a skipped step, and for a step in which an agent has nothing to do. */
  source: source.exactOptional(),
  executor: executor.exactOptional(),
  reasons,
  expected: reasons.exactOptional(),
  /** Name of the planned OpenSpec change that the step tests. */
  change: text.exactOptional(),
  /** Set for a passed step: why its result could not be repeated without the agent. */
  unreproduced: reason.exactOptional(),
  /** Includes the step's blocks. 0 if the step was not tried. */
  durationMs: count,
  images: images.exactOptional(),
  passedRuns: z.number().int().nonnegative().exactOptional(),
})

export type RecordedStep = Readonly<z.infer<typeof recordedStep>>

export const verdictRecordSchema = z.object({
  version: z.literal(1),
  spec: text,
  scenario: text,
  attempt: fromOne,
  repeat: z.object({ run: fromOne, of: fromOne, required: fromOne }).exactOptional(),
  run: text,
  agent: text,
  startedAt: z.iso.datetime(),
  outcome: z.enum(outcomes),
  steps: z.array(recordedStep).readonly(),
  usage: usage.exactOptional(),
  images: images.exactOptional(),
})

/** Content of a `.verdict.json` file: mdtest's verdict on a scenario with an agent, written after the run. */
export type VerdictRecord = Readonly<z.infer<typeof verdictRecordSchema>>

export type ScenarioVerdict = Pick<VerdictRecord, 'outcome' | 'steps' | 'repeat'>

type VerdictReading =
  | { readonly ok: true; readonly record: VerdictRecord }
  | { readonly ok: false; readonly message: string }

/** A larger file is refused. A real verdict is smaller, even with thousands of steps and long diffs. */
const maxBytes = 64 * 1024 * 1024

export function readVerdict(file: string, ground: Ground = groundOfLog(file)): VerdictReading {
  const read = readFileIn(ground, file, maxBytes)
  const missing = 'There is no verdict: the run did not come to its end.'
  if (!read.ok) return { ok: false, message: describeFileProblem(read, { what: 'verdict', maxBytes, missing }) }
  const { data: record } = verdictRecordSchema.safeParse(parseJson(read.bytes.toString('utf8')))
  if (record !== undefined) return { ok: true, record }
  return { ok: false, message: 'The verdict is not of the form that this version of mdtest writes.' }
}

/** Call this only when the agent and all its processes have ended. @throws MdtestError `LOG_UNWRITABLE` */
export function writeVerdict({ ground, verdict }: Pick<LogPaths, 'ground' | 'verdict'>, record: VerdictRecord): void {
  clearPlace(ground, verdict)
  writeLogFile(ground, verdict, `${JSON.stringify(record, undefined, 2)}\n`)
}
