// `scripts/start scripts/pictures.ts`: makes the pictures of the README from real runs: the terminal as SVG, the report as PNG, light and dark.
// Needs `chromium`, and dist/ as `npm run build` makes it.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import type Playwright from 'playwright-core'
import { prepare } from './lib/prepare.ts'
import { root } from './lib/run-command.ts'
import { terminalSvg } from './pictures/terminal-svg.ts'

// It comes with `@playwright/mcp`.
const { chromium }: typeof Playwright = createRequire(import.meta.url)('playwright-core')
const pictures = join(root, 'docs/pictures')
const title = 'vitest run: the agent reports a pass, and the test fails, because the program forgot the note'

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
  await photograph(join(project, 'mdtest-report/index.html'))
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** The package as users have it, in a folder of its own. */
function linkPackages(modules: string): void {
  const own = join(modules, 'vitest-mdtest')
  mkdirSync(own, { recursive: true })
  for (const name of ['package.json', 'dist', 'types', 'schemas'])
    cpSync(join(root, name), join(own, name), { recursive: true })
  symlinkSync(join(root, 'node_modules/vitest'), join(modules, 'vitest'))
}

/** Without what differs from run to run, and what is about the package that the picture is made of. */
function tidy(text: string, project: string): string {
  const lines = text.replaceAll(project, '~/notes').replaceAll('⎯', '─').split('\n')
  const from = lines.findIndex((line) => line.includes('RUN'))
  const ours = lines
    .slice(from)
    .filter((line) => !/^HTML report|Start at|Duration/.test(line.replaceAll(/\x1b\[[\d;]*m/g, '').trim()))
  return `$ npx vitest run\n${ours.join('\n')}`
}

async function photograph(file: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, colorScheme, deviceScaleFactor: 2 })
      await page.goto(pathToFileURL(file).href)
      await page.getByText('Tick off a note').first().click()
      await page.screenshot({ path: join(pictures, `report-${colorScheme}.png`) })
      await page.close()
    }
  } finally {
    await browser.close()
  }
}
