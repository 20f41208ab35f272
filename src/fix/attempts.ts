import type { AttemptMade, FinishedAct } from './history.ts'

/** An attempt and what became of it. */
export interface Attempt extends Pick<AttemptMade, 'outcome' | 'summary' | 'changedFiles'> {
  /** From 1. */
  readonly attempt: number
  /** Of implementers, from 1. */
  readonly session: number
  /** `undefined` where that is not known yet. */
  readonly verdict: string | undefined
  readonly failingAfter: number | undefined
}

/** All attempts, oldest first. Pure. */
export function attemptsOf(history: readonly FinishedAct[]): readonly Attempt[] {
  const attempts: Attempt[] = []
  let session = 1
  for (const act of history) {
    if (act.kind === 'session-started') session += 1
    if (act.kind === 'attempt-made') {
      const { outcome, summary, changedFiles } = act
      const verdict = outcome === 'waiting' ? 'It had to wait.' : undefined
      attempts.push({ attempt: attempts.length + 1, session, outcome, summary, changedFiles, verdict, failingAfter: undefined })
    }
    const last = attempts.at(-1)
    if (last === undefined) continue
    const told = verdictOf(act)
    if (told !== undefined) attempts[attempts.length - 1] = { ...last, ...told }
  }
  return attempts
}

const undoneBecause = {
  'protected-files': 'It was undone, because it changed what may not be changed',
  'made-worse': 'It was undone, because it made other tests fail',
  'tests-lost': 'It was undone, because fewer tests ran than before',
} as const // literals

function verdictOf(act: FinishedAct): Pick<Attempt, 'verdict' | 'failingAfter'> | undefined {
  if (act.kind === 'tests-ran' && act.purpose !== 'baseline') {
    return { verdict: `It was kept: ${act.failing.length} of ${act.total} tests fail.`, failingAfter: act.failing.length }
  }
  if (act.kind !== 'rolled-back') return undefined
  const names = act.names.length === 0 ? '.' : `: ${act.names.map((name) => `\`${name}\``).join(', ')}.`
  return { verdict: `${undoneBecause[act.reason]}${names}`, failingAfter: undefined }
}
