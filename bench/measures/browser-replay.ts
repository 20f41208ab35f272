import { openStepTwice } from '../lib/browser-blocks.ts'
import type { Measure } from '../lib/measure.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'

const name = 'a browser step without a model'

/** Compares a `browser` block of four lines in the shop with an equal Playwright script. */
export const browserReplay: Measure = async ({ rounds = 20 }) => {
  const step = await openStepTwice()
  if (step === undefined) return [{ name, verdict: 'skipped', note: 'no Chrome or Chromium' }]
  const timed = async (run: () => Promise<void>): Promise<number> => {
    const startedAtMs = performance.now()
    await run()
    return performance.now() - startedAtMs
  }
  try {
    const result = await runRounds({ rounds, ours: () => timed(step.asBlock), plain: () => timed(step.byScript) })
    return [timedRow(name, result, { maxAddedMs: 100 })]
  } finally {
    await step.close()
  }
}
