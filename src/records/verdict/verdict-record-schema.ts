import { z } from 'zod'
import type { AgentUsage } from '../agent-usage.ts'
import { assurances, outcomes } from '../outcome.ts'
import { stepSourceKinds, type StepSource } from '../step-source.ts'
import type { RecordedReason } from '../recorded-reason.ts'
import { usedSandboxes, type UsedExecutor } from '../used-executor.ts'
import type { VerdictRecord } from './verdict-record.ts'

const outcomeSchema = z.enum(outcomes)
const count = z.number().nonnegative()
const text = z.string()

const usageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count.exactOptional(),
  costUsd: count.exactOptional(),
  turns: count.exactOptional(),
  model: text.exactOptional(),
  durationMs: count,
}) satisfies z.ZodType<AgentUsage>

const reasonSchema = z.object({
  code: text,
  message: text,
  cause: text.exactOptional(),
  line: z.number().int().exactOptional(),
  file: text.exactOptional(),
}) satisfies z.ZodType<RecordedReason>

const sourceSchema = z.object({
  kind: z.enum(stepSourceKinds),
  reason: reasonSchema.exactOptional(),
}) satisfies z.ZodType<StepSource>

const executorSchema = z.object({
  sandbox: z.enum(usedSandboxes),
  why: text.exactOptional(),
}) satisfies z.ZodType<UsedExecutor>

const images = z.array(text).exactOptional()

const recordedStep = z.object({
  id: text,
  title: text,
  line: z.number().int().positive(),
  file: text.exactOptional(),
  outcome: outcomeSchema,
  assurance: z.enum(assurances).exactOptional(),
  source: sourceSchema.exactOptional(),
  executor: executorSchema.exactOptional(),
  reasons: z.array(reasonSchema),
  expected: z.array(reasonSchema).exactOptional(),
  change: text.exactOptional(),
  unreproduced: reasonSchema.exactOptional(),
  durationMs: count,
  images,
  passedRuns: z.number().int().nonnegative().exactOptional(),
})

const repeat = z.object({
  run: z.number().int().positive(),
  of: z.number().int().positive(),
  required: z.number().int().positive(),
})

export const verdictRecordSchema = z.object({
  version: z.literal(1),
  spec: text,
  scenario: text,
  attempt: z.number().int().positive(),
  repeat: repeat.exactOptional(),
  run: text,
  agent: text,
  startedAt: z.iso.datetime(),
  outcome: outcomeSchema,
  steps: z.array(recordedStep),
  usage: usageSchema.exactOptional(),
  images,
}) satisfies z.ZodType<VerdictRecord>
