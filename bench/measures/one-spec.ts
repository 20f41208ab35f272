import type { Log, Measure } from '../lib/measure.ts'
import { createProject, mdtestConfig, plainConfig, timeTests, type Project, type TestRun } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { createSpawnCounter } from '../lib/spawn-counter.ts'
import { specText, stepsPerSpec, testText } from '../lib/spec-texts.ts'
import { timedRow } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const tests = stepsPerSpec
const runSpec: TestRun = { program: 'mdtest', args: ['run'], tests }
const runTest: TestRun = { program: 'vitest', args: ['run'], tests }

/** Compares `mdtest run` of one spec with `vitest run` of one equal test file, as whole processes. */
export const oneSpec: Measure = async ({ rounds = 7, log }) => {
  const spec = await createProject({ 'vitest.config.ts': mdtestConfig, 'one.test.md': specText('One') })
  const plain = await createProject({ 'vitest.config.ts': plainConfig, 'one.test.ts': testText('One') })
  try {
    await countSpawns(spec, runSpec, log)
    await countSpawns(plain, runTest, log)
    const result = await runRounds({
      rounds,
      ours: () => timeTests(spec, runSpec),
      plain: () => timeTests(plain, runTest),
    })
    return [timedRow('`mdtest run` of one spec', result, { maxRatio: 1.3 })]
  } finally {
    await Promise.all([spec.remove(), plain.remove()])
  }
}

async function countSpawns(project: Project, run: TestRun, log: Log): Promise<void> {
  const counter = await createSpawnCounter(project.dir, ['sh'])
  await timeTests(project, { ...run, path: counter.path })
  const { sh } = await counter.take()
  assertCount('started `sh`', { expected: tests, actual: sh })
  log(`counted: ${tests} tests, ${sh} sh`)
}
