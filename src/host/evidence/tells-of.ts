import { z } from 'zod'
import type { StepReport } from '../../records/result-log/result-log.ts'

const argumentsSchema = z.object({ step: z.string(), status: z.string().optional() })

/**
 * Whether a call of `report_step` with these arguments is where a report can have come from. Other arguments are not
 * compared: what a model left away or wrote otherwise is put right on the way. Where they are not told any call may be.
 */
export function tellsOf(input: unknown, { id, status }: StepReport): boolean {
  const told = argumentsSchema.safeParse(typeof input === 'string' ? parsed(input) : input)
  return !told.success || (told.data.step === id && (told.data.status ?? status) === status)
}

/** Some streams have arguments as JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
