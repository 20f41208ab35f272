export const outcomes = ['pass', 'fail', 'blocked', 'skipped'] as const

export type Outcome = (typeof outcomes)[number]

/** How well a pass is backed by evidence, weakest first. */
export const assurances = ['claimed', 'observed', 'evidenced', 'witnessed', 'reproduced', 'verified'] as const

export type Assurance = (typeof assurances)[number]

export function isWeaker(one: Assurance, other: Assurance): boolean {
  return assurances.indexOf(one) < assurances.indexOf(other)
}

export const excuse = ' This is not a failure of the product.'

/** Outcome of a step over all runs of its scenario until now. A verdict is only about the last run. */
export function outcomeOfRuns(
  { outcome, passedRuns }: { readonly outcome: Outcome; readonly passedRuns?: number },
  repeat: { readonly required: number } | undefined,
): Outcome {
  if (repeat === undefined || passedRuns === undefined) return outcome
  if (passedRuns >= repeat.required) return 'pass'
  return outcome === 'pass' ? 'fail' : outcome
}

const worstFirst: readonly Outcome[] = ['fail', 'blocked', 'pass', 'skipped']

/** The worst outcome: `fail`, then `blocked`, then `pass`. `skipped` if there is no other outcome. */
export function summarizeOutcomes(outcomes: readonly Outcome[]): Outcome {
  return worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'skipped'
}
