import { z } from 'zod'
import type { StepReport } from '../../records/result-log/result-log.ts'

const argumentsSchema = z.object({ step: z.string(), status: z.string().optional() })

/**
 * Whether a report can come from a call of `report_step` with these arguments. Compares step and status only: other
 * arguments may be corrected on the way. A call without known arguments may be any report.
 */
export function matchesReport(input: unknown, { id, status }: StepReport): boolean {
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
