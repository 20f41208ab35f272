import { z } from 'zod'

const testName = z.string()

/** Why tests ran. */
export const testPurposes = ['baseline', 'after-attempt', 'confirm-failing', 'confirm-passing'] as const

/** Tests ran to their end. */
const testsRan = z.object({
  kind: z.literal('tests-ran'),
  purpose: z.enum(testPurposes),
  total: z.int().min(0),
  /** Names of tests that failed, each once. */
  failing: z.array(testName),
  /** Names of tests that could not be tried. They are not in `failing`. */
  blocked: z.array(testName),
  /** The same for the same failures: a hash of names and messages without what differs from run to run. */
  signature: z.string(),
})

/** How an implementer ended. */
export const attemptOutcomes = ['done', 'no-change', 'waiting', 'broke-off'] as const

const attemptMade = z.object({
  kind: z.literal('attempt-made'),
  /** `waiting`: it has to wait for something that is not its own, such as a limit of its provider. */
  outcome: z.enum(attemptOutcomes),
  /** Protected files (tests, specs, gates, snapshots) that it changed, relative to the root. */
  protectedChanges: z.array(z.string()),
  /** Tokens of its last request over the model's window, 0 to 1. */
  contextUtilization: z.number().min(0).max(1).nullable(),
})

/** Why work is undone. */
export const rollBackReasons = ['protected-files', 'made-worse', 'tests-lost'] as const
/** Why an implementer makes room for a new one. */
export const freshStartReasons = ['stuck', 'context'] as const

/** A finished act. What happened is told by these alone, in order. */
export const finishedActSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tests-configured') }),
  testsRan,
  z.object({ kind: z.literal('prompt-written') }),
  attemptMade,
  z.object({ kind: z.literal('rolled-back'), reason: z.enum(rollBackReasons) }),
  z.object({ kind: z.literal('summarized'), reason: z.enum(freshStartReasons) }),
  z.object({ kind: z.literal('session-started'), reason: z.enum(freshStartReasons) }),
  z.object({ kind: z.literal('broke'), message: z.string() }),
])

export type FinishedAct = z.infer<typeof finishedActSchema>
export type TestsRan = z.infer<typeof testsRan>
export type AttemptMade = z.infer<typeof attemptMade>
export type RollBackReason = (typeof rollBackReasons)[number]
export type FreshStartReason = (typeof freshStartReasons)[number]
export type TestPurpose = (typeof testPurposes)[number]
