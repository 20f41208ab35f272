/**
 * When recordings replace the agent. `auto`: if they fit; the agent does the rest. `only`: always, and a step without
 * a recording fails. `off`: never.
 */
export const replayModes = ['auto', 'only', 'off'] as const // literal types

export type ReplayMode = (typeof replayModes)[number]

/** Whether an agent's pass counts only if mdtest can repeat it without the agent. `warn`: otherwise it is lowered. */
export const reproduceModes = [true, 'warn', false] as const // literal types

export type ReproduceMode = (typeof reproduceModes)[number]
