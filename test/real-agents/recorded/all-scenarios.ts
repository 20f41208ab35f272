import { outputs } from './outputs.ts'
import { programs } from './programs.ts'
import type { RecordedScenario, Swap } from './scenario.ts'
import { shells } from './shells.ts'
import { specParts } from './spec-parts.ts'
import { values } from './values.ts'

export const allScenarios: readonly RecordedScenario[] = [...shells, ...outputs, ...values, ...programs, ...specParts]

/** Files of a project that has all these scenarios. */
export function filesOf(scenarios: readonly RecordedScenario[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...scenarios.map(({ name, files, spec }) => ({ ...files, [`${name}.test.md`]: spec })))
}

/** A file of a scenario with other text in it. */
export function swapped({ files }: RecordedScenario, { file, from, to }: Swap): string {
  const text = files[file] ?? ''
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  return text.replace(from, () => to)
}
