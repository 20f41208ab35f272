export const outcomes = ['pass', 'fail', 'blocked', 'skipped'] as const // literals, for the type

/** What became of a step, a scenario or a spec. */
export type Outcome = (typeof outcomes)[number]

/** How a pass can be backed, weakest first. */
export const assurances = ['claimed', 'observed', 'evidenced', 'witnessed', 'reproduced', 'verified'] as const // literals, for the type

export type Assurance = (typeof assurances)[number]

export function isWeaker(one: Assurance, other: Assurance): boolean {
  return assurances.indexOf(one) < assurances.indexOf(other)
}

/** What is said of a step that could not be tried, behind the reason. */
export const excuse = ' This is not a failure of the product.'
