// `npm test`: makes everything ready that the tests need, then runs them all, the end-to-end tests once on each lane.
// Further arguments go to Vitest; with them, or with MDTEST_LANE set, there is one run. `--unit` runs the unit and
// repository tests alone, which need no lane.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareLanes } from './lib/lanes.ts'
import { prepare } from './lib/prepare.ts'
import { nodeProgram, root, runCommand, script } from './lib/run-command.ts'
import { formatSlowestFiles, readTimedFiles, type TimedFile } from './lib/slowest-files.ts'

/**
 * What would be the same on each lane. The first two lines start no Vitest, and at most another Node.js, on which
 * `fix.test.ts` and `gate.test.ts` try gates and sessions. The others tell how agents, blocks and our own commands
 * behave, by way of whichever Vitest. What lies between Vitest and that is tried on each lane by others: agents, retries
 * and limits by `command-agent`, `agent-parts` and `repeats`; services by `kill-ends`; `side-effects` by `requires`; an
 * agent in a terminal by `interface-choice`; the guard by `final-baseline`; `-u` by `update` and `update-beside`;
 * reporters and reports by `reporters`, `report`, `claimed`, `plain-messages` and `secrets`; ends and signals by
 * `kill*`, `double-kill`, `interrupt`, `signals` and `tear-down`.
 */
const sameEverywhere = [
  ...['jest*', 'mcp*', 'fix-attempts', 'fix-crash', 'fix-names', 'fix-report', 'gate-attempts', 'gate-names'],
  ...['coverage*', 'install-chrome', 'real-runners', 'report-page'],
  ...['bad-input-agents', 'browser-set-up', 'held-agent', 'interface', 'links', 'named-programs', 'promote'],
  ...['captures', 'cwd-copy', 'docs-examples', 'first-questions', 'recording', 'source-modified', 'step-summary'],
  ...['services', 'side-effects', 'update-any-output', 'update-shared'],
]

interface FurtherLane {
  readonly lane: string
  readonly needs: readonly string[]
  readonly files: readonly string[]
}

/** The further lanes of the end-to-end tests: what each needs of `lanes.ts`, and which files it runs. */
const matrix: readonly FurtherLane[] = [
  {
    lane: 'vitest-5',
    needs: ['vitest-5'],
    files: sameEverywhere.map((name) => `--exclude=test/e2e/${name}.test.ts`),
  },
  {
    lane: 'node-22',
    needs: ['node-22', 'vitest-5'],
    files: ['vitest-run', 'mdtest-run', 'e2e/blocks', 'module-blocks', 'agent-parts', 'kill-ends'],
  },
]

const isUnitOnly = process.argv.includes('--unit')
const rest = process.argv.slice(2).filter((argument) => argument !== '--unit')

await prepare()
await runCommand(script('find-programs'), { quiet: true })
const missing = isUnitOnly ? [] : await prepareLanes()
if (process.env.CI && missing.length > 0) {
  for (const { name, reason } of missing) console.error(`The tests of ${name} cannot run: ${reason}.`)
  console.error('Under CI every test must run.')
  process.exit(1)
}
const skips = Object.fromEntries(missing.map(({ skipVariable, reason }) => [skipVariable, reason]))

const timedFiles: TimedFile[] = []
for (const { report, lane, args } of plannedRuns()) {
  console.log(`\n— ${report}`)
  const [json, junit] = [`reports/${report}.json`, `reports/${report}.xml`]
  // A run that breaks leaves none, and must not leave those of an older one.
  for (const file of [json, junit]) rmSync(join(root, file), { force: true })
  const { exitCode } = await runCommand(
    nodeProgram(
      'vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${json}`,
      '--reporter=junit',
      `--outputFile.junit=${junit}`,
      ...args,
    ),
    { env: { ...process.env, ...skips, MDTEST_SKIP_BUILD: '1', MDTEST_LANE: lane } },
  )
  if (exitCode !== 0) process.exitCode = exitCode
  timedFiles.push(...readTimedFiles(report, join(root, junit)))
}
console.log(`\nThe slowest test files:\n${formatSlowestFiles(timedFiles, 20)}\n`)
for (const { name, reason } of missing) console.log(`Left out what needs ${name}: ${reason}.`)

interface PlannedRun {
  /** Its result file, in reports/, without `.json`. */
  readonly report: string
  readonly lane: string
  readonly args: readonly string[]
}

function plannedRuns(): readonly PlannedRun[] {
  const first = process.env.MDTEST_LANE ?? 'vitest-4'
  if (isUnitOnly) return [{ report: 'unit', lane: first, args: ['--project=unit', ...rest] }]
  const all = { report: 'test', lane: first, args: rest }
  if (process.env.MDTEST_LANE !== undefined || rest.length > 0) return [all]
  const further = matrix
    .filter(({ needs }) => !missing.some(({ name }) => needs.includes(name)))
    .map(({ lane, files }) => ({ report: `test-${lane}`, lane, args: ['--project=e2e', ...files] }))
  return [all, ...further]
}
