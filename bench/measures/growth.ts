import { at } from '../lib/at.ts'
import { idleSpecs, stepsPerFile } from '../lib/idle-projects.ts'
import type { Measure } from '../lib/measure.ts'
import { timeTests } from '../lib/project.ts'
import { median, runTurns } from '../lib/rounds.ts'
import { formatMs, type Row } from '../lib/table.ts'

const counts = [100, 1000, 5000]
const maxExponent = 1.1

/** How the time of a run grows with the number of specs, as an exponent. 1 means linear. */
export const growth: Measure = async ({ rounds = 3, log }) => {
  const projects = await Promise.all(counts.map(idleSpecs))
  try {
    const runs = counts.map((count, index) => [
      count,
      () => timeTests(at(projects, index), { program: 'vitest', args: ['run'], tests: count * stepsPerFile }),
    ])
    const times: Readonly<Record<string, readonly number[]>> = await runTurns(rounds, Object.fromEntries(runs))
    const sizes = counts.map((count) => ({ count, timesMs: times[count] ?? [] }))
    for (const { count, timesMs } of sizes) log(`${count} specs: ${formatMs(median(timesMs))}`)
    return sizes.slice(1).map((to, index) => exponentRow(at(sizes, index), to))
  } finally {
    await Promise.all(projects.map((project) => project.remove()))
  }
}

interface Size {
  /** Number of specs */
  readonly count: number
  /** Time of each round */
  readonly timesMs: readonly number[]
}

function exponentRow(from: Size, to: Size): Row {
  const exponents = to.timesMs.map(
    (toMs, round) => Math.log(toMs / at(from.timesMs, round)) / Math.log(to.count / from.count),
  )
  const exponent = median(exponents)
  return {
    name: `${from.count} to ${to.count} specs`,
    ours: formatMs(median(to.timesMs)),
    result: `exponent ${exponent.toFixed(2)}`,
    range: `${Math.min(...exponents).toFixed(2)} … ${Math.max(...exponents).toFixed(2)}`,
    target: `< ${maxExponent}`,
    verdict: exponent < maxExponent ? 'ok' : 'over',
  }
}
