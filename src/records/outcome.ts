export const outcomes = ['pass', 'fail', 'blocked', 'skipped'] as const // literals, for the type

export type Outcome = (typeof outcomes)[number]

/** How well a pass is backed by evidence, weakest first. */
export const assurances = ['claimed', 'observed', 'evidenced', 'witnessed', 'reproduced', 'verified'] as const // literals, for the type

export type Assurance = (typeof assurances)[number]

export function isWeaker(one: Assurance, other: Assurance): boolean {
  return assurances.indexOf(one) < assurances.indexOf(other)
}

export const excuse = ' This is not a failure of the product.'

/** A step's outcome over all runs of its scenario so far. The verdict alone covers only the last run. */
export function outcomeOfRuns(
  { outcome, passedRuns }: { readonly outcome: Outcome; readonly passedRuns?: number },
  repeat: { readonly required: number } | undefined,
): Outcome {
  if (repeat === undefined || passedRuns === undefined) return outcome
  if (passedRuns >= repeat.required) return 'pass'
  return outcome === 'pass' ? 'fail' : outcome
}

const worstFirst: readonly Outcome[] = ['fail', 'blocked', 'pass', 'skipped']

/** The worst outcome: fail, then blocked, then pass; `skipped` if all are skipped or the list is empty. */
export function summarizeOutcomes(outcomes: readonly Outcome[]): Outcome {
  return worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'skipped'
}
