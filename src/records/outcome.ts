export const outcomes = ['pass', 'fail', 'blocked', 'skipped'] as const // literals, for the type

export type Outcome = (typeof outcomes)[number]

/** How a pass can be backed, weakest first. */
export const assurances = ['claimed', 'observed', 'evidenced', 'witnessed', 'reproduced', 'verified'] as const // literals, for the type

export type Assurance = (typeof assurances)[number]

export function isWeaker(one: Assurance, other: Assurance): boolean {
  return assurances.indexOf(one) < assurances.indexOf(other)
}

export const excuse = ' This is not a failure of the product.'

/** What became of a step in all runs of its scenario up to now: the last verdict is on its last run alone. */
export function outcomeOfRuns(
  { outcome, passedRuns }: { readonly outcome: Outcome; readonly passedRuns?: number },
  repeat: { readonly required: number } | undefined,
): Outcome {
  if (repeat === undefined || passedRuns === undefined) return outcome
  if (passedRuns >= repeat.required) return 'pass'
  return outcome === 'pass' ? 'fail' : outcome
}
