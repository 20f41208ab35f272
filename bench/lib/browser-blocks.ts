import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserRun } from '../../src/blocks/browser/run-browser.ts'
import type * as Playwright from 'playwright-core'
import type { Block } from '../../src/spec/spec.ts'
import { importCompiled } from './import-compiled.ts'

const { findChrome } =
  await importCompiled<typeof import('../../src/agents/browser/browsers.ts')>('agents/browser/browsers')
const { blockBrowser } =
  await importCompiled<typeof import('../../src/agents/browser/block-browser.ts')>('agents/browser/block-browser')
const { createScenarioBrowser } = await importCompiled<typeof import('../../src/blocks/browser/scenario-browser.ts')>(
  'blocks/browser/scenario-browser',
)
const { runBrowser } =
  await importCompiled<typeof import('../../src/blocks/browser/run-browser.ts')>('blocks/browser/run-browser')
const { startLauncher } = await importCompiled<typeof import('../../src/system/process/launcher/launcher.ts')>(
  'system/process/launcher/launcher',
)

/** One step in the shop, both as a `browser` block and as a Playwright script. Each side has its own browser. */
export interface StepTwice {
  asBlock(): Promise<void>
  byScript(): Promise<void>
  close(): Promise<void>
}

const shopProgram = fileURLToPath(new URL('../../fixtures/shop/main.mjs', import.meta.url))

const cart = `await page.goto('/')
await page.getByRole('button', { name: 'Add Blue mug to cart' }).click()
await see('link "Cart (1)"')`
const step = `await page.goto('/cart')
await page.getByRole('textbox', { name: 'Coupon' }).fill('SPRING10')
await page.getByRole('button', { name: 'Apply' }).click()
await see('status: "Total: €8.10"')`

/** Returns `undefined` if no browser is installed. */
export async function openStepTwice(): Promise<StepTwice | undefined> {
  const executablePath = findChrome(process.env)
  if (executablePath === undefined) return undefined
  const folder = mkdtempSync('/tmp/mdtest-blocks-')
  const launcher = startLauncher({ runMark: `bench-of-${folder}`, socketPath: join(folder, 'socket') })
  await launcher.ready
  const shop = spawn(process.execPath, [shopProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(shop.stdout, 'data')
  const baseUrl = String(line).trim()
  const start = blockBrowser({ home: mkdtempSync('/tmp/b-'), executablePath }, { isHeaded: false }, process.env)
  const browser = createScenarioBrowser({
    open: async () => start,
    launcher: () => launcher.address,
    runMark: 'bench',
    baseUrl,
    onStart: () => {},
    onEnd: () => {},
  })
  const run = async (code: string): Promise<void> => {
    const place = { line: 1, column: 1, codeLine: 2 }
    const block: Extract<Block, { kind: 'browser' }> = {
      ...{ ...place, kind: 'browser', role: 'run', code, language: 'js', attributes: { env: {} } },
    }
    const { status, message } = await runBrowser(block, runOf(browser, folder))
    if (status !== 'pass') throw new Error(message)
  }
  const { chromium }: typeof Playwright = createRequire(import.meta.url)('playwright-core')
  const plain = await chromium.launch(start.launchOptions)
  const page = await (await plain.newContext(start.contextOptions)).newPage()
  const visit = { timeout: 20_000, waitUntil: 'domcontentloaded' } as const // literal value
  const limit = { timeout: 5000 }
  const sees = async (text: string): Promise<void> => {
    while (!(await page.ariaSnapshot({ mode: 'default', ...limit })).includes(text)) continue
  }
  await run(cart)
  await page.goto(baseUrl, visit)
  await page.getByRole('button', { name: 'Add Blue mug to cart' }).click(limit)
  await sees('Cart (1)')
  return {
    asBlock: () => run(step),
    async byScript() {
      await page.goto(`${baseUrl}/cart`, visit)
      await page.getByRole('textbox', { name: 'Coupon' }).fill('SPRING10', limit)
      await page.getByRole('button', { name: 'Apply' }).click(limit)
      await sees('Total: €8.10')
    },
    async close() {
      await Promise.all([browser.close(), plain.close()])
      shop.kill()
      launcher.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A minimal scenario context for a step. */
function runOf(browser: BrowserRun['browser'], dir: string): BrowserRun {
  const nothing = {
    redact: (text: string) => text,
    signal: new AbortController().signal,
    captures: new Map<string, string>(),
    timeoutMs: 20_000,
    env: {},
  }
  return { ...nothing, browser, dir } as unknown as BrowserRun // no shell, no services
}
