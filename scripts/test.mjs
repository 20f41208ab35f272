// `npm test`: makes everything ready that the tests need, then runs them all, the end-to-end tests once on each lane.
// Further arguments go to Vitest; with them, or with MDTEST_LANE set, there is one run. `--unit` runs the unit and
// repository tests alone, which need no lane.
import { prepareLanes } from './lib/lanes.mjs'
import { prepare } from './lib/prepare.mjs'
import { nodeProgram, runCommand } from './lib/run-command.mjs'

/**
 * What would be the same on each lane: it starts no Vitest, and at most another Node.js, on which `fix.test.ts`,
 * `gate.test.ts` and `*-names.test.ts` try gates and sessions.
 */
const sameEverywhere = [
  ...['jest*', 'mcp*', 'fix-attempts', 'fix-crash', 'fix-report', 'gate-attempts'],
  ...['install-chrome', 'real-runners', 'report-page'],
]

/** The further lanes of the end-to-end tests: what each needs of `lanes.mjs`, and which files it runs. */
const matrix = [
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
await runCommand([process.execPath, 'scripts/find-programs.mjs'], { quiet: true })
const missing = isUnitOnly ? [] : await prepareLanes()
if (process.env.CI && missing.length > 0) {
  for (const { name, reason } of missing) console.error(`The tests of ${name} cannot run: ${reason}.`)
  console.error('Under CI every test must run.')
  process.exit(1)
}
const skips = Object.fromEntries(missing.map(({ skipVariable, reason }) => [skipVariable, reason]))

for (const { report, lane, args } of plannedRuns()) {
  console.log(`\n— ${report}`)
  const { exitCode } = await runCommand(
    nodeProgram(
      'vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=reports/${report}.json`,
      ...args,
    ),
    { env: { ...process.env, ...skips, MDTEST_SKIP_BUILD: '1', MDTEST_LANE: lane } },
  )
  if (exitCode !== 0) process.exitCode = exitCode
}
for (const { name, reason } of missing) console.log(`Left out what needs ${name}: ${reason}.`)

function plannedRuns() {
  const first = process.env.MDTEST_LANE ?? 'vitest-4'
  if (isUnitOnly) return [{ report: 'unit', lane: first, args: ['--project=unit', ...rest] }]
  const all = { report: 'test', lane: first, args: rest }
  if (process.env.MDTEST_LANE !== undefined || rest.length > 0) return [all]
  const further = matrix
    .filter(({ needs }) => !missing.some(({ name }) => needs.includes(name)))
    .map(({ lane, files }) => ({ report: `test-${lane}`, lane, args: ['--project=e2e', ...files] }))
  return [all, ...further]
}
