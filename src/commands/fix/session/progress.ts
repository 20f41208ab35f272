import type { RunnerName } from '../../../test-runners/runners.ts'
import type { AttemptMade, FinishedAct, FreshStartReason, TestsRan } from './history.ts'
import {
  arePassesConfirmed,
  confirmedFailures,
  isWorse,
  writtenWhileJudged,
  type Accepted,
  type JudgedRuns,
} from './judge-runs.ts'

/** Where the work stands, computed from what was done. */
export interface Progress extends JudgedRuns {
  /** Undefined before the tests are configured; `null`: by a script. */
  readonly runner: RunnerName | null | undefined
  readonly attempts: number
  /** Whether a prompt is there that no attempt was made with. */
  readonly hasPrompt: boolean
  /** What was summarized, where no session has started from it yet. */
  readonly openSummary: FreshStartReason | undefined
  readonly session: SessionProgress
  /** Sessions before this one that ended without fewer failing tests, in a row. */
  readonly idleSessions: number
  readonly breakage: string | undefined
}

/** One implementer, until another one starts anew. */
export interface SessionProgress {
  /** How many tests failed when it began. */
  readonly failingAtStart: number | undefined
  /** Attempts in a row that did not lower the number of failing tests. Waiting does not count. */
  readonly idleCycles: number
  /** How often in a row the last signature was seen. */
  readonly sameSignature: number
  readonly contextUtilization: number | null
}

const freshSession: SessionProgress = {
  failingAtStart: undefined,
  idleCycles: 0,
  sameSignature: 0,
  contextUtilization: null,
}

const start: Progress = {
  runner: undefined,
  attempts: 0,
  runs: [],
  accepted: undefined,
  openAttempt: undefined,
  ownWrites: [],
  hasPrompt: false,
  openSummary: undefined,
  session: freshSession,
  idleSessions: 0,
  breakage: undefined,
}

/** Folds what was done, oldest first. Pure. */
export function progressOf(history: readonly FinishedAct[]): Progress {
  return history.reduce(advance, start)
}

function advance(progress: Progress, act: FinishedAct): Progress {
  switch (act.kind) {
    case 'tests-configured':
      return { ...progress, runner: act.runner }
    case 'tests-ran':
      return afterTests({ ...progress, runs: [...progress.runs, act], ownWrites: ownWritesAfter(progress, act) })
    case 'prompt-written':
      return { ...progress, hasPrompt: true }
    case 'attempt-made':
      return afterAttempt(progress, act)
    case 'rolled-back':
      return afterCycle({ ...progress, runs: [], openAttempt: undefined }, progress.accepted)
    case 'summarized':
      return { ...progress, openSummary: act.reason }
    case 'session-started':
      return afterSession(progress)
    case 'waited':
      return progress
    case 'broke':
      return { ...progress, breakage: act.message }
    case 'resumed':
      return {
        ...start,
        runner: progress.runner,
        attempts: progress.attempts,
        ownWrites: progress.ownWrites,
        session: { ...freshSession },
      }
    default:
      return act satisfies never
  }
}

function afterAttempt(progress: Progress, attempt: AttemptMade): Progress {
  const session = {
    ...progress.session,
    contextUtilization: attempt.contextUtilization ?? progress.session.contextUtilization,
  }
  const next = { ...progress, attempts: progress.attempts + 1, hasPrompt: false, session }
  if (attempt.outcome === 'waiting' && attempt.protectedChanges.length === 0) return next
  return { ...next, runs: [], openAttempt: attempt }
}

/** Until work is accepted the code is the user's. */
function ownWritesAfter({ ownWrites, openAttempt, attempts }: Progress, { written = [] }: TestsRan): readonly string[] {
  return openAttempt === undefined && attempts === 0 ? [...ownWrites, ...written] : ownWrites
}

/** Accepts what the tests say as soon as they are sure of it and it is not worse than before. */
function afterTests(progress: Progress): Progress {
  const failing = confirmedFailures(progress)
  const last = progress.runs.at(-1)
  if (failing === undefined || last === undefined || isWorse(progress)) return progress
  if (writtenWhileJudged(progress).length > 0) return progress
  const { total, others, signature, resultsFile } = last
  const accepted = { total, failing, others, signature, resultsFile }
  if (progress.accepted === undefined) return { ...progress, accepted, session: begin(progress.session, accepted) }
  if (progress.openAttempt === undefined || (failing.length === 0 && !arePassesConfirmed(progress.runs)))
    return progress
  return afterCycle({ ...progress, accepted, openAttempt: undefined }, progress.accepted)
}

function afterCycle(progress: Progress, before: Accepted | undefined): Progress {
  const { accepted, session } = progress
  if (accepted === undefined || before === undefined) return progress
  const isBetter = accepted.failing.length < before.failing.length
  const isSame = accepted.signature === before.signature
  return {
    ...progress,
    session: {
      ...session,
      idleCycles: isBetter ? 0 : session.idleCycles + 1,
      sameSignature: isSame ? session.sameSignature + 1 : 1,
    },
  }
}

function begin(session: SessionProgress, accepted: Accepted): SessionProgress {
  return { ...session, failingAtStart: accepted.failing.length, idleCycles: 0, sameSignature: 1 }
}

function afterSession(progress: Progress): Progress {
  const { accepted, session, idleSessions } = progress
  const hasImproved = (accepted?.failing.length ?? 0) < (session.failingAtStart ?? 0)
  return {
    ...progress,
    openSummary: undefined,
    hasPrompt: false,
    session: accepted === undefined ? freshSession : begin(freshSession, accepted),
    idleSessions: hasImproved ? 0 : idleSessions + 1,
  }
}
