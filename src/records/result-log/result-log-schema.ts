import { z } from 'zod'
import { outcomes } from '../outcome.ts'
import { usedSandboxes } from '../used-executor.ts'
import type { ResultLog, StepResult } from './result-log.ts'

const status = z.enum(outcomes)
const count = z.number().nonnegative()
const place = z.number().int().positive()
const evidence = z.array(z.union([z.string(), z.object({ quote: z.string(), step: z.string().optional() })]))
const said = { status, observed: z.string().optional(), evidence: evidence.optional() }
const checkResult = z.object({ n: place.optional(), line: place.optional(), ...said })

export const stepResultSchema = z.object({
  id: z.string(),
  ...said,
  checks: z.array(checkResult).optional(),
}) satisfies z.ZodType<StepResult>

const usage = z.object({
  model: z.string().optional(),
  turns: count.optional(),
  'input-tokens': count,
  'output-tokens': count,
  'cached-input-tokens': count.optional(),
  'cost-usd': count.optional(),
  'duration-ms': count,
})

const reason = z.object({ code: z.string(), message: z.string() })

/** Validates the front matter of a result log. Wrong values of keys that only mdtest writes are ignored. */
export const frontMatterSchema = z.object({
  status: z.enum(['pass', 'fail']),
  run: z.string().optional(),
  'written-by': z.literal('mdtest').optional().catch(undefined),
  scenario: z.string().optional().catch(undefined),
  attempt: place.optional().catch(undefined),
  executor: z.literal('mdtest').optional().catch(undefined),
  sandbox: z.enum(usedSandboxes).optional().catch(undefined),
  outcome: status.optional().catch(undefined),
  reasons: z.array(reason).optional().catch(undefined),
  usage: usage.optional().catch(undefined),
  steps: z.array(stepResultSchema).optional(),
}) satisfies z.ZodType<ResultLog>
