// Prepares everything that tests need, and runs them:
//   npm test             all tests except `*.slow.test.ts`
//   npm run test:rest    the slow tests, and some tests again on the other lanes
//   npm run test:all     both
//   npm run test:unit    only unit tests, except the slow ones
// Further arguments go to Vitest. They cause a single run, on the lane in MDTEST_LANE.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareLanes, type LaneName } from './lib/lanes.ts'
import { prepare } from './lib/prepare.ts'
import { nodeProgram, root, runCommand, script } from './lib/run-command.ts'

interface Run {
  /** Name of the result file in reports/, without `.json` */
  readonly report: string
  readonly lane: string
  readonly needs: readonly LaneName[]
  readonly args: readonly string[]
  /** Whether to run `*.slow.test.ts` */
  readonly isSlow: boolean
}

const onVitest5 =
  'vitest-run mdtest-run changed blocks reporters report watch select select.slow modules update modes modes.slow ui.slow interrupt'
const onNode22 = 'vitest-run modules kill'

const unit: Run = everyDay('unit', 'vitest-4', [], '--project=unit')
const daily: Run = everyDay('test', 'vitest-4', ['claude'], '--project=!repository')
const allLanes: readonly LaneName[] = ['claude', 'agents', 'jest', 'node-22', 'vitest-4', 'vitest-5']
/** The slow tests, and tests that depend on the version of Vitest or Node.js. */
const rest: readonly Run[] = [
  run('rest', 'vitest-4', allLanes, '.slow.test.ts'),
  run('rest-vitest-5', 'vitest-5', ['vitest-5'], '--project=e2e', ...files(onVitest5)),
  run('rest-node-22', 'node-22', ['node-22', 'vitest-5'], '--project=e2e', ...files(onNode22)),
]

const modes: Readonly<Record<string, readonly Run[]>> = {
  '--unit': [unit],
  '--rest': rest,
  '--all': [daily, ...rest],
}

const [first = '', ...others] = process.argv.slice(2)
const mode = modes[first]
const asked = mode === undefined ? process.argv.slice(2) : others
const runs = asked.length === 0 ? (mode ?? [daily]) : [askedRun()]

await prepare()
await runCommand(script('find-programs'), { quiet: true })
const missing = await prepareLanes([...new Set(runs.flatMap(({ needs }) => needs))])
if (process.env.CI && missing.length > 0) {
  for (const { name, reason } of missing) console.error(`The tests of ${name} cannot run: ${reason}.`)
  console.error('Under CI every test must run.')
  process.exit(1)
}

const reports: string[] = []
for (const { report, lane, needs, args, isSlow } of runs) {
  if (lane !== 'vitest-4' && missing.some(({ name }) => needs.includes(name))) continue
  console.log(`\n— ${report}`)
  const json = `reports/${report}.json`
  // Remove the old file, because a run that crashes writes none.
  rmSync(join(root, json), { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`]
  const { exitCode } = await runCommand(nodeProgram('vitest/vitest.mjs', 'run', ...reporters, ...args), {
    env: { ...process.env, MDTEST_SKIP_BUILD: '1', MDTEST_LANE: lane, MDTEST_SLOW: isSlow ? '1' : '0' },
  })
  if (exitCode !== 0) process.exitCode = exitCode
  reports.push(json)
}
console.log('')
for (const { name, reason } of missing) console.log(`Left out the tests that need ${name}: ${reason}.`)
if (runs.includes(daily) && runs.length === 1) {
  console.log(
    'Left out: slow tests, other agents than Claude Code, Jest, Vitest 5, Node.js 22 and 24: `npm run test:rest`.',
  )
}
const counted = await runCommand(script('count-results', ...reports))
if (counted.exitCode !== 0) process.exitCode = counted.exitCode

function run(report: string, lane: string, needs: readonly LaneName[], ...args: readonly string[]): Run {
  return { report, lane, needs, args, isSlow: true }
}

/** The run for explicit arguments. It includes slow tests. */
function askedRun(): Run {
  const lane = process.env.MDTEST_LANE ?? 'vitest-4'
  return mode?.includes(unit) ? run('unit', lane, [], ...unit.args, ...asked) : run('test', lane, allLanes, ...asked)
}

function everyDay(...all: Parameters<typeof run>): Run {
  return { ...run(...all), isSlow: false }
}

function files(names: string): readonly string[] {
  return names.split(' ').map((name) => `e2e/${name}.test.ts`)
}
