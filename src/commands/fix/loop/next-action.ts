import type { FreshStartReason, RollBackReason, TestPurpose, TestsRan } from '../session/finished-acts.ts'
import {
  arePassesConfirmed,
  confirmedFailures,
  hasImproved,
  isWorse,
  newFailures,
  progressOf,
  writtenWhileJudged,
  type Progress,
} from '../session/session-progress.ts'
import type { fixResults, SessionState } from '../session/session-state.ts'
import { unstableNames } from '../../../test-runners/executed-tests.ts'

export type FixResult = (typeof fixResults)[number]

export type Action =
  | { readonly kind: 'configure-tests' }
  | { readonly kind: 'run-tests'; readonly purpose: TestPurpose }
  | { readonly kind: 'write-prompt' }
  | { readonly kind: 'implement' }
  | { readonly kind: 'roll-back'; readonly reason: RollBackReason }
  | { readonly kind: 'summarize'; readonly reason: FreshStartReason }
  | { readonly kind: 'start-session'; readonly reason: FreshStartReason }
  | { readonly kind: 'stop'; readonly result: FixResult; readonly reason: string }

const maxIdleCycles = 3
const maxSameSignature = 3
const maxIdleSessions = 3
/** After this many runs that all had different failures, another run would not help. */
const maxUnsureRuns = 5
const maxContextUtilization = 0.6

/** Chooses the next action from the saved state alone, so that a session can continue after a crash. */
export function nextAction(state: SessionState): Action {
  const progress = progressOf(state.history)
  if (progress.breakage !== undefined) return stop('error', progress.breakage)
  const limit = state.history.at(-1)?.kind === 'waited' ? exceededLimit(state, progress) : undefined
  if (limit !== undefined) return stop('incomplete', limit)
  if (progress.runner === undefined) return { kind: 'configure-tests' }
  const { openAttempt, runs } = progress
  if (openAttempt !== undefined && runs.length === 0 && openAttempt.protectedChanges.length > 0)
    return rollBack('protected-files')
  return judgeTests(progress, state.history) ?? goOn(state, progress)
}

function judgeTests(progress: Progress, history: SessionState['history']): Action | undefined {
  const { runs, attempts } = progress
  const last = runs.at(-1)
  // Run the tests after an attempt. After a rollback this is not necessary: the failures before the attempt are known.
  if (last === undefined && progress.openAttempt !== undefined) return { kind: 'run-tests', purpose: 'after-attempt' }
  if (last === undefined)
    return progress.accepted === undefined ? { kind: 'run-tests', purpose: 'baseline' } : undefined
  if (writtenWhileJudged(progress).length > 0) return rollBack('protected-files')
  if (isWorse(progress)) return rollBack(newFailures(progress).length > 0 ? 'made-worse' : 'tests-lost')
  if (confirmedFailures(progress) === undefined) return judgeUnsure(progress)
  if (last.failing.length > 0) return undefined
  if (last.blocked.length > 0)
    return stop(
      'error',
      `${last.blocked.length} tests could not be tried, first \`${last.blocked[0]}\`: nothing that changes the code would help.`,
    )
  if (last.total === 0) return stop('error', 'No test ran. Check the scope, or what the tests need to start.')
  if (attempts === 0 && runs.length === 1) return stop('success', `${passedSentence(last)} at the first run.`)
  if (!arePassesConfirmed(runs)) return { kind: 'run-tests', purpose: 'confirm-passing' }
  const areUnstable = history.some((act) => act.kind === 'tests-ran' && act.unstable !== undefined)
  return stop('success', `${passedSentence(last)}, twice in a row${areUnstable ? `; ${unstableNames}` : ''}.`)
}

/** Handles runs whose failures differ, for example because tests have random numbers in their names. */
function judgeUnsure(progress: Progress): Action {
  const { runs, openAttempt } = progress
  if (runs.length < maxUnsureRuns) return { kind: 'run-tests', purpose: 'confirm-failing' }
  if (openAttempt !== undefined) return rollBack('made-worse')
  const last = runs.at(-1)
  const [name] = [...(last?.failing ?? []), ...(last?.others ?? [])]
  return stop(
    'error',
    `In each of ${runs.length} runs a different test failed, most recently \`${name}\`, so there is nothing definite to fix.`,
  )
}

function passedSentence({ others }: TestsRan): string {
  if (others.length === 0) return 'All tests passed'
  return `All tests in the scope passed (outside of it ${others.length} failed, first \`${others[0]}\`)`
}

function goOn(state: SessionState, progress: Progress): Action {
  const { session, openSummary, idleSessions, hasPrompt } = progress
  const limit = exceededLimit(state, progress)
  if (limit !== undefined) return stop('incomplete', limit)
  if (openSummary !== undefined) return { kind: 'start-session', reason: openSummary }
  const isStuck = session.idleCycles >= maxIdleCycles || session.sameSignature >= maxSameSignature
  if (isStuck && idleSessions + 1 >= maxIdleSessions && !hasImproved(progress)) {
    return stop('stalled', `${maxIdleSessions} sessions in a row did not lower the number of failing tests.`)
  }
  if (isStuck) return { kind: 'summarize', reason: 'stuck' }
  if ((session.contextUtilization ?? 0) > maxContextUtilization) return { kind: 'summarize', reason: 'context' }
  return { kind: hasPrompt ? 'implement' : 'write-prompt' }
}

export function exceededLimit(state: SessionState, { attempts }: Pick<Progress, 'attempts'>): string | undefined {
  const { max_attempts: maxAttempts, max_minutes: maxMinutes, max_cost_usd: maxCostUsd } = state.settings
  if (attempts >= maxAttempts) return `All ${maxAttempts} attempts are used up.`
  if (maxMinutes !== null && state.elapsed_ms >= maxMinutes * 60_000) return `All ${maxMinutes} minutes are used up.`
  if (maxCostUsd === null) return undefined
  if ((state.cost_usd ?? 0) >= maxCostUsd) return `All ${maxCostUsd} US dollars are used up.`
  return state.calls_without_cost.length > state.accepted_without_cost
    ? `An agent call was interrupted before it reported its cost: ${maxCostUsd} US dollars may be used up.`
    : undefined
}

function rollBack(reason: RollBackReason): Action {
  return { kind: 'roll-back', reason }
}

function stop(result: FixResult, reason: string): Action {
  return { kind: 'stop', result, reason }
}
