import { z } from 'zod'

/** `implementer_status.json`: what an implementer says of its attempt. It is never believed: the tests say whether it is so. */
export const implementerStatusSchema = z.strictObject({
  status: z.enum(['done', 'no-change', 'waiting']),
  /** What was wrong and what was changed, a few sentences. */
  summary: z.string(),
  root_cause: z.string(),
  changed_files: z.array(z.string()),
})

export type ImplementerStatus = z.infer<typeof implementerStatusSchema>
