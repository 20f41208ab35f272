import { idleSpecs, stepsPerFile } from '../lib/idle-projects.ts'
import { timeTests } from '../lib/project.ts'
import { median, runTurns } from '../lib/rounds.ts'
import { formatMs } from '../lib/table.ts'

const counts = [100, 1000, 5000]
const maxExponent = 1.1

/** How the time of a run grows with the number of specs: 1 is linear. */
export async function growth({ rounds = 3, log }) {
  const projects = await Promise.all(counts.map(idleSpecs))
  try {
    const runs = counts.map((count, index) => [
      count,
      () => timeTests(projects[index], { program: 'vitest', args: ['run'], tests: count * stepsPerFile }),
    ])
    const times = await runTurns(rounds, Object.fromEntries(runs))
    for (const count of counts) log(`${count} specs: ${formatMs(median(times[count]))}`)
    return counts.slice(1).map((count, index) => exponentRow(times, { from: counts[index], to: count }))
  } finally {
    await Promise.all(projects.map((project) => project.remove()))
  }
}

function exponentRow(times, { from, to }) {
  const exponents = times[to].map((toMs, round) => Math.log(toMs / times[from][round]) / Math.log(to / from))
  const exponent = median(exponents)
  return {
    name: `${from} to ${to} specs`,
    ours: formatMs(median(times[to])),
    result: `exponent ${exponent.toFixed(2)}`,
    range: `${Math.min(...exponents).toFixed(2)} … ${Math.max(...exponents).toFixed(2)}`,
    target: `< ${maxExponent}`,
    verdict: exponent < maxExponent ? 'ok' : 'over',
  }
}
