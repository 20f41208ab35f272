import { z } from 'zod'

const count = z.number().int().nonnegative()

/** What a report tells of a run apart from its specs, in `data/`. Several where reports were merged. */
export const runRecordSchema = z.object({
  version: z.literal(1),
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  /** Absent where the run did not come to its end, or not yet. */
  endedAt: z.iso.datetime().exactOptional(),
  /** How many specs were to be run. */
  specs: count,
  /** Tests that are no specs. */
  otherTests: z.object({ pass: count, fail: count, skipped: count }),
  /** Errors outside of any test file. */
  errors: z.array(z.string()),
})

/** What a report tells of a run apart from its specs. */
export type RunRecord = z.infer<typeof runRecordSchema>
