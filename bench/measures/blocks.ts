import { join } from 'node:path'
import { runCommand, type Argv } from '../../scripts/lib/run-command.ts'
import { at } from '../lib/at.ts'
import { debianTool } from '../lib/debian-tool.ts'
import { batsTest, commands, consoleSpec, cramTest, plainScript } from '../lib/dialects.ts'
import type { Measure } from '../lib/measure.ts'
import { createProject, mdtestConfig, plainConfig, timeTests, type Project, type TestRun } from '../lib/project.ts'
import { compareTurns, median, runTurns } from '../lib/rounds.ts'
import { files } from '../lib/spec-texts.ts'
import { timedRow, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const fileCount = 200
/** bats would take minutes for all files, so it runs fewer and its time is multiplied: each file is a process. */
const batsFileCount = 20
const run: TestRun = { program: 'vitest', args: ['run'], tests: fileCount }

/** Compares 200 files of ten commands in four dialects, and 200 test files that do nothing. */
export const blocks: Measure = async ({ rounds = 5, log }) => {
  const specs = await createProject({
    'vitest.config.ts': mdtestConfig,
    ...files(fileCount, (n) => [`specs/s${n}.test.md`, consoleSpec(`Spec ${n}`)]),
  })
  const empty = await createProject({
    'vitest.config.ts': plainConfig,
    ...files(fileCount, (n) => [`tests/t${n}.test.ts`, `import { test } from 'vitest'\n\ntest('t', () => {})\n`]),
  })
  const others = await createProject({
    'run-all.sh': 'for folder in bash/*/; do cd "$folder"; bash test.sh; cd ../..; done\n',
    ...files(fileCount, (n) => [`bash/t${n}/test.sh`, plainScript()]),
    ...files(fileCount, (n) => [`cram/t${n}.t`, cramTest()]),
    ...files(batsFileCount, (n) => [`bats/t${n}.bats`, batsTest()]),
  })
  const cram = await debianTool({ program: 'cram3', package: 'python3-cram' })
  const bats = await debianTool({ program: 'bats', package: 'bats' })
  try {
    const times = await runTurns(rounds, {
      mdtest: () => timeTests(specs, run),
      empty: () => timeTests(empty, run),
      bash: () => timeOthers(others, { argv: ['bash', 'run-all.sh'], passed: /^hello$/gm, count: fileCount }),
      ...(cram && { cram: () => timeOthers(others, cramRun(cram)) }),
      ...(bats && { bats: async () => (await timeOthers(others, batsRun(bats))) * (fileCount / batsFileCount) }),
    })
    const net = times.mdtest.map((durationMs, round) => durationMs - at(times.empty, round))
    const added = net.map((durationMs, round) => durationMs - at(times.bash, round))
    log(`added to bash by each command: ${(median(added) / fileCount / commands.length).toFixed(2)} ms`)
    const name = `${fileCount} files x ${commands.length} commands`
    return [
      timedRow(`${name}: net, bash`, compareTurns(net, times.bash), { maxRatio: 2 }),
      otherRow(`${name}: gross, cram`, times.mdtest, { times: times.cram, maxRatio: 3 }),
      otherRow(`${name}: gross, bats`, times.mdtest, { times: times.bats, maxRatio: 0.1 }),
    ]
  } finally {
    await Promise.all([specs, empty, others].map((project) => project.remove()))
  }
}

interface OtherTimes {
  /** Milliseconds of each round; `undefined` if the program is not installed */
  readonly times: readonly number[] | undefined
  readonly maxRatio: number
}

function otherRow(name: string, ours: readonly number[], { times, maxRatio }: OtherTimes): Row {
  if (times === undefined) return { name, verdict: 'skipped', note: 'not installed' }
  return timedRow(name, compareTurns(ours, times), { maxRatio })
}

interface OtherRun {
  readonly argv: Argv
  /** Matches the program's output for each passed test. */
  readonly passed: RegExp
  /** Number of tests that must pass */
  readonly count: number
}

function cramRun(program: string): OtherRun {
  return { argv: [program, '--verbose', '--shell=bash', 'cram'], passed: /: passed$/gm, count: fileCount }
}

function batsRun(program: string): OtherRun {
  return { argv: [program, '--tap', 'bats'], passed: /^ok /gm, count: batsFileCount * commands.length }
}

/** Runs a program on its files and checks the number of passed tests. */
async function timeOthers({ dir }: Project, { argv, passed, count }: OtherRun): Promise<number> {
  const startedAtMs = performance.now()
  const { exitCode, output } = await runCommand(argv, {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: join(dir, '..'), LANG: 'C.UTF-8' },
    quiet: true,
  })
  const durationMs = performance.now() - startedAtMs
  const details = output.slice(-2000)
  assertCount(`exit code of ${argv[0]}`, { expected: 0, actual: exitCode, details })
  assertCount(`passed with ${argv[0]}`, { expected: count, actual: output.match(passed)?.length ?? 0, details })
  return durationMs
}
