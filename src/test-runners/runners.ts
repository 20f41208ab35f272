import { cargo } from './templates/cargo.ts'
import { dart, flutter } from './templates/dart.ts'
import { dotnet } from './templates/dotnet.ts'
import { go } from './templates/go.ts'
import { gradle, maven } from './templates/jvm.ts'
import { node } from './templates/node.ts'
import { playwright } from './templates/playwright.ts'
import { pytest } from './templates/pytest.ts'
import { jest, mdtest, vitest } from './templates/vitest.ts'
import type { Runner } from './runner.ts'

/** Of several that a project or a command shows, the first one counts: Vitest and Jest run the specs, too. */
const entries = [
  ...[vitest, jest, mdtest, playwright, node, pytest],
  ...[go, cargo, flutter, dart, dotnet, gradle, maven],
] as const // names, for a union

export type RunnerName = (typeof entries)[number]['name']

export const runners: readonly Runner<RunnerName>[] = entries

export const runnerNames: readonly RunnerName[] = entries.map(({ name }) => name)

const byName = new Map(runners.map((runner) => [runner.name, runner]))

export function runnerNamed(name: RunnerName): Runner<RunnerName> {
  return byName.get(name) as Runner<RunnerName> // each name is one of theirs
}
