import type { Log, Measure } from '../lib/measure.ts'
import { createProject, timeTests, type Project, type TestRun } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { createSpawnCounter } from '../lib/spawn-counter.ts'
import { files } from '../lib/spec-texts.ts'
import { timedRow, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const specCount = 200
const timedWorkers = 50
const watchedWorkers = [4, 16, 50]
const maxPeakBytes = 1.5 * 1024 ** 3
const mebibyte = 1024 ** 2
const run: TestRun = { program: 'vitest', args: ['run'], tests: specCount }

/** An agent that waits for two seconds and writes a result log. */
const agent = `sleep 2\nprintf -- '---\\nstatus: pass\\n---\\n' > "$1"\n`

const mdtestConfig = (workers: number): string => `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({
  plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] }, maxAgents: ${workers} })],
})
`
const plainConfig = (workers: number): string => `import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { pool: 'threads', isolate: false, maxWorkers: ${workers} } })
`
const spec = (n: number): string => `# Spec ${n}\n\n## Wait\n\nWait for two seconds.\n`
const plainTest = (n: number): string => `import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('Spec ${n}', async () => {
  await promisify(execFile)('sh', ['agent.sh', 'logs/${n}.log.md'])
})
`

/** Compares many parallel specs whose agent only waits with tests that spawn the same program. Also shows memory. */
export const manyAgents: Measure = async ({ rounds = 3, log }) => {
  const specs = await createProject({
    'agent.sh': agent,
    'vitest.config.ts': mdtestConfig(timedWorkers),
    ...files(specCount, (n) => [`specs/s${n}.test.md`, spec(n)]),
  })
  const plain = await createProject({
    'agent.sh': agent,
    'logs/.keep': '',
    'vitest.config.ts': plainConfig(timedWorkers),
    ...files(specCount, (n) => [`tests/t${n}.test.ts`, plainTest(n)]),
  })
  try {
    await countAgents(specs, log)
    await countAgents(plain, log)
    const result = await runRounds({ rounds, ours: () => timeTests(specs, run), plain: () => timeTests(plain, run) })
    const timed = timedRow(`${specCount} specs, ${timedWorkers} agents`, result, { maxRatio: 1.15 })
    const memory: Row[] = []
    for (const workers of watchedWorkers) memory.push(await peakMemory(specs, workers))
    return [timed, ...memory]
  } finally {
    await Promise.all([specs.remove(), plain.remove()])
  }
}

async function countAgents(project: Project, log: Log): Promise<void> {
  const counter = await createSpawnCounter(project.dir, ['sleep'])
  await timeTests(project, { ...run, path: counter.path })
  const { sleep } = await counter.take()
  assertCount('started `sleep`', { expected: specCount, actual: sleep })
  log(`counted: ${specCount} tests, ${sleep} sleep`)
}

async function peakMemory(specs: Project, workers: number): Promise<Row> {
  await specs.write('vitest.config.ts', mdtestConfig(workers))
  let peakBytes = 0
  await timeTests(specs, { ...run, onPeakMemory: (bytes) => (peakBytes = bytes) })
  return {
    name: `memory with ${workers} agents`,
    ours: `${(peakBytes / mebibyte).toFixed(0)} MiB`,
    target: `<= ${(maxPeakBytes / mebibyte).toFixed(0)} MiB`,
    verdict: peakBytes <= maxPeakBytes ? 'ok' : 'over',
    note: 'peak of the summed PSS of Vitest and its Node.js processes',
  }
}
