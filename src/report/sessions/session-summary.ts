import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import type { Outcome } from '../../records/outcome.ts'
import { keyOfSession } from '../records/stored-records.ts'
import type { SessionRecord, ToldAttempt } from './session-record.ts'
import { attemptAnchor, attemptOutcome, sessionOutcome } from './session-words.ts'

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
