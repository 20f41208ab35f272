import type { Vitest } from 'vitest/node'

/** Tells people something, beside what a reporter may write for programs. */
export function printLine(vitest: Pick<Vitest, 'config' | 'logger'>, text: string): void {
  if (ownsStdout(reportersOnStdout(vitest))) vitest.logger.error(text)
  else vitest.logger.log(text)
}

/** Reporters that write for programs. */
const machines = new Set(['json', 'junit', 'tap', 'tap-flat'])
/** Reporters that write for people. */
const texts = new Set(['default', 'verbose', 'tree', 'dot', 'agent', 'minimal', 'github-actions'])

/** The reporter of this package, as it is named in `reporters`; it writes files. */
export const reportReporterName = 'vitest-mdtest/reporter'

/**
 * Whether standard output belongs to a program that reads it, so that no line of ours may come between.
 *
 * @param names of the reporters that write to standard output; a path or package for one that Vitest does not bring
 */
export function ownsStdout(names: readonly string[]): boolean {
  if (names.some((name) => machines.has(name))) return true
  const others = names.filter((name) => name !== reportReporterName)
  return others.length > 0 && !others.some((name) => texts.has(name))
}

/** Names of the reporters that write to standard output; what was given as an object writes what it likes. */
export function reportersOnStdout({ config }: Pick<Vitest, 'config'>): readonly string[] {
  const { outputFile } = config
  const filed = typeof outputFile === 'object' ? Object.keys(outputFile) : []
  return config.reporters.flatMap((reporter) => {
    const [name, options] = Array.isArray(reporter) ? reporter : [undefined, undefined]
    const hasFile = typeof outputFile === 'string' || hasOutputFile(options)
    return typeof name !== 'string' || hasFile || filed.includes(name) ? [] : [name]
  })
}

function hasOutputFile(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'outputFile' in options && options.outputFile !== undefined
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
