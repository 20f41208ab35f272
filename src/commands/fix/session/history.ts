import { z } from 'zod'
import { leftOutSchema } from '../../attempt/changes/choose-changes.ts'
import { runnerNames } from '../../../test-runners/runners.ts'

const testName = z.string()

/** Why tests ran. */
export const testPurposes = ['baseline', 'after-attempt', 'confirm-failing', 'confirm-passing'] as const

/** Tests ran to their end. */
const testsRan = z.object({
  kind: z.literal('tests-ran'),
  purpose: z.enum(testPurposes),
  total: z.int().min(0),
  /** Names of tests that were executed before the attempt and were not now. */
  lost: z.array(testName).exactOptional(),
  /** Names of tests that failed, each once. */
  failing: z.array(testName),
  /** The same of tests outside the scope: they are not to be fixed, but none may be added. */
  others: z.array(testName),
  /** Names of tests that could not be tried. They are not in `failing`. */
  blocked: z.array(testName),
  /** The same for the same failures: a hash of names and messages without what differs from run to run. */
  signature: z.string(),
  /** What is known of them, a file in the session's folder. */
  resultsFile: z.string(),
  /** Files that judge, relative to the root, that were written to while the tests ran. */
  written: z.array(z.string()).optional(),
})

/** How an implementer ended. */
export const attemptOutcomes = ['done', 'no-change', 'waiting', 'broke-off'] as const

const attemptMade = z.object({
  kind: z.literal('attempt-made'),
  /** `waiting`: it says that it has to wait for something that is not its own. */
  outcome: z.enum(attemptOutcomes),
  /** What it says that it did, or why it broke off. */
  summary: z.string(),
  /** Name of the checkpoint before it; `-after` is appended for the one after it. */
  checkpoint: z.string(),
  /** Relative to the root, as seen on disk. */
  changedFiles: z.array(z.string()),
  /** Changes that do not count: they were taken out before the tests ran. They are not in `changedFiles`. */
  leftOut: z.array(leftOutSchema).optional(),
  /** Protected files (tests, specs, gates, snapshots) that it changed, relative to the root, and what it moved in git. */
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
  /** `null`: by a script. */
  z.object({ kind: z.literal('tests-configured'), runner: z.enum(runnerNames).nullable() }),
  testsRan,
  z.object({ kind: z.literal('prompt-written') }),
  attemptMade,
  /** `names`: of tests or files that are the reason. */
  z.object({ kind: z.literal('rolled-back'), reason: z.enum(rollBackReasons), names: z.array(z.string()) }),
  z.object({ kind: z.literal('summarized'), reason: z.enum(freshStartReasons) }),
  z.object({ kind: z.literal('session-started'), reason: z.enum(freshStartReasons) }),
  /** An agent's provider asked to come back later, until a limit of the session was reached; nothing has changed. */
  z.object({ kind: z.literal('waited'), reason: z.string() }),
  z.object({ kind: z.literal('broke'), message: z.string() }),
  /** Somebody wants to go on after the loop had stopped, and may have changed anything. */
  z.object({ kind: z.literal('resumed') }),
])

export type FinishedAct = z.infer<typeof finishedActSchema>
export type TestsRan = z.infer<typeof testsRan>
export type AttemptMade = z.infer<typeof attemptMade>
export type RollBackReason = (typeof rollBackReasons)[number]
export type FreshStartReason = (typeof freshStartReasons)[number]
export type TestPurpose = (typeof testPurposes)[number]
