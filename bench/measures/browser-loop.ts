import { actions, openLoop } from '../lib/browser-loop.ts'
import type { Measure, MeasureOptions } from '../lib/measure.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow, type Row } from '../lib/table.ts'

const pairs = [
  { name: 'a browser step: a click', action: actions.click, steps: 10, target: { maxRatio: 1.2 } },
  { name: 'a browser step: a key', action: actions.key, steps: 40, target: { maxAddedMs: 15 } },
]

interface PairOptions extends MeasureOptions {
  readonly rounds: number
}

/** Compares the agent loop, with a model that answers at once, with making the same browser calls directly. */
export const browserLoop: Measure = async ({ rounds = 5, log }) => {
  const rows: Row[] = []
  for (const pair of pairs) rows.push(await measure(pair, { rounds, log }))
  return rows
}

async function measure({ name, action, steps, target }: (typeof pairs)[number], options: PairOptions): Promise<Row> {
  const { rounds, log } = options
  const loop = await openLoop(action)
  if (loop === undefined) return { name, verdict: 'skipped', note: 'no Chrome or Chromium' }
  const timed = async (run: (steps: number) => Promise<unknown>): Promise<number> => {
    const startedAtMs = performance.now()
    await run(steps)
    return (performance.now() - startedAtMs) / steps
  }
  try {
    const result = await runRounds({ rounds, ours: () => timed(loop.run), plain: () => timed(loop.byHand) })
    log(`counted: ${steps} actions and ${steps + 1} model requests in each round`)
    return timedRow(name, result, target)
  } finally {
    await loop.close()
  }
}
