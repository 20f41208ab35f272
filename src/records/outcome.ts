export const outcomes = ['pass', 'fail', 'blocked', 'skipped'] as const // literals, for the type

/** What became of a step, a scenario or a spec. */
export type Outcome = (typeof outcomes)[number]
