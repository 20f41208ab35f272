import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findChrome } from '../../src/agents/browser/browsers.ts'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { createProject } from '../support/create-project.ts'
import { hideChrome } from '../support/hide-chrome.ts'
import { lane } from '../support/lane.ts'
import { happensWithin } from '../support/leftovers.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { displayUnavailable, startDisplay } from '../support/start-display.ts'
import { startShop } from '../support/start-shop.ts'

const { 'vitest-mdtest': ours = '', vitest = '' } = lane.packages
const installed = dirname(vitest)

describe('a package that only some specs need', () => {
  test('that of agents that speak ACP is named where it is missing', async () => {
    await using project = await createProject({ 'shop.test.md': '# Shop\n\nOpen it.\n' }, { ...lane, packages: {} })
    installWithoutPeers(project.path('node_modules'))
    writeFileSync(project.path('opencode'), '#!/bin/sh\n', { mode: 0o755 })
    const env = { PATH: [project.dir, process.env.PATH].join(':') }
    const { exitCode, stdout, stderr } = await project.mdtest(['run', '--agent', 'opencode'], { env })
    expect(exitCode).not.toBe(0)
    expect(`${stdout}${stderr}`).toContain(
      'Agents that speak ACP need the package `@agentclientprotocol/sdk`, which is not installed. Install it with `npm install -D @agentclientprotocol/sdk@2.4.0`.',
    )
  })

  test('is named where it is missing, with the command that installs it', async () => {
    await using project = await createProject({ 'shop.test.md': '# Shop\n\nOpen it.\n' }, { ...lane, packages: {} })
    installWithoutPeers(project.path('node_modules'))
    const args = ['run', '--agent', 'browser', '--base-url', 'http://127.0.0.1:9']
    const [of6, of3] = process.versions.node.startsWith('20.') ? ['@6', '@3'] : ['', '']
    const said = async (): Promise<string> => {
      const { exitCode, stderr } = await project.mdtest(args, { env: { OPENAI_API_KEY: 'sk-never-used' } })
      expect(exitCode).toBe(2)
      return stderr.trim()
    }
    expect(await said()).toBe(
      `mdtest: Browser specs need the package \`ai\`, which is not installed. Install it with \`npm install -D ai${of6}\`.`,
    )
    symlinkSync(join(installed, 'ai'), project.path('node_modules/ai'))
    expect(await said()).toContain(`\`npm install -D @ai-sdk/openai${of3}\``)
  })
})

/** All packages of the repository but those that only some specs need, and mdtest itself as a copy: a link would find them. */
function installWithoutPeers(folder: string): void {
  for (const name of readdirSync(installed)) {
    if (!/^(?:\..*|ai|@agentclientprotocol|@ai-sdk|@playwright|playwright.*|vitest-mdtest)$/.test(name))
      symlinkSync(join(installed, name), join(folder, name))
  }
  cpSync(ours, join(folder, 'vitest-mdtest'), { recursive: true })
}

describe.skipIf(skipReason !== '')(`where the system has no Chrome${skipReason}`, () => {
  test('one of Playwright is taken, and a run without any ends before anything starts', async () => {
    await using shop = await startShop()
    await using browser = await createBrowserProject({
      script: browse(shopScripts),
      files: { 'catalogue.test.md': await shopSpec('catalogue', shop.url) },
    })
    const { project, model } = browser
    const PLAYWRIGHT_BROWSERS_PATH = project.path('browsers')
    const env = { ...browser.env, NODE_OPTIONS: `--import=${hideChrome()}`, PLAYWRIGHT_BROWSERS_PATH }
    const refused = await project.mdtest(['run'], { env, timeoutMs })
    expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr.trim()).toBe(
      'mdtest: There is no Chrome or Chromium. Install one, or run `npx playwright install chromium`.',
    )
    expect(model.conversations).toEqual([])

    const told = 'process.stdout.write(require("playwright-core").chromium.executablePath())'
    const program = execFileSync(process.execPath, ['-e', told], { env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH } })
    mkdirSync(dirname(String(program)), { recursive: true })
    symlinkSync(findChrome(process.env) ?? '', String(program))
    const { exitCode, all } = await project.mdtest(['run'], { env, timeoutMs })
    expect(exitCode, all).toBe(0)
    expect(all).toContain('2 passed')
  })
})

const reason =
  skipReason || (displayUnavailable === undefined ? '' : ` (skipped: no \`${displayUnavailable}\` on PATH)`)

describe.skipIf(reason !== '')(`\`--headed\`${reason}`, () => {
  test('shows the browser on the screen that there is, and says what is wrong with one that is not', async () => {
    await using shop = await startShop()
    await using display = await startDisplay()
    const seen = new Set<string>()
    const script = browse(shopScripts)
    await using browser = await createBrowserProject({
      async script(conversation) {
        const [, title] = /Page Title: ([ -~]+)/.exec(conversation.results.at(-1)?.text ?? '') ?? []
        const isShown = (): boolean => display.windows().some((window) => window.startsWith(title ?? ''))
        if (title !== undefined && (await happensWithin(20_000, isShown))) seen.add(title.trim())
        return script(conversation)
      },
      files: { 'catalogue.test.md': await shopSpec('catalogue', shop.url) },
    })
    const { project, env } = browser
    const run = (name: string) => project.mdtest(['run', '--headed'], { env: { ...env, DISPLAY: name }, timeoutMs })
    expect(display.windows()).toEqual([])
    const shown = await run(display.name)
    expect(shown.exitCode, shown.all).toBe(0)
    expect(seen).toEqual(new Set(['Our products', 'Search', 'Gold spoon']))
    const nowhere = await run(':4242')
    expect(nowhere.exitCode).toBe(1)
    expect(nowhere.all).toMatch(/BROWSER_UNAVAILABLE[^]*The browser does not start: .*`DISPLAY`/)
    const none = await run('')
    expect([none.exitCode, none.stdout]).toEqual([2, ''])
    expect(none.stderr).toMatch(/^mdtest: There is no display to show the browser on\. Leave out `--headed`.*$/)
  })
})
