import { at } from './at.ts'

/** Does the measured work once, and returns its time in milliseconds. */
type Timed = () => Promise<number>

export interface Pair {
  readonly rounds: number
  readonly ours: Timed
  readonly plain: Timed
}

/** Times of all rounds in milliseconds, by name. */
type Turns<Things> = { readonly [Name in keyof Things]: readonly number[] }

/** The medians of both sides. Ratio and difference are computed within each round. */
export interface Comparison {
  readonly oursMs: number
  readonly plainMs: number
  readonly ratio: Spread
  readonly addedMs: Spread
}

interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/**
 * Times two things in turn (`ours plain ours plain …`), so that a slow phase of the machine affects both.
 * The first pair warms up caches and is not counted.
 */
export async function runRounds({ rounds, ours, plain }: Pair): Promise<Comparison> {
  const { oursMs, plainMs } = await runTurns(rounds, { oursMs: ours, plainMs: plain })
  return compareTurns(oursMs, plainMs)
}

/** Times several things in turn. The first turn is not counted. */
export async function runTurns<Things extends Readonly<Record<string, Timed>>>(
  rounds: number,
  things: Things,
): Promise<Turns<Things>> {
  const turns = Object.entries(things).map(([name, run]) => ({ name, run, timesMs: new Array<number>() }))
  for (let round = -1; round < rounds; round += 1) {
    for (const { run, timesMs } of turns) {
      const durationMs = await run()
      if (round >= 0) timesMs.push(durationMs)
    }
  }
  const times: unknown = Object.fromEntries(turns.map(({ name, timesMs }) => [name, timesMs]))
  // `entries` and `fromEntries` lose the type of the names.
  return times as Turns<Things>
}

/** Compares two sides that were timed in the same rounds. */
export function compareTurns(ours: readonly number[], plain: readonly number[]): Comparison {
  const pairs = ours.map((oursMs, round) => ({ oursMs, plainMs: at(plain, round) }))
  return {
    oursMs: median(pairs.map(({ oursMs }) => oursMs)),
    plainMs: median(pairs.map(({ plainMs }) => plainMs)),
    ratio: spread(pairs.map(({ oursMs, plainMs }) => oursMs / plainMs)),
    addedMs: spread(pairs.map(({ oursMs, plainMs }) => oursMs - plainMs)),
  }
}

function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2
}
