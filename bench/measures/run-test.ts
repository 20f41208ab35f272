import { at } from '../lib/at.ts'
import { openLargeSuite, type Answer } from '../lib/large-suite.ts'
import type { Measure } from '../lib/measure.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow, type Row } from '../lib/table.ts'

/** Compares a call of the tool `run_test` with running the same command directly. */
export const runTest: Measure = async ({ rounds = 7 }) => {
  const suite = await openLargeSuite()
  try {
    const rows: Row[] = []
    for (const runner of ['vitest', 'node'] as const) {
      const answers: Answer[] = []
      const result = await runRounds({
        rounds,
        async ours() {
          const answer = await suite.run(runner)
          answers.push(answer)
          return answer.durationMs
        },
        plain: () => suite.runByHand(at(answers, -1)),
      })
      rows.push(timedRow(`run_test with ${runner}`, result, { maxAddedMs: Math.round(100 + 0.02 * result.plainMs) }))
    }
    return rows
  } finally {
    await suite.close()
  }
}
