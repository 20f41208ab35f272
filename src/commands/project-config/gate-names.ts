/** The gates of a project, in the order in which they run. */
export const gateNames = ['compile', 'lint', 'test'] as const
export type GateName = (typeof gateNames)[number]
