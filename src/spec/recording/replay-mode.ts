/**
 * When recordings replace the agent. `auto`: if they fit; the agent does the rest. `only`: always, and a step without
 * a recording fails. `off`: never.
 */
export const replayModes = ['auto', 'only', 'off'] as const // literal types

export type ReplayMode = (typeof replayModes)[number]

/** Whether a pass must be repeatable without the agent. `warn`: if it is not, the pass gets a lower assurance. */
export const reproduceModes = [true, 'warn', false] as const // literal types

export type ReproduceMode = (typeof reproduceModes)[number]
