import { join } from 'node:path'
import { runCommand } from '../../scripts/lib/run-command.ts'
import { at } from '../lib/at.ts'
import type { Measure, MeasureOptions } from '../lib/measure.ts'
import { createProject, mdtestConfig, plainConfig, timeTests, type Project, type TestRun } from '../lib/project.ts'
import { blockSpec, commandsPerStep, proseSpec, recordingOf, scriptOf } from '../lib/recorded-specs.ts'
import { compareTurns, runTurns } from '../lib/rounds.ts'
import { files, idleTestText } from '../lib/spec-texts.ts'
import { timedRow, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const fileCount = 200
const stepsPerFile = 3
/** Number of steps in the spec of `oneCommand` */
const longSteps = 60

/** Compares recorded specs with specs that contain the same commands as blocks, and a replayed command with bash. */
export const replay: Measure = async ({ rounds = 7, log }) => {
  return [...(await manyFiles({ rounds, log })), ...(await oneCommand({ rounds, log }))]
}

type Options = MeasureOptions & { readonly rounds: number }

async function manyFiles({ rounds }: Options): Promise<readonly Row[]> {
  const sides = await createSides(fileCount, stepsPerFile)
  const run: TestRun = { program: 'vitest', args: ['run'], tests: fileCount * stepsPerFile }
  try {
    const times = await runTurns(rounds, {
      recorded: () => timeTests(sides.recorded, run),
      blocks: () => timeTests(sides.blocks, run),
    })
    const name = `${fileCount} recorded specs x ${stepsPerFile} steps, blocks`
    return [timedRow(name, compareTurns(times.recorded, times.blocks), { maxRatio: 1.1 })]
  } finally {
    await sides.remove()
  }
}

/** Uses a single file, so that nothing runs in parallel. */
async function oneCommand({ rounds, log }: Options): Promise<readonly Row[]> {
  const sides = await createSides(1, longSteps)
  const others = await createProject({
    'vitest.config.ts': plainConfig,
    'empty.test.ts': idleTestText('Empty', longSteps),
    'all.sh': scriptOf(longSteps),
  })
  const run: TestRun = { program: 'vitest', args: ['run'], tests: longSteps }
  const commands = longSteps * commandsPerStep
  try {
    const times = await runTurns(rounds, {
      recorded: () => timeTests(sides.recorded, run),
      blocks: () => timeTests(sides.blocks, run),
      empty: () => timeTests(others, run),
      bash: () => timeBash(others),
    })
    const own = (all: readonly number[]): readonly number[] =>
      all.map((durationMs, round) => (durationMs - at(times.empty, round)) / commands)
    const bash = times.bash.map((durationMs) => durationMs / commands)
    log(`counted: ${longSteps} steps, ${commands} commands; of each the time is that of the run less an empty run`)
    return [
      timedRow('a replayed command, in a block', compareTurns(own(times.recorded), own(times.blocks)), {
        maxRatio: 1.1,
      }),
      timedRow('a replayed command, bash', compareTurns(own(times.recorded), bash), { maxAddedMs: 3 }),
    ]
  } finally {
    await Promise.all([sides.remove(), others.remove()])
  }
}

interface Sides {
  readonly recorded: Project
  readonly blocks: Project
  remove(): Promise<void>
}

async function createSides(count: number, steps: number): Promise<Sides> {
  const config = { 'vitest.config.ts': mdtestConfig }
  const prose = (n: number): string => proseSpec(`Spec ${n}`, steps)
  const recorded = await createProject({
    ...config,
    ...files(count, (n) => [`specs/s${n}.test.md`, prose(n)]),
    ...files(count, (n) => [`specs/s${n}.recording.md`, recordingOf(prose(n))]),
  })
  const blocks = await createProject({
    ...config,
    ...files(count, (n) => [`specs/s${n}.test.md`, blockSpec(`Spec ${n}`, steps)]),
  })
  const remove = async (): Promise<void> => void (await Promise.all([recorded.remove(), blocks.remove()]))
  return { recorded, blocks, remove }
}

async function timeBash({ dir }: Project): Promise<number> {
  const startedAtMs = performance.now()
  const { exitCode, output } = await runCommand(['bash', join(dir, 'all.sh')], { cwd: dir, quiet: true })
  const durationMs = performance.now() - startedAtMs
  assertCount('exit code of bash', { expected: 0, actual: exitCode, details: output.slice(-2000) })
  assertCount('greetings of bash', { expected: longSteps, actual: output.match(/^HELLO$/gm)?.length ?? 0 })
  return durationMs
}
