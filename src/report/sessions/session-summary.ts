import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import type { Outcome } from '../../records/outcome.ts'
import { keyOfSession } from '../records/stored-records.ts'
import type { SessionRecord, ToldAttempt } from './session-record.ts'

/** What the page knows of a session before it is opened. */
export interface SessionSummary {
  /** Name of its content in `sessions/`. */
  readonly key: string
  /** Its address: the id of the session. */
  readonly anchor: string
  readonly feature: string
  readonly outcome: Outcome
  /** How it ended. */
  readonly word: string
  readonly attempts: readonly { readonly anchor: string; readonly outcome: Outcome; readonly title: string }[]
  readonly total: number | null
  readonly failingFirst: number | null
  readonly failingLast: number | null
  readonly startedAt: string
  readonly durationMs: number
  readonly costUsd?: number
  /** Why it ended and what fails, a line each. */
  readonly reasons: readonly string[]
}

/** A session that is there and cannot be read. */
export interface UnreadableSession {
  readonly id: string
  /** A sentence. */
  readonly why: string
}

/** What the page of sessions begins with, in `sessions.js`. */
export interface SessionsSummary {
  readonly sessions: readonly SessionSummary[]
  readonly unreadable: readonly UnreadableSession[]
}

const maxReasonCharacters = 240
const maxReasons = 3

/** Sums up a session for the page. */
export function summarizeSession(record: SessionRecord): SessionSummary {
  const { id, feature, total, failingFirst, failingLast, startedAt, durationMs, costUsd, reason, failing } = record
  const attempts = record.chapters.filter((chapter): chapter is ToldAttempt => chapter.kind === 'attempt')
  const why = [
    ...(reason === null || record.result === 'success' ? [] : [reason]),
    ...failing.map(({ key }) => `still fails: ${key}`),
  ]
  return {
    key: keyOfSession(record),
    anchor: id,
    feature,
    ...sessionOutcome(record),
    attempts: attempts.map((attempt) => ({
      anchor: attemptAnchor(attempt),
      outcome: attemptOutcome(attempt).outcome,
      title: cutLine(plainLine(attempt.summary), maxReasonCharacters),
    })),
    total,
    failingFirst,
    failingLast,
    startedAt,
    durationMs,
    ...(costUsd !== undefined && { costUsd }),
    reasons: why.slice(0, maxReasons).map((each) => cutLine(plainLine(each), maxReasonCharacters)),
  }
}

/** What something came to: a word, and the outcome of a step whose color and mark it has. */
interface OutcomeWord {
  readonly outcome: Outcome
  readonly word: string
}

/** How a session ended. */
function sessionOutcome({ result }: Pick<SessionRecord, 'result'>): OutcomeWord {
  if (result === null) return { outcome: 'skipped', word: 'not over' }
  if (result === 'success') return { outcome: 'pass', word: result }
  // Nothing is said of the code.
  return { outcome: result === 'error' ? 'blocked' : 'fail', word: result }
}

/** What an attempt came to. */
export function attemptOutcome({ fate, failingBefore = 0, failingAfter = 0 }: ToldAttempt): OutcomeWord {
  if (fate === 'undone') return { outcome: 'fail', word: 'undone' }
  if (fate === 'waited') return { outcome: 'skipped', word: 'waited' }
  if (fate === 'open') return { outcome: 'skipped', word: 'not judged' }
  if (failingAfter < failingBefore) return { outcome: 'pass', word: 'helped' }
  return { outcome: 'skipped', word: 'no progress' }
}

/** The address of an attempt in its session. */
export function attemptAnchor({ attempt }: Pick<ToldAttempt, 'attempt'>): string {
  return `attempt-${attempt}`
}
