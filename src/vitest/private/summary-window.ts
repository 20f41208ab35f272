import { memberOf } from './untyped-members.ts'
import type { Vitest } from 'vitest/node'

/** What is used of the window that Vitest's reporters keep at the bottom of a terminal. */
interface WindowOptions {
  getWindow(): string[]
}

/**
 * Adds lines to the top of the window that Vitest's default, verbose and dot reporters draw on a terminal. It is no part of Vitest's
 * public interface (seen in Vitest 4.1.12 and 5.1.1): where it is not as expected there is none, and nothing is changed.
 *
 * @param reporters those of a Vitest that has created them
 * @param lines called for each redraw, which Vitest does every second and on every event, with the rows that it fills itself
 */
export function extendSummaryWindow(
  reporters: unknown,
  lines: (ownRows: number) => readonly string[],
): Disposable | undefined {
  const options = (Array.isArray(reporters) ? reporters : []).map(windowOf).find((found) => found !== undefined)
  if (options === undefined) return undefined
  const original = options.getWindow
  const extended = (): string[] => {
    const own = original.call(options)
    const added = lines(own.length)
    return added.length === 0 ? own : ['', ...added, ...own]
  }
  options.getWindow = extended
  return {
    [Symbol.dispose]() {
      if (options.getWindow === extended) options.getWindow = original
    },
  }
}

function windowOf(reporter: unknown): WindowOptions | undefined {
  const renderer = memberOf(reporter, 'renderer') ?? memberOf(memberOf(reporter, 'summary'), 'renderer')
  const options = memberOf(renderer, 'options')
  return isWindowOptions(options) ? options : undefined
}

function isWindowOptions(value: unknown): value is WindowOptions {
  return typeof memberOf(value, 'getWindow') === 'function'
}

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
