import { idleSpecs, idleTests, stepsPerFile } from '../lib/idle-projects.ts'
import type { Measure } from '../lib/measure.ts'
import { timeListing } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'

const specCount = 1000
const tests = specCount * stepsPerFile

/** Compares `vitest list` of many specs with `vitest list` of as many test files. */
export const listing: Measure = async ({ rounds = 5 }) => {
  const specs = await idleSpecs(specCount)
  const plain = await idleTests(specCount)
  try {
    const result = await runRounds({
      rounds,
      ours: () => timeListing(specs, tests),
      plain: () => timeListing(plain, tests),
    })
    return [timedRow(`list of ${specCount} specs`, result, { maxRatio: 1.3 })]
  } finally {
    await Promise.all([specs.remove(), plain.remove()])
  }
}
