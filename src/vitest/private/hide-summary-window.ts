import type { Vitest } from 'vitest/node'

/** Reporters of Vitest that draw a window at the bottom of the terminal. */
const drawing: ReadonlySet<unknown> = new Set(['default', 'verbose', 'tree'])

/** Has Vitest draw no window: it would be over the interface of an agent. To be called before its reporters are made. */
export function hideSummaryWindow(reporters: Vitest['config']['reporters']): void {
  for (const [index, reporter] of reporters.entries()) {
    if (!Array.isArray(reporter) || !drawing.has(reporter[0])) continue
    const [name, options] = reporter
    reporters[index] = [name, { ...options, summary: false }]
  }
}
