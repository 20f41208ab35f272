import type { RunnerName } from '../../../test-runners/runners.ts'
import type { AttemptMade, FinishedAct, FreshStartReason, TestsRan } from './finished-acts.ts'

export interface JudgedRuns {
  /** Test runs of the current code, oldest first. Empty until the tests have run after a change. */
  readonly runs: readonly TestsRan[]
  /** The last state that was accepted, with its failures. Undefined until the first results are confirmed. */
  readonly accepted: Accepted | undefined
  readonly openAttempt: AttemptMade | undefined
  /** Tests and configuration that the tests themselves wrote before the first attempt. */
  readonly ownWrites: readonly string[]
}

export type Accepted = Pick<
  TestsRan,
  'total' | 'failing' | 'others' | 'signature' | 'resultsFile' | 'unstable' | 'renamed'
>

export interface Progress extends JudgedRuns {
  /** `undefined` until the tests are configured; `null` if a script runs the tests. */
  readonly runner: RunnerName | null | undefined
  readonly attempts: number
  readonly hasPrompt: boolean
  readonly openSummary: FreshStartReason | undefined
  readonly session: SessionProgress
  readonly idleSessions: number
  readonly breakage: string | undefined
}

interface SessionProgress {
  readonly failingAtStart: number | undefined
  readonly idleCycles: number
  readonly sameSignature: number
  readonly contextUtilization: number | null
}

const freshSession: SessionProgress = {
  ...{ failingAtStart: undefined, idleCycles: 0, sameSignature: 0, contextUtilization: null },
}

const start: Progress = {
  ...{ runner: undefined, attempts: 0, runs: [], accepted: undefined, openAttempt: undefined, ownWrites: [] },
  ...{ hasPrompt: false, openSummary: undefined, session: freshSession, idleSessions: 0, breakage: undefined },
}

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
    case 'resumed': {
      const { runner, attempts, ownWrites } = progress
      return { ...start, runner, attempts, ownWrites }
    }
    default:
      return act satisfies never
  }
}

function afterAttempt(progress: Progress, attempt: AttemptMade): Progress {
  const contextUtilization = attempt.contextUtilization ?? progress.session.contextUtilization
  const session = { ...progress.session, contextUtilization }
  const next = { ...progress, attempts: progress.attempts + 1, hasPrompt: false, session }
  if (attempt.outcome === 'waiting' && attempt.protectedChanges.length === 0) return next
  return { ...next, runs: [], openAttempt: attempt }
}

/** Collects files that the tests write before the first attempt. No later attempt is blamed for these files. */
function ownWritesAfter({ ownWrites, openAttempt, attempts }: Progress, { written = [] }: TestsRan): readonly string[] {
  return openAttempt === undefined && attempts === 0 ? [...ownWrites, ...written] : ownWrites
}

function afterTests(progress: Progress): Progress {
  const failing = confirmedFailures(progress)
  const last = progress.runs.at(-1)
  if (failing === undefined || last === undefined || isWorse(progress)) return progress
  if (writtenWhileJudged(progress).length > 0) return progress
  const { total, others, signature, resultsFile, renamed } = last
  const { unstable } = progress.runs.length > 1 ? last : (progress.accepted ?? last)
  const accepted = { total, failing: [...failing], others, signature, resultsFile, unstable, renamed }
  if (progress.accepted === undefined) return { ...progress, accepted, session: startFrom(progress.session, accepted) }
  if (progress.openAttempt === undefined || (failing.length === 0 && !arePassesConfirmed(progress.runs)))
    return progress
  return afterCycle({ ...progress, accepted, openAttempt: undefined }, progress.accepted)
}

function afterCycle(progress: Progress, before: Accepted | undefined): Progress {
  const { accepted, session } = progress
  if (accepted === undefined || before === undefined) return progress
  const idleCycles = accepted.failing.length < before.failing.length ? 0 : session.idleCycles + 1
  const sameSignature = accepted.signature === before.signature ? session.sameSignature + 1 : 1
  return { ...progress, session: { ...session, idleCycles, sameSignature } }
}

function startFrom(session: SessionProgress, accepted: Accepted): SessionProgress {
  return { ...session, failingAtStart: accepted.failing.length, idleCycles: 0, sameSignature: 1 }
}

function afterSession(progress: Progress): Progress {
  const { accepted, idleSessions } = progress
  return {
    ...progress,
    openSummary: undefined,
    hasPrompt: false,
    session: accepted === undefined ? freshSession : startFrom(freshSession, accepted),
    idleSessions: hasImproved(progress) ? 0 : idleSessions + 1,
  }
}

export function hasImproved({ accepted, session }: Pick<Progress, 'accepted' | 'session'>): boolean {
  return (accepted?.failing.length ?? 0) < (session.failingAtStart ?? 0)
}

export function arePassesConfirmed(runs: readonly TestsRan[]): boolean {
  const [last, beforeLast] = runs.toReversed()
  return last?.failing.length === 0 && beforeLast?.failing.length === 0
}

/** Tests and configuration that the test runs after an attempt wrote, except `ownWrites`. */
export function writtenWhileJudged({ runs, openAttempt, ownWrites }: Omit<JudgedRuns, 'accepted'>): readonly string[] {
  if (openAttempt === undefined) return []
  const written = new Set(runs.flatMap((run) => run.written ?? []))
  return [...written].filter((path) => !ownWrites.includes(path))
}

export function isWorse(judged: JudgedRuns): boolean {
  const { accepted, openAttempt, runs } = judged
  if (accepted === undefined || openAttempt === undefined || confirmedFailures(judged) === undefined) return false
  return newFailures(judged).length > 0 || (runs.at(-1)?.lost?.length ?? 0) > 0
}

export function newFailures({ accepted, runs }: Pick<JudgedRuns, 'accepted' | 'runs'>): readonly string[] {
  const last = runs.at(-1)
  if (accepted === undefined || last === undefined) return []
  const known = new Set(allFailing(accepted))
  const added = allFailing(last).filter((name) => !known.has(name))
  const renamed = new Set(last.renamed)
  const isWithin = renamed.size <= (accepted.renamed?.length ?? 0)
  return isWithin ? added.filter((name) => !renamed.has(name)) : added
}

function allFailing({ failing, others }: Pick<Accepted, 'failing' | 'others'>): readonly string[] {
  return [...failing, ...others]
}

/** Failures of the last run. `undefined` if a failure appeared for the first time, because it may be flaky. */
export function confirmedFailures(judged: Pick<JudgedRuns, 'runs' | 'accepted'>): readonly string[] | undefined {
  const { runs, accepted } = judged
  const last = runs.at(-1)
  if (last === undefined) return undefined
  // Lost tests need a second run, because names of tests may differ from run to run.
  if (runs.length === 1 && last.lost !== undefined) return undefined
  const known = new Set([...(accepted ? allFailing(accepted) : []), ...runs.slice(0, -1).flatMap(allFailing)])
  return allFailing(last).every((name) => known.has(name) || last.renamed?.includes(name)) ? last.failing : undefined
}
