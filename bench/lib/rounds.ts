/**
 * Times two things in turn, `ours plain ours plain …`, so that whatever slows the machine down slows both.
 * The first pair warms caches and is not counted.
 * @param {{ rounds: number, ours: () => Promise<number>, plain: () => Promise<number> }} pair each gives its
 *   milliseconds
 */
export async function runRounds({ rounds, ours, plain }) {
  const { oursMs, plainMs } = await runTurns(rounds, { oursMs: ours, plainMs: plain })
  return compareTurns(oursMs, plainMs)
}

/**
 * Times several things in turn, after a turn that is not counted.
 * @param {number} rounds
 * @param {Record<string, () => Promise<number>>} things each gives its milliseconds
 * @returns {Promise<Record<string, number[]>>} milliseconds of each round by name
 */
export async function runTurns(rounds, things) {
  const times = Object.fromEntries(Object.keys(things).map((name) => [name, []]))
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(things)) {
      const durationMs = await run()
      if (round >= 0) times[name].push(durationMs)
    }
  }
  return times
}

/**
 * Compares what was timed in the same rounds.
 * @param {number[]} ours
 * @param {number[]} plain
 */
export function compareTurns(ours, plain) {
  const pairs = ours.map((oursMs, round) => ({ oursMs, plainMs: plain[round] }))
  return {
    oursMs: median(pairs.map(({ oursMs }) => oursMs)),
    plainMs: median(pairs.map(({ plainMs }) => plainMs)),
    ratio: spread(pairs.map(({ oursMs, plainMs }) => oursMs / plainMs)),
    addedMs: spread(pairs.map(({ oursMs, plainMs }) => oursMs - plainMs)),
  }
}

function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
