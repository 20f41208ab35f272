import type { Vitest } from 'vitest/node'
import { plainText } from '../../../system/text/plain-text.ts'

/** On standard error where a program reads standard output. */
export function printLine(vitest: Pick<Vitest, 'config' | 'logger'>, text: string): void {
  const plain = plainText(text)
  if (ownsStdout(reportersOnStdout(vitest))) vitest.logger.error(plain)
  else vitest.logger.log(plain)
}

const machines = new Set(['json', 'junit', 'tap', 'tap-flat'])
const texts = new Set(['default', 'verbose', 'tree', 'dot', 'agent', 'minimal', 'github-actions'])

/** Reporters of this package write files only. */
const ofPackage = 'vitest-mdtest/'

export function hasReporter({ config }: Pick<Vitest, 'config'>, name: string): boolean {
  return config.reporters.some((reporter) => Array.isArray(reporter) && reporter[0] === name)
}

/** Whether a program reads standard output. @param names reporters that write there */
export function ownsStdout(names: readonly string[]): boolean {
  if (names.some((name) => machines.has(name))) return true
  const others = names.filter((name) => !name.startsWith(ofPackage))
  return others.length > 0 && !others.some((name) => texts.has(name))
}

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

/** They draw a window at the bottom of the terminal. */
const drawing: ReadonlySet<unknown> = new Set(['default', 'verbose', 'tree'])

/** For the interface of an agent. Vitest makes its reporters after this. */
export function hideSummaryWindow(reporters: Vitest['config']['reporters']): void {
  for (const [index, reporter] of reporters.entries()) {
    if (!Array.isArray(reporter) || !drawing.has(reporter[0])) continue
    const [name, options] = reporter
    reporters[index] = [name, { ...options, summary: false }]
  }
}
