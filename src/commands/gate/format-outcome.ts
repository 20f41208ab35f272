import { formatGates } from './evidence/format-gates.ts'
import { gateNames } from '../project-config/gate-names.ts'
import { type CompleteResults } from './evidence/gate-results.ts'
import type { GateRun } from './gates/run-gate.ts'
import type { GateRuns } from './gates/run-gates.ts'
import { plainLine, plainText } from '../../system/text/plain-text.ts'

const maxTests = 20
const maxLines = 40

interface Outcome {
  readonly results: CompleteResults
  readonly runs: GateRuns
  /** Absolute path of the project. */
  readonly root: string
  /** Path of the evidence, as shown. */
  readonly folder: string
}

/** What became of the gates, for people: a line for each, what is red, and where the rest is. */
export function formatOutcome({ results, runs, root, folder }: Outcome): string {
  const lines = formatGates(results).map((line) => line.replace(/^- \*\*(.+?)\*\*/, '$1'))
  const fixes = results.test.fix_attempts.map(
    ({ result, fix_applied: applied }, index) => `Fix ${index + 1}: ${result}: ${plainLine(applied)}`,
  )
  const red = gateNames.flatMap((name) => {
    const run = runs[name]
    return run === undefined || run.isPass ? [] : ['', `${name} failed:`, ...describe(run, root)]
  })
  return [...lines, ...fixes, ...red, '', `Evidence: ${folder}/`].map((line) => `${line}\n`).join('')
}

function describe({ results, reason, tail }: GateRun, root: string): readonly string[] {
  const tests = results.failingTests.slice(0, maxTests).map(({ name, file, line, message }) => {
    const place = file === undefined ? '' : `(${relativeIn(root, file)}${line === undefined ? '' : `:${line}`})`
    return `  ${plainLine(`${name} ${place}`)}: ${plainLine(message)}`
  })
  const more = results.failingTests.length - maxTests
  const output = plainText(tail).trimEnd().split('\n').slice(-maxLines)
  return [
    ...(reason === undefined ? [] : [`  ${plainLine(reason)}`]),
    ...tests,
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...output.map((line) => `  | ${line}`),
  ]
}

function relativeIn(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file
}
