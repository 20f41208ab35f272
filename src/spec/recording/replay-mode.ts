/**
 * When recordings take the place of the agent. `auto`: where they have what a scenario needs; the rest is the agent's.
 * `only`: always, and a step without one fails. `off`: never.
 */
export const replayModes = ['auto', 'only', 'off'] as const // literals, for the type

export type ReplayMode = (typeof replayModes)[number]

/** Whether a pass of an agent is repeated without it before it counts; `warn`: one that cannot be is lowered only. */
export const reproduceModes = [true, 'warn', false] as const // literals, for the type

export type ReproduceMode = (typeof reproduceModes)[number]
