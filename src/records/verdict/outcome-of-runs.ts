import type { Outcome } from '../outcome.ts'
import type { RecordedStep, VerdictRecord } from './verdict-record.ts'

/** What became of a step in all runs of its scenario up to now: the last verdict is on its last run alone. */
export function outcomeOfRuns(
  { outcome, passedRuns }: Pick<RecordedStep, 'outcome' | 'passedRuns'>,
  repeat: VerdictRecord['repeat'],
): Outcome {
  if (repeat === undefined || passedRuns === undefined) return outcome
  if (passedRuns >= repeat.required) return 'pass'
  return outcome === 'pass' ? 'fail' : outcome
}
