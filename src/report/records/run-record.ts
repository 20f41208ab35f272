import { z } from 'zod'

const count = z.number().int().nonnegative()

const revisionSchema = z.object({
  commit: z.string(),
  branch: z.string().exactOptional(),
  /** Tracked files are not as they are in the commit. */
  isModified: z.literal(true).exactOptional(),
})

/** Which state of the project was run. */
export type Revision = z.infer<typeof revisionSchema>

/** What a report tells of a run apart from its specs, in `data/`. Several where reports were merged. */
export const runRecordSchema = z.object({
  version: z.literal(1),
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  /** Absent where the run did not come to its end, or not yet. */
  endedAt: z.iso.datetime().exactOptional(),
  /** From start to end of what was run, idle time of watch mode left out. Absent in older records, and where results were merged. */
  wallTimeMs: z.number().nonnegative().exactOptional(),
  /** What git says of the project; absent without git, and in older records. */
  revision: revisionSchema.exactOptional(),
  /** How many specs were to be run. */
  specs: count,
  /** Tests that are no specs. */
  otherTests: z.object({ pass: count, fail: count, skipped: count }),
  /** Errors outside of any test file. */
  errors: z.array(z.string()),
})

/** What a report tells of a run apart from its specs. */
export type RunRecord = z.infer<typeof runRecordSchema>
