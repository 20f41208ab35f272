import { attemptsOf, type Attempt } from '../../commands/fix/session/attempts.ts'
import type { AttemptMade, FinishedAct, TestsRan } from '../../commands/fix/session/history.ts'
import type { Accepted } from '../../commands/fix/session/judge-runs.ts'
import { progressOf } from '../../commands/fix/session/progress.ts'
import type { SessionState } from '../../commands/fix/session/session-state.ts'
import { compareTests, failuresOf, type ReadResults } from './compare-tests.ts'
import type { Chapter, SessionFile, ToldAttempt } from './session-record.ts'

/** What lies beside the state of a session, as far as it is there and can be read. */
export interface SessionMaterial {
  /** By the names of results files. */
  readonly results: ReadResults
  /** By attempts, from 1. */
  readonly asked: ReadonlyMap<number, Pick<ToldAttempt, 'prompt' | 'rootCause'>>
  /** When acts ended, by their places in the history. */
  readonly times: readonly (string | undefined)[]
  /** Of acts, by their places in the history. */
  readonly files: ReadonlyMap<number, readonly SessionFile[]>
}

/** Tells what was done, oldest first. Pure. */
export function tellChapters({ history, state }: SessionState, material: SessionMaterial): readonly Chapter[] {
  const attempts = attemptsOf(history)
  const cycles = cyclesOf(history)
  let made = 0
  let summarized = 0
  let session = 1
  return cycles.flatMap((cycle): readonly Chapter[] => {
    const { act } = cycle
    switch (act.kind) {
      case 'attempt-made': {
        const attempt = attempts[made++]
        return attempt === undefined ? [] : [tellAttempt(act, { attempt, cycle, history, material })]
      }
      case 'summarized': {
        const summary = state.summaries[summarized++]
        return summary === undefined ? [] : [{ kind: 'summary', ...summary }]
      }
      case 'session-started':
        return [{ kind: 'session', session: (session += 1), reason: act.reason }]
      case 'broke':
        return [{ kind: 'broke', message: act.message }]
      case 'resumed':
        return [{ kind: 'resumed' }, ...tellTests(cycle, material)]
      default:
        return tellTests(cycle, material)
    }
  })
}

/** An act, and the runs of tests that belong to it. */
interface Cycle {
  readonly act: FinishedAct
  /** Place of the act in the history. */
  readonly start: number
  /** Place behind what belongs to it. */
  readonly end: number
  readonly runs: readonly { readonly run: TestsRan; readonly index: number }[]
}

function cyclesOf(history: readonly FinishedAct[]): readonly Cycle[] {
  const cycles: Cycle[] = []
  for (const [index, act] of history.entries()) {
    const run = act.kind === 'tests-ran' ? [{ run: act, index }] : []
    const last = cycles.at(-1)
    const isPart = act.kind === 'tests-ran' || act.kind === 'rolled-back'
    if (isPart && last !== undefined)
      cycles[cycles.length - 1] = { ...last, end: index + 1, runs: [...last.runs, ...run] }
    else cycles.push({ act, start: index, end: index + 1, runs: run })
  }
  return cycles
}

function tellTests({ runs }: Cycle, { results, files }: SessionMaterial): readonly Chapter[] {
  const last = runs.at(-1)
  if (last === undefined) return []
  const { total, others, blocked } = last.run
  return [
    {
      kind: 'tests',
      total,
      failing: failuresOf(last.run.failing, results(last.run.resultsFile)),
      others: others.length,
      blocked,
      flaky: flakyIn(runs.map(({ run }) => run)),
      files: [...(files.get(last.index) ?? [])],
    },
  ]
}

interface AttemptParts {
  readonly attempt: Attempt
  readonly cycle: Cycle
  readonly history: readonly FinishedAct[]
  readonly material: SessionMaterial
}

function tellAttempt(made: AttemptMade, { attempt, cycle, history, material }: AttemptParts): ToldAttempt {
  const { start, runs } = cycle
  const { results, asked, files } = material
  const before = progressOf(history.slice(0, start)).accepted
  const last = runs.at(-1)
  const fate = fateOf(made, history.slice(0, cycle.end))
  return {
    kind: 'attempt',
    attempt: attempt.attempt,
    session: attempt.session,
    outcome: made.outcome,
    fate,
    verdict: (fate === 'open' ? undefined : attempt.verdict) ?? 'It was not judged: the session ended before.',
    ...asked.get(attempt.attempt),
    summary: made.summary,
    changedFiles: made.changedFiles,
    ...(made.leftOut && { leftOut: made.leftOut }),
    protectedFiles: made.protectedChanges,
    ...(before && { failingBefore: before.failing.length }),
    ...(last && { failingAfter: last.run.failing.length, total: last.run.total }),
    tests: last ? compareTests({ before, after: last.run }, results) : [],
    flaky: flakyIn(runs.map(({ run }) => run)),
    ...timeOf(start, material),
    files: [start, ...runs.map(({ index }) => index).slice(-1)].flatMap((index) => files.get(index) ?? []),
  }
}

/** @param history up to what became of the attempt */
function fateOf({ outcome, protectedChanges }: AttemptMade, history: readonly FinishedAct[]): ToldAttempt['fate'] {
  if (history.at(-1)?.kind === 'rolled-back') return 'undone'
  if (outcome === 'waiting' && protectedChanges.length === 0) return 'waited'
  return progressOf(history).openAttempt === undefined ? 'kept' : 'open'
}

/** What failed before the last run and not in it, without a change of the code. */
function flakyIn(runs: readonly Pick<Accepted, 'failing' | 'others'>[]): string[] {
  const last = new Set(runs.slice(-1).flatMap(({ failing, others }) => [...failing, ...others]))
  const earlier = runs.slice(0, -1).flatMap(({ failing, others }) => [...failing, ...others])
  return [...new Set(earlier)].filter((name) => !last.has(name))
}

function timeOf(index: number, { times }: SessionMaterial): Pick<ToldAttempt, 'startedAt' | 'durationMs'> {
  const [startedAt, endedAt] = [times[index - 1], times[index]]
  if (startedAt === undefined || endedAt === undefined) return {}
  return { startedAt, durationMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) }
}
