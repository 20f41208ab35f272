import { z } from 'zod'
import { assurances, outcomes } from '../outcome.ts'

/** The newest outcome of a scenario that proves requirements, in `X.logs/outcomes/`. */
export const scenarioOutcomeSchema = z.object({
  version: z.literal(1),
  /** Path of the spec relative to the suite root, with slashes. */
  spec: z.string(),
  scenario: z.string(),
  outcome: z.enum(outcomes),
  /** Of a pass: how it is backed. */
  assurance: z.enum(assurances).exactOptional(),
  /** ISO 8601 UTC. */
  endedAt: z.iso.datetime(),
  /** Name of the agent; absent where a recording stood in for it, or none was needed. */
  agent: z.string().exactOptional(),
  /** What was proved: by requirement, a key of what it and the scenario said. */
  proves: z.record(z.string(), z.string()),
})

/** The newest outcome of a scenario that proves requirements. */
export type ScenarioOutcome = z.infer<typeof scenarioOutcomeSchema>
