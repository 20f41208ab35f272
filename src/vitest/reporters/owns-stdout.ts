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
