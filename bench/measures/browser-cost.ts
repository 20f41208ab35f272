import { openPrograms, providers, type Programs, type ProgramRun } from '../lib/browser-program.ts'
import type { Measure } from '../lib/measure.ts'
import { formatMs, type Row } from '../lib/table.ts'
import { bytesPerToken } from '../../test/support/prompt-cache.ts'

const names = Object.keys(providers) as (keyof typeof providers)[] // keys of a literal

/** Cost of a spec with four steps by provider, including the provider's caching, and the time to the first call. */
export const browserCost: Measure = async ({ rounds = 3, log }) => {
  const programs = await openPrograms()
  if (programs === undefined) return [{ name: 'a browser spec', verdict: 'skipped', note: 'no Chrome or Chromium' }]
  try {
    const rows: Row[] = []
    for (const provider of names) rows.push(costRow(provider, await programs.run(provider)))
    rows.push(...timeRows('alone', await inTurn(programs, rounds)))
    rows.push(...timeRows('with four at once', await atOnce(programs, rounds)))
    log('counted: 16 calls, 17 model requests and 4 accepted reports in each run')
    return rows
  } finally {
    await programs.close()
  }
}

function costRow(provider: string, { requests, steps }: ProgramRun): Row {
  const tokens = (bytes: readonly number[]): number => bytes.reduce((sum, one) => sum + one, 0) / bytesPerToken / steps
  const all = tokens(requests.map(({ bodyBytes }) => bodyBytes))
  const uncached = tokens(requests.map(({ bodyBytes, cachedBytes }) => bodyBytes - cachedBytes))
  return {
    name: `tokens a step, ${provider}`,
    ours: `${(uncached / 1000).toFixed(2)} k uncached`,
    plain: `${(all / 1000).toFixed(2)} k in all`,
    result: `${(uncached / all).toFixed(2)}x`,
  }
}

async function inTurn(programs: Programs, rounds: number): Promise<readonly ProgramRun[]> {
  const runs: ProgramRun[] = []
  for (let round = 0; round < rounds; round += 1) runs.push(await programs.run('openai'))
  return runs
}

async function atOnce(programs: Programs, rounds: number): Promise<readonly ProgramRun[]> {
  const runs: ProgramRun[] = []
  for (let round = 0; round < rounds; round += 1) {
    runs.push(...(await Promise.all(Array.from({ length: 4 }, () => programs.run('openai')))))
  }
  return runs
}

function timeRows(where: string, runs: readonly ProgramRun[]): readonly Row[] {
  const first = median(runs.map(({ firstCallMs }) => firstCallMs))
  const perStep = median(runs.map(({ firstCallMs, lastReportMs, steps }) => (lastReportMs - firstCallMs) / steps))
  return [
    { name: `first call without a browser, ${where}`, ours: formatMs(first) },
    { name: `time a step, ${where}`, ours: formatMs(perStep) },
  ]
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
