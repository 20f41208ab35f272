import type { AttemptMade, TestsRan } from './history.ts'

/** Runs of the tests, and what they are held against. */
export interface JudgedRuns {
  /** Since the code last changed, oldest first. Empty before the first one, and right after an attempt. */
  readonly runs: readonly TestsRan[]
  /** The state that is kept: what failed, confirmed, when work was last accepted. Undefined before the first time. */
  readonly accepted: Accepted | undefined
  /** The attempt that is not judged yet. */
  readonly openAttempt: AttemptMade | undefined
  /** Files that judge, to which the tests write by themselves: they did before the first attempt. */
  readonly ownWrites: readonly string[]
}

export interface Accepted {
  readonly total: number
  readonly failing: readonly string[]
  readonly others: readonly string[]
  readonly signature: string
  readonly resultsFile: string
}

/** Whether all tests passed twice in a row. */
export function arePassesConfirmed(runs: readonly TestsRan[]): boolean {
  const [last, beforeLast] = runs.toReversed()
  return last?.failing.length === 0 && beforeLast?.failing.length === 0
}

/** Files that judge and were written to while the tests of an attempt ran: by the product, or by a process that the attempt left behind. */
export function writtenWhileJudged({
  runs,
  openAttempt,
  ownWrites,
}: Pick<JudgedRuns, 'runs' | 'openAttempt' | 'ownWrites'>): readonly string[] {
  if (openAttempt === undefined) return []
  const written = new Set(runs.flatMap((run) => run.written ?? []))
  return [...written].filter((path) => !ownWrites.includes(path))
}

/** Whether tests fail, surely, that did not before the attempt, or are gone. */
export function isWorse(judged: JudgedRuns): boolean {
  const { accepted, openAttempt } = judged
  if (accepted === undefined || openAttempt === undefined || confirmedFailures(judged) === undefined) return false
  return newFailures(judged).length > 0 || areTestsLost(judged)
}

/** Tests that failed in the last run and did not before the attempt. */
export function newFailures({ accepted, runs }: Pick<JudgedRuns, 'accepted' | 'runs'>): readonly string[] {
  const last = runs.at(-1)
  if (accepted === undefined || last === undefined) return []
  const known = new Set(allFailing(accepted))
  return allFailing(last).filter((name) => !known.has(name))
}

/** Whether tests that ran before the attempt did not run now, even if others ran in their place. */
function areTestsLost({ runs }: Pick<JudgedRuns, 'runs'>): boolean {
  return (runs.at(-1)?.lost?.length ?? 0) > 0
}

function allFailing({ failing, others }: Pick<Accepted, 'failing' | 'others'>): readonly string[] {
  return [...failing, ...others]
}

/**
 * Tests in the scope that fail now, or `undefined` while that is not sure: each has to have failed before, in a run since
 * the code last changed or before the attempt, those outside the scope, too. One that failed once and passed later is
 * flaky, and does not count.
 */
export function confirmedFailures({
  runs,
  accepted,
}: Pick<JudgedRuns, 'runs' | 'accepted'>): readonly string[] | undefined {
  const last = runs.at(-1)
  if (last === undefined) return undefined
  const known = new Set([...(accepted ? allFailing(accepted) : []), ...runs.slice(0, -1).flatMap(allFailing)])
  return allFailing(last).every((name) => known.has(name)) ? last.failing : undefined
}
