import { idleSpecs, idleTests, stepsPerFile } from '../lib/idle-projects.ts'
import type { Measure } from '../lib/measure.ts'
import { timeTests, type Project, type TestRun } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'

const specCount = 1000
const mebibyte = 1024 ** 2
const run: TestRun = { program: 'vitest', args: ['run'], tests: specCount * stepsPerFile }

/** Compares steps that do nothing with tests that do nothing: time for each, and memory of the whole run. */
export const thousandSpecs: Measure = async ({ rounds = 5 }) => {
  const specs = await idleSpecs(specCount)
  const plain = await idleTests(specCount)
  try {
    const perStep = async (project: Project): Promise<number> => (await timeTests(project, run)) / run.tests
    const result = await runRounds({ rounds, ours: () => perStep(specs), plain: () => perStep(plain) })
    const name = `${specCount} specs x ${stepsPerFile} steps`
    return [
      timedRow(`${name}, each step`, result),
      { name: `${name}, peak PSS`, ours: await peakMemory(specs), plain: await peakMemory(plain) },
    ]
  } finally {
    await Promise.all([specs.remove(), plain.remove()])
  }
}

async function peakMemory(project: Project): Promise<string> {
  let peakBytes = 0
  await timeTests(project, { ...run, onPeakMemory: (bytes) => (peakBytes = bytes) })
  return `${Math.round(peakBytes / mebibyte)} MiB`
}
