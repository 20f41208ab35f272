import type { Vitest } from 'vitest/node'
import { plainText } from '../../../system/text/plain-text.ts'
import { memberOf } from '../../../system/text/parse-json.ts'

/** Prints to standard output, or to standard error if a program parses standard output. */
export function printLine(vitest: Pick<Vitest, 'config' | 'logger'>, text: string): void {
  const plain = plainText(text)
  if (ownsStdout(reportersOnStdout(vitest))) vitest.logger.error(plain)
  else vitest.logger.log(plain)
}

const machines = new Set(['json', 'junit', 'tap', 'tap-flat'])
const texts = new Set(['default', 'verbose', 'tree', 'dot', 'agent', 'minimal', 'github-actions'])

export function hasReporter({ config }: Pick<Vitest, 'config'>, name: string): boolean {
  return config.reporters.some((reporter) => Array.isArray(reporter) && reporter[0] === name)
}

/** Whether a program reads standard output. @param names reporters that write to standard output */
export function ownsStdout(names: readonly string[]): boolean {
  if (names.some((name) => machines.has(name))) return true
  // The reporters of this package write only files.
  const others = names.filter((name) => !name.startsWith('vitest-mdtest/'))
  return others.length > 0 && !others.some((name) => texts.has(name))
}

export function reportersOnStdout({ config }: Pick<Vitest, 'config'>): readonly string[] {
  const { outputFile } = config
  const filed = typeof outputFile === 'object' ? Object.keys(outputFile) : []
  return config.reporters.flatMap((reporter) => {
    const name: unknown = Array.isArray(reporter) ? reporter[0] : undefined
    const hasFile = typeof outputFile === 'string' || outputFileOf(reporter) !== undefined
    return typeof name !== 'string' || hasFile || filed.includes(name) ? [] : [name]
  })
}

export function outputFileOf(reporter: Vitest['config']['reporters'][number]): unknown {
  return memberOf(Array.isArray(reporter) ? reporter[1] : undefined, 'outputFile')
}

/** Hides the summary, because the agent's interface needs the terminal. Call before Vitest creates its reporters. */
export function hideSummaryWindow(reporters: Vitest['config']['reporters']): void {
  for (const [index, reporter] of reporters.entries()) {
    if (!Array.isArray(reporter) || !['default', 'verbose', 'tree'].includes(reporter[0])) continue
    const [name, options] = reporter
    reporters[index] = [name, { ...options, summary: false }]
  }
}
