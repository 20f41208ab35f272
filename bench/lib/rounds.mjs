/**
 * Times two things in turn, `ours plain ours plain …`, so that whatever slows the machine down slows both.
 * The first pair warms caches and is not counted.
 * @param {{ rounds: number, ours: () => Promise<number>, plain: () => Promise<number> }} pair each gives its
 *   milliseconds
 */
export async function runRounds({ rounds, ours, plain }) {
  await ours()
  await plain()
  const pairs = []
  for (let round = 0; round < rounds; round += 1) pairs.push({ oursMs: await ours(), plainMs: await plain() })
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

function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
