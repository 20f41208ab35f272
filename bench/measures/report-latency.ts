import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measure } from '../lib/measure.ts'
import { at } from '../lib/at.ts'
import { createProject, timeTests } from '../lib/project.ts'
import { formatMs } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const stepCount = 40
const maxP95Ms = 200
const programs = fileURLToPath(new URL('../programs/', import.meta.url))

const config = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({
  plugins: [mdtest({ agent: 'claude', executor: 'agent', minAssurance: 'observed' })],
  test: { reporters: ['json', ${JSON.stringify(join(programs, 'settled-reporter.mjs'))}] },
})
`
const ordinals = Array.from({ length: stepCount }, (_, index) => index + 1)
const spec = `# Reports\n\n${ordinals.map((n) => `## Step ${n}\n\nTry it.\n`).join('\n')}`

/** Time from a report's HTTP request to `onTestCaseResult`. Not for the last step, which waits for the agent's end. */
export const reportLatency: Measure = async ({ rounds = 5, log }) => {
  const project = await createProject({ 'vitest.config.ts': config, 'reports.test.md': spec })
  const latencies: number[] = []
  try {
    const bin = join(project.dir, 'bin')
    await mkdir(bin)
    const agent = JSON.stringify(join(programs, 'reporting-agent.mjs'))
    await writeFile(join(bin, 'claude'), `#!${process.execPath}\nimport(${agent})\n`, { mode: 0o755 })
    for (let round = 0; round < rounds; round += 1) {
      const files = {
        BENCH_REPORTS: join(project.dir, 'reports.jsonl'),
        BENCH_SETTLED: join(project.dir, 'settled.jsonl'),
      }
      await Promise.all(Object.values(files).map((file) => rm(file, { force: true })))
      await timeTests(project, {
        program: 'vitest',
        args: ['run'],
        tests: stepCount,
        path: `${bin}:${process.env.PATH}`,
        env: files,
        reporters: [],
      })
      const sent = await readLines<{ sentAtMs: number }>(files.BENCH_REPORTS)
      const settled = await readLines<{ atMs: number }>(files.BENCH_SETTLED)
      assertCount('reports', { expected: stepCount, actual: sent.length })
      assertCount('settled tests', { expected: stepCount, actual: settled.length })
      latencies.push(...sent.slice(0, -1).map(({ sentAtMs }, index) => at(settled, index).atMs - sentAtMs))
    }
  } finally {
    await project.remove()
  }
  log(`counted: ${latencies.length} reports`)
  const sorted = latencies.toSorted((one, other) => one - other)
  const quantile = (share: number): number => at(sorted, Math.min(sorted.length - 1, Math.floor(share * sorted.length)))
  return [
    {
      name: 'from a report to its result',
      ours: formatMs(quantile(0.5)),
      result: `p95 ${formatMs(quantile(0.95))}`,
      range: `${formatMs(at(sorted, 0))} … ${formatMs(at(sorted, -1))}`,
      target: `p95 < ${maxP95Ms} ms`,
      verdict: quantile(0.95) < maxP95Ms ? 'ok' : 'over',
    },
  ]
}

/** Reads a file of JSON lines that one of the programs wrote. */
async function readLines<Line>(file: string): Promise<readonly Line[]> {
  return (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
