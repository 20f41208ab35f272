// `scripts/start scripts/pictures.ts`: makes the pictures for README and docs from real runs, terminals as SVG and
// reports as WebP. Needs `chromium`.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import type Playwright from 'playwright-core'
import { prepare } from './lib/prepare.ts'
import { root } from './lib/run-command.ts'
import { commentPage } from './pictures/comment-page.ts'
import { makeBrowserReport } from './pictures/browser-report.ts'
import { terminalSvg } from './pictures/terminal-svg.ts'

// `playwright-core` is a dependency of `@playwright/mcp`.
const { chromium }: typeof Playwright = createRequire(import.meta.url)('playwright-core')
const pictures = join(root, 'docs/pictures')
const title = 'vitest run: the agent reports a pass, and the test fails, because the program forgot the note'

/** Browser code that converts a PNG (base64) to a WebP data URL. */
const toWebp = `async (data) => {
  const image = new Image()
  image.src = 'data:image/png;base64,' + data
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', 0.8)
}`

await prepare()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-pictures-')))
try {
  const project = join(folder, 'notes')
  cpSync(join(root, 'scripts/pictures/project'), project, { recursive: true })
  linkPackages(join(project, 'node_modules'))
  mkdirSync(pictures, { recursive: true })
  const env = { PATH: process.env.PATH ?? '', HOME: folder, FORCE_COLOR: '1', COLUMNS: '100', TZ: 'UTC' }
  const reporters = ['--reporter=default', '--reporter=vitest-mdtest/reporter']
  const run = await execa('node', ['node_modules/vitest/vitest.mjs', 'run', ...reporters], {
    cwd: project,
    env,
    extendEnv: false,
    all: true,
    reject: false,
  })
  const shown = tidy(run.all, project)
  for (const theme of ['light', 'dark'] as const)
    writeFileSync(join(pictures, `run-${theme}.svg`), terminalSvg(shown, theme, title))
  const told = await execa('node', ['node_modules/vitest-mdtest/dist/bin.js', 'report', '--github', '--dry-run'], {
    ...{ cwd: project, extendEnv: false },
    env: { ...env, FORCE_COLOR: '0', GITHUB_WORKSPACE: project, GITHUB_WORKFLOW: 'ci', GITHUB_JOB: 'specs' },
  })
  const comment = join(folder, 'comment.html')
  writeFileSync(comment, commentPage(told.stdout.split('\n').slice(0, -1).join('\n')))
  const shop = join(folder, 'shop')
  mkdirSync(shop)
  linkPackages(join(shop, 'node_modules'))
  await photograph(join(project, 'mdtest-report/index.html'), await makeBrowserReport(shop), comment)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Installs this package as users have it, as a copy in `node_modules`. */
function linkPackages(modules: string): void {
  const own = join(modules, 'vitest-mdtest')
  mkdirSync(own, { recursive: true })
  for (const name of ['package.json', 'dist', 'types', 'schemas'])
    cpSync(join(root, name), join(own, name), { recursive: true })
  symlinkSync(join(root, 'node_modules/vitest'), join(modules, 'vitest'))
}

/** Removes lines that differ between runs, and paths of this machine. */
function tidy(text: string, project: string): string {
  const lines = text.replaceAll(project, '~/notes').replaceAll('⎯', '─').split('\n')
  const from = lines.findIndex((line) => line.includes('RUN'))
  const ours = lines
    .slice(from)
    .filter((line) => !/^HTML report|Start at|Duration/.test(line.replaceAll(/\x1b\[[\d;]*m/g, '').trim()))
  return `$ npx vitest run\n${ours.join('\n')}`
}

async function photograph(terminal: string, shop: string, comment: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    for (const theme of ['light', 'dark'] as const) {
      await picture(browser, { name: `report-${theme}`, file: terminal, theme, width: 1000, open: 'Tick off a note' })
      await picture(browser, {
        name: `report-browser-${theme}`,
        file: shop,
        theme,
        width: 1280,
        open: 'Cart',
        step: 'Use a coupon',
      })
    }
    const shown = { file: shop, theme: 'light' } as const // a literal
    await picture(browser, { ...shown, name: 'report-narrow', width: 390, open: 'Cart', step: 'Use a coupon' })
    await picture(browser, { ...shown, name: 'report-print', width: 800, open: 'Cart', media: 'print' })
    await picture(browser, { ...shown, name: 'report-scenarios', width: 1280, open: 'addresses.test.md' })
    await picture(browser, { name: 'comment', file: comment, theme: 'light', width: 900 })
  } finally {
    await browser.close()
  }
}

interface Shot {
  readonly name: string
  /** Absolute path of the page */
  readonly file: string
  readonly theme: 'light' | 'dark'
  /** Width of the window in CSS pixels */
  readonly width: number
  /** Title of the spec to open. If absent, the first box is shown. */
  readonly open?: string
  /** Title of the step to scroll to */
  readonly step?: string
  readonly media?: 'print'
}

/** Takes one picture. Converts it to WebP with Chromium, because WebP needs a third of PNG's size. */
async function picture(browser: Playwright.Browser, shot: Shot): Promise<void> {
  const { name, file, theme: colorScheme, width, open, step, media = 'screen' } = shot
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, deviceScaleFactor: 1.25 })
  await page.goto(pathToFileURL(file).href)
  if (open !== undefined) {
    await page.locator('.spec summary', { hasText: open }).first().click()
    await page.locator('.step').first().waitFor()
  }
  await page.emulateMedia({ media, colorScheme })
  const place = step === undefined ? undefined : page.locator('.step', { hasText: step }).first()
  await place?.evaluate((element) => element.scrollIntoView())
  await page.waitForLoadState('networkidle')
  const png = (await (open === undefined ? page.locator('.box') : page).screenshot()).toString('base64')
  const converter = await browser.newPage()
  const webp = String(await converter.evaluate(`(${toWebp})('${png}')`))
  writeFileSync(join(pictures, `${name}.webp`), Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64'))
  await Promise.all([page.close(), converter.close()])
}
