import { openLargeSuite } from '../lib/large-suite.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'

/** A call of the tool against the same command by hand. */
export async function runTest({ rounds = 7 }) {
  const suite = await openLargeSuite()
  try {
    const rows = []
    for (const runner of ['vitest', 'node']) {
      let last
      const result = await runRounds({
        rounds,
        async ours() {
          last = await suite.run(runner)
          return last.durationMs
        },
        plain: () => suite.runByHand(last.result),
      })
      rows.push(timedRow(`run_test with ${runner}`, result, { maxAddedMs: Math.round(100 + 0.02 * result.plainMs) }))
    }
    return rows
  } finally {
    await suite.close()
  }
}
