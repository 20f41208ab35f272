import { actions, openLoop } from '../lib/browser-loop.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'

const pairs = [
  { name: 'a browser step: a click', action: actions.click, steps: 10, target: { maxRatio: 1.2 } },
  { name: 'a browser step: a key', action: actions.key, steps: 40, target: { maxAddedMs: 15 } },
]

/** The loop around a model that answers at once, each action followed by the page, against the same calls by hand. */
export async function browserLoop({ rounds = 5, log }) {
  const rows = []
  for (const pair of pairs) rows.push(await measure(pair, { rounds, log }))
  return rows
}

async function measure({ name, action, steps, target }, { rounds, log }) {
  const loop = await openLoop(action)
  if (loop === undefined) return { name, verdict: 'skipped', note: 'no Chrome or Chromium' }
  const timed = async (run) => {
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
