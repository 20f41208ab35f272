import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from '../../scripts/lib/run-command.ts'
import { startModelServer, type ModelScript } from '../../test/support/model-server.ts'
import { readSteps } from '../../test/support/scripts/read-task.ts'
import { importCompiled } from '../lib/import-compiled.ts'
import type { Measure } from '../lib/measure.ts'
import { createProject, timeTests, type Project } from '../lib/project.ts'
import { formatMs, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const { findChrome } =
  await importCompiled<typeof import('../../src/agents/browser/browsers.ts')>('agents/browser/browsers')

const scenarioCount = 12
/** Time that the model takes for each answer; only the first answer of a scenario comes at once. */
const answerMs = 1000
const shopProgram = fileURLToPath(new URL('../../fixtures/shop/main.mjs', import.meta.url))
const targets = [
  { agents: 1, name: 'one at a time', maxMs: 1000 },
  { agents: 4, name: 'four at once', maxMs: 2000 },
]

/** Time from a browser scenario's start to its first answered call, for the first scenarios and for later ones. */
export const browserStart: Measure = async () => {
  if (findChrome(process.env) === undefined)
    return [{ name: 'the start of a browser scenario', verdict: 'skipped', note: 'no Chrome or Chromium' }]
  const shop = spawn(process.execPath, [shopProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(shop.stdout, 'data')
  const baseUrl = String(line).trim()
  await using model = await startModelServer(scriptFor(baseUrl))
  const project = await createBrowserProject(`${model.url}/v1`)
  try {
    const rows: Row[] = []
    for (const { agents, name, maxMs } of targets) {
      const times = await firstCalls(project, { agents, baseUrl })
      rows.push(timeRow(`first call, the first ${agents === 1 ? 'scenario' : 'four'} of a run`, times.slice(0, agents)))
      const later = timeRow(`first call, ${name}`, times.slice(agents))
      rows.push({
        ...later,
        target: `<= ${formatMs(maxMs)}`,
        verdict: median(times.slice(agents)) <= maxMs ? 'ok' : 'over',
      })
    }
    return rows
  } finally {
    shop.kill()
    await project.remove()
  }
}

/** A model that makes three calls and a report. */
function scriptFor(baseUrl: string): ModelScript {
  const acts = [
    { name: 'browser_navigate', input: { url: baseUrl } },
    { name: 'browser_press_key', input: { key: 'Tab' } },
    { name: 'browser_find', input: { text: 'products' } },
  ]
  return async ({ results, system }) => {
    if (results.length > 0) await sleep(answerMs)
    const step = readSteps(system)[0]?.id
    const calls = [...acts, { name: 'report_step', input: { step, status: 'pass', observed: 'Products.' } }]
    const call = calls[results.length]
    return call === undefined ? { kind: 'answer', text: 'Done.' } : { kind: 'answer', calls: [call] }
  }
}

async function createBrowserProject(providerUrl: string): Promise<Project> {
  const options = JSON.stringify({ agent: 'browser', minAssurance: 'observed', providerUrl })
  const project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const { agents, baseUrl } = JSON.parse(process.env.BENCH)
export default {
  plugins: [mdtest({ ...${options}, maxAgents: agents, baseUrl })],
  test: { maxConcurrency: agents, fileParallelism: false },
}
`,
    'shop.test.md': `---
dialect: planner
---

# Shop

## Application Overview

A shop.

## Test Scenarios

### 1. Products

${Array.from({ length: scenarioCount }, (_, index) => `#### 1.${index + 1} Look ${index + 1}\n\n**Steps:**\n1. Look\n`).join('\n')}`,
  })
  for (const name of ['ai', '@ai-sdk', '@modelcontextprotocol', '@playwright', 'playwright', 'playwright-core'])
    await symlink(join(root, 'node_modules', name), join(project.dir, 'node_modules', name))
  return project
}

interface RunOptions {
  readonly agents: number
  readonly baseUrl: string
}

/** Milliseconds until the first call of each scenario, in the order of their starts. */
async function firstCalls(project: Project, { agents, baseUrl }: RunOptions): Promise<readonly number[]> {
  const known = new Set(await logsIn(project))
  const env = {
    OPENAI_API_KEY: 'scripted',
    https_proxy: 'http://127.0.0.1:9',
    BENCH: JSON.stringify({ agents, baseUrl }),
  }
  await timeTests(project, { program: 'mdtest', args: ['run', 'shop.test.md'], tests: scenarioCount, env })
  const starts = []
  for (const file of (await logsIn(project)).filter((name) => !known.has(name))) {
    const { startedAt } = JSON.parse(await readFile(file, 'utf8'))
    const journal = await readFile(file.replace(/\.verdict\.json$/, '.journal.jsonl'), 'utf8')
    const first = journal.split('\n').find((entry) => entry.includes('"kind":"browser"')) ?? '{}'
    starts.push({ atMs: Date.parse(startedAt), firstMs: Date.parse(JSON.parse(first).at) - Date.parse(startedAt) })
  }
  assertCount('scenarios with a call', {
    expected: scenarioCount,
    actual: starts.filter(({ firstMs }) => firstMs > 0).length,
  })
  return starts.toSorted((one, other) => one.atMs - other.atMs).map(({ firstMs }) => firstMs)
}

/** Absolute paths of all verdict files. */
async function logsIn({ dir }: Project): Promise<readonly string[]> {
  const files = await readdir(dir, { recursive: true })
  return files.flatMap((file) => (file.endsWith('.verdict.json') ? [join(dir, file)] : []))
}

function timeRow(name: string, times: readonly number[]): Row {
  const range = `${formatMs(Math.min(...times))} to ${formatMs(Math.max(...times))}`
  return { name, ours: formatMs(median(times)), range }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
