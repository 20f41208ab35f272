import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SpecRecord } from '../../src/report/data/spec-record.ts'
import { at } from '../lib/at.ts'
import { importCompiled } from '../lib/import-compiled.ts'
import type { Measure } from '../lib/measure.ts'
import { formatMs, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const { openReport } =
  await importCompiled<typeof import('../../src/report/folder/report-folder.ts')>('report/folder/report-folder')

const specCount = 1000
const stepsPerSpec = 5
const callsPerStep = 4
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
const recordedAt = '2026-02-10T14:30:05.000Z'

/** Measures a report of many agent specs: its size, and the time to write and to open it. */
export const report: Measure = async ({ rounds = 5, log }) => {
  const root = await mkdtemp(join(tmpdir(), 'mdtest-bench-report-'))
  const dir = join(root, 'mdtest-report')
  const name = `report of ${specCount} specs x ${stepsPerSpec} steps`
  try {
    const startedAtMs = performance.now()
    const folder = await openReport({ dir, root })
    for (let index = 0; index < specCount; index += 1) await folder.putSpec(specRecord(index))
    await folder.writeSummary({
      startedAt: recordedAt,
      endedAt: recordedAt,
      specs: specCount,
      otherTests: { pass: 0, fail: 0, skipped: 0 },
      errors: [],
    })
    const writingMs = performance.now() - startedAtMs
    assertCount('specs on disk', { expected: specCount, actual: (await readdir(join(dir, 'specs'))).length })
    const { size } = await stat(join(dir, 'summary.js'))
    log(`summary.js: ${(size / 1024).toFixed(0)} KiB; ${(await bytesIn(dir)) >> 20} MiB in all`)
    const rows: readonly Row[] = [
      { name: `${name}, written`, ours: formatMs(writingMs), note: `${formatMs(writingMs / specCount)} each` },
    ]
    if (chromium === undefined) return [...rows, { name, verdict: 'skipped', note: 'no chromium' }]
    const openings = await timeOpenings({ dir, rounds, chromium })
    return [
      ...rows,
      rowOf(
        `${name}, opened`,
        openings.map(({ listMs }) => listMs),
        500,
      ),
      rowOf(
        `${name}, opened at a step`,
        openings.map(({ stepMs }) => stepMs),
        2000,
      ),
      rowOf(
        `${name}, "Open all", what is seen`,
        openings.map(({ seenMs }) => seenMs),
        1000,
      ),
      rowOf(
        `${name}, "Open all", all of it`,
        openings.map(({ allMs }) => allMs),
      ),
    ]
  } finally {
    await rm(root, { recursive: true })
  }
}

function rowOf(name: string, timesMs: readonly number[], targetMs?: number): Row {
  const middleMs = at(
    timesMs.toSorted((one, other) => one - other),
    timesMs.length >> 1,
  )
  return {
    name,
    ours: formatMs(middleMs),
    range: `${formatMs(Math.min(...timesMs))} … ${formatMs(Math.max(...timesMs))}`,
    ...(targetMs !== undefined && {
      target: `<= ${targetMs} ms`,
      verdict: middleMs <= targetMs ? 'ok' : 'over',
    }),
  }
}

/** How long it takes until parts of the report are visible. */
interface Opening {
  /** From opening the page until the list is visible */
  readonly listMs: number
  /** From opening the page until a step is visible */
  readonly stepMs: number
  /** From a click on "Open all" until the first specs are visible */
  readonly seenMs: number
  /** From a click on "Open all" until all specs are loaded */
  readonly allMs: number
}

interface Openings {
  readonly dir: string
  readonly rounds: number
  /** Absolute path of the program */
  readonly chromium: string
}

/** The part of `playwright-core` that is used here. */
interface Driver {
  readonly chromium: {
    launch(options: { executablePath: string; args: readonly string[] }): Promise<{
      newPage(): Promise<Page>
      close(): Promise<void>
    }>
  }
}

interface Page {
  goto(url: string): Promise<unknown>
  locator(selector: string): { waitFor(): Promise<void>; count(): Promise<number> }
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}

async function timeOpenings({ dir, rounds, chromium: executablePath }: Openings): Promise<readonly Opening[]> {
  const driver: Driver = createRequire(import.meta.url)('playwright-core')
  const browser = await driver.chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const address = pathToFileURL(join(dir, 'index.html')).href
  try {
    const openings: Opening[] = []
    for (let round = 0; round < rounds; round += 1) {
      const list = await browser.newPage()
      const listMs = await timeMs(async () => {
        await list.goto(address)
        await list.evaluate(painted)
      })
      assertCount('specs on the page', { expected: specCount, actual: await list.locator('.spec').count() })
      const seenMs = Number(
        await list.evaluate(`(async () => { const start = performance.now()
        document.querySelector('#open-all').click()
        ${until('seen')}
        await ${painted}
        return performance.now() - start })()`),
      )
      const restMs = await timeMs(() => list.evaluate(`(async () => { ${until('all')} })()`))
      assertCount('steps on the page', {
        expected: specCount * stepsPerSpec,
        actual: await list.locator('.step').count(),
      })
      await list.close()
      const page = await browser.newPage()
      const stepMs = await timeMs(async () => {
        await page.goto(`${address}#specs/500.test.md/3-step`)
        await page.locator('[data-step="3-step"]').waitFor()
      })
      await page.close()
      openings.push({ listMs, stepMs, seenMs, allMs: seenMs + restMs })
    }
    return openings
  } finally {
    await browser.close()
  }
}

async function timeMs(action: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await action()
  return performance.now() - startedAtMs
}

/** Code that waits in the page until the current layout is painted. */
const painted = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))'

/** Code that waits in the page until the visible specs, or all specs, have their content. */
function until(which: 'seen' | 'all'): string {
  const rows = `[...document.querySelectorAll('.spec')]`
  const wanted = which === 'all' ? rows : `${rows}.filter((row) => row.getBoundingClientRect().top < innerHeight)`
  return `while (!${wanted}.every((row) => row.querySelector('.content').childElementCount > 0)) await new Promise((resolve) => setTimeout(resolve, 5))`
}

function specRecord(index: number): SpecRecord {
  const numbers = Array.from({ length: stepsPerSpec }, (_, step) => step + 1)
  const text = numbers.map((n) => `## Step ${n}\n\nPut **${n}** mugs into the cart.\n\n- [ ] The badge reads ${n}\n`)
  return {
    spec: `specs/${index}.test.md`,
    title: `Spec ${index}`,
    startedAt: recordedAt,
    endedAt: recordedAt,
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
        at: recordedAt,
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

async function bytesIn(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
