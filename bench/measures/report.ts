import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openReport } from '../../.cache/compiled/report/folder/report-folder.js'
import { formatMs } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const specCount = 1000
const stepsPerSpec = 5
const callsPerStep = 4
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
const at = '2026-02-10T14:30:05.000Z'

/** The report of many specs that agents worked on: its size, and the time to write and to open it. */
export async function report({ rounds = 5, log }) {
  const root = await mkdtemp(join(tmpdir(), 'mdtest-bench-report-'))
  const dir = join(root, 'mdtest-report')
  const name = `report of ${specCount} specs x ${stepsPerSpec} steps`
  try {
    const startedAtMs = performance.now()
    const folder = await openReport({ dir, root })
    for (let index = 0; index < specCount; index += 1) await folder.putSpec(specRecord(index))
    await folder.writeSummary()
    const writingMs = performance.now() - startedAtMs
    assertCount('specs on disk', { expected: specCount, actual: (await readdir(join(dir, 'specs'))).length })
    const { size } = await stat(join(dir, 'summary.js'))
    log(`summary.js: ${(size / 1024).toFixed(0)} KiB; ${(await bytesIn(dir)) >> 20} MiB in all`)
    const rows = [
      { name: `${name}, written`, ours: formatMs(writingMs), note: `${formatMs(writingMs / specCount)} each` },
    ]
    if (chromium === undefined) return [...rows, { name, verdict: 'skipped', note: 'no chromium' }]
    const openings = await timeOpenings(dir, rounds)
    const median = openings.toSorted((one, other) => one - other)[openings.length >> 1]
    return [
      ...rows,
      {
        name: `${name}, opened at a step`,
        ours: formatMs(median),
        range: `${formatMs(Math.min(...openings))} … ${formatMs(Math.max(...openings))}`,
        target: '<= 2000 ms',
        verdict: median <= 2000 ? 'ok' : 'over',
      },
    ]
  } finally {
    await rm(root, { recursive: true })
  }
}

/** From asking for the page to the sight of one of its steps, in milliseconds. */
async function timeOpenings(dir, rounds) {
  const driver = createRequire(import.meta.url)('playwright-core')
  const browser = await driver.chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] })
  try {
    const openings = []
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage()
      const startedAtMs = performance.now()
      await page.goto(`${pathToFileURL(join(dir, 'index.html')).href}#specs/500.test.md/3-step`)
      await page.locator('[data-step="3-step"]').waitFor()
      openings.push(performance.now() - startedAtMs)
      assertCount('specs on the page', { expected: specCount, actual: await page.locator('.spec').count() })
      await page.close()
    }
    return openings
  } finally {
    await browser.close()
  }
}

function specRecord(index) {
  const numbers = Array.from({ length: stepsPerSpec }, (_, step) => step + 1)
  const text = numbers.map((n) => `## Step ${n}\n\nPut **${n}** mugs into the cart.\n\n- [ ] The badge reads ${n}\n`)
  return {
    version: 1,
    spec: `specs/${index}.test.md`,
    title: `Spec ${index}`,
    startedAt: at,
    endedAt: at,
    durationMs: 1000,
    outcome: index % 10 === 0 ? 'fail' : 'pass',
    sources: [{ text: `# Spec ${index}\n\n${text.join('\n')}` }],
    problems: [],
    steps: numbers.map((n) => ({
      anchor: `${n}-step`,
      titles: [`Spec ${index}`, `Step ${n}`],
      line: 3 + (n - 1) * 6,
      outcome: index % 10 === 0 && n === 5 ? 'fail' : 'pass',
      reasons: index % 10 === 0 && n === 5 ? [{ code: 'STEP_FAILED', message: 'The badge reads 0.' }] : [],
      durationMs: 200,
      said: { status: 'pass', observed: `the badge reads ${n}` },
      checks: [{ n: 1, line: 7 + (n - 1) * 6, text: 'The badge', status: 'pass' }],
      calls: Array.from({ length: callsPerStep }, (_, call) => ({
        id: `t${n}-${call}`,
        at,
        step: `${n}-step`,
        kind: 'browser',
        title: 'click the button',
        excerpt: 'Cart: 1 item, 12 €. '.repeat(25),
        activity: true,
      })),
      images: [],
      files: [],
    })),
    runs: [],
  }
}

async function bytesIn(dir) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
