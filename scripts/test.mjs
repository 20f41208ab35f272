// `npm test`: makes everything ready that the tests need, then runs them all. Further arguments go to Vitest.
// `--unit` runs the unit and repository tests alone, which need no lane.
import { prepareLanes } from './lib/lanes.mjs'
import { prepare } from './lib/prepare.mjs'
import { nodeProgram, runCommand } from './lib/run-command.mjs'

const isUnitOnly = process.argv.includes('--unit')
const rest = process.argv.slice(2).filter((argument) => argument !== '--unit')

await prepare()
const missing = isUnitOnly ? [] : await prepareLanes()
const isCi = Boolean(process.env.CI)
if (isCi && missing.length > 0) {
  for (const { name, reason } of missing) console.error(`The tests of ${name} cannot run: ${reason}.`)
  console.error('Under CI every test must run.')
  process.exit(1)
}

const name = isUnitOnly ? 'unit' : 'test'
const { exitCode } = await runCommand(
  nodeProgram(
    'vitest/vitest.mjs',
    'run',
    ...(isUnitOnly ? ['--project', 'unit'] : []),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=reports/${name}.json`,
    ...rest,
  ),
  {
    env: {
      ...process.env,
      MDTEST_SKIP_BUILD: '1',
      ...Object.fromEntries(missing.map(({ skipVariable, reason }) => [skipVariable, reason])),
    },
  },
)
for (const { name: lane, reason } of missing) console.log(`Skipped the tests of ${lane}: ${reason}.`)
process.exitCode = exitCode
