import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockBrowser } from '../../src/agents/browser/block-browser.ts'
import {
  createScenarioBrowser,
  type ScenarioBrowser,
  type ScenarioBrowserOptions,
} from '../../src/blocks/browser/scenario-browser.ts'
import type { Block } from '../../src/spec/spec.ts'
import { place, useBlocks } from '../blocks/use-blocks.ts'
import { skipReason } from '../support/browser-project.ts'
import type { Listening } from '../support/listen.ts'
import { startOddPages } from '../support/odd-pages.ts'
import { useLauncher } from '../support/use-launcher.ts'
import { findOnPath } from '../../src/system/files/paths.ts'

const executablePath = findOnPath('chromium', { path: process.env.PATH ?? '', cwd: '/' }) ?? ''

describe.skipIf(skipReason !== '')(`browser blocks that fail${skipReason}`, () => {
  const launcher = useLauncher()
  const useBlocksOf = useBlocks()
  let pages: Listening
  let shared: ScenarioBrowser

  const open = (
    baseUrl?: string,
    path = executablePath,
    onStart: ScenarioBrowserOptions['onStart'] = () => {},
  ): ScenarioBrowser =>
    createScenarioBrowser({
      async open() {
        const home = mkdtempSync('/tmp/mdtest-browser-')
        return blockBrowser({ home, executablePath: path }, { isHeaded: false }, process.env)
      },
      launcher: () => launcher,
      runMark: 'block-failures',
      baseUrl,
      onStart,
      onEnd: () => {},
    })

  beforeAll(async () => {
    pages = await startOddPages()
    shared = open(pages.url)
  })
  afterAll(async () => {
    await shared.close()
    await pages[Symbol.asyncDispose]()
  })

  function block(code: string, timeoutMs = 3000): Block {
    return { ...place, kind: 'browser', language: 'ts', code, attributes: { env: { PIN: '481516' }, timeoutMs } }
  }

  const names = "await page.goto('/names')"
  const form = "await page.goto('/form')"

  test.each<[code: string, line: number, message: RegExp]>([
    ["await page.getByRole('button', { name: 'Save' }).click()", 11, /No page is open yet/],
    ["await see('heading')", 11, /No page is open yet/],
    [
      `${names}\nawait page.getByRole('button', { name: 'Delete', exact: true }).click()`,
      12,
      /no such control on the page\. It is `.*\/names`\. It has: `button "Remove"`, `button "Locked"`/,
    ],
    [
      `${names}\nawait page.getByRole('button', { name: 'Remove' }).click()`,
      12,
      /Several controls fit: .*Milk.*Bread/s,
    ],
    [`${names}\nawait page.getByRole('button', { name: 'Locked' }).click()`, 12, /cannot be used: .*not enabled/],
    [`${names}\nawait see('paragraph: Order 12')`, 12, /- paragraph: Order 12\n\+ paragraph: Order 10/],
    [`${names}\nawait see('paragraph: Order {{n:/\\\\d+/}}')`, 12, /Several lines .* different values: `10` and `11`/],
    [`${names}\nawait see('{{n:/x/}}: {{m}}')`, 12, /captured `\{\{m\}\}`/],
    [`${names}\nawait see('{{n:/(/}}: x')`, 12, /is no regular expression/],
    [`${names}\nawait see('...')`, 12, /would hold for any page/],
    [
      `${names}\nawait see.not('paragraph: Order 10')`,
      12,
      /still shows what must not be there:\n\+ paragraph: Order 10/,
    ],
    [`${names}\nawait see.not('paragraph: {{gone}}')`, 12, /captured `\{\{gone\}\}`/],
    [`${names}\n\nsee('paragraph: Order 10')`, 13, /Write `await` before it/],
    [
      `${names}\nsee('paragraph: Order 12')\nawait new Promise((done) => setTimeout(done, 3500))`,
      12,
      /- paragraph: Order 12/,
    ],
    [`${names}\nawait page.getByRol('button').click()`, 12, /getByRol is not a function/],
    ["await page.goto('http://127.0.0.1:9/')", 11, /cannot be opened: (?:connection refused|unsafe port)/],
    ["await page.goto('/')\nawait dialog.accept()", 12, /There is no dialog/],
    ["await page.goto('/')\nawait fileChooser.setFiles('../x')", 12, /no file in the scenario's directory/],
    [`${form}\nawait page.getByTestId('code').fill(secret('NOT_SET'))`, 12, /`NOT_SET` is not set/],
    [`${form}\nawait page.getByRole('listbox', { name: 'Size' }).selectOption('XXL')`, 12, /did not find some options/],
    ["await page.goto('file:///etc/passwd')", 11, /is no address to open/],
    ["await page.goto('/')\nawait page.keyboard.press('Entr')", 12, /Unknown key: "Entr"/],
    [
      `${form}\nawait page.getByTestId('code').fill(secret('PIN'))\nawait see('textbox: "0000"')`,
      13,
      /\+ textbox: .*\*\*\*/,
    ],
    [
      `${form}\nawait page.getByTestId('code').fill(secret('PIN'))\nawait page.getByLabel('481516').click()`,
      13,
      /no such control/,
    ],
    ['await page.goto(', 11, /This is no (?:Java|Type)Script/],
  ])('%s', async (code, line, message) => {
    const [outcome] = await useBlocksOf().runAll([block(code)], { browser: shared })
    expect(outcome).toMatchObject({ status: 'fail', line, message: expect.stringMatching(message) })
    expect(outcome?.message.replace("getByLabel('481516')", '')).not.toContain('481516')
    expect(outcome?.blockedBy).toBeUndefined()
  })

  test.each<[code: string, line: unknown, message: RegExp]>([
    // The tab may be known a moment after the click.
    [
      "await page.goto('/tab')\nawait page.getByRole('link', { name: 'Open' }).click()\nawait see('heading \"Start\"')",
      expect.toBeOneOf([12, 13]),
      /Another tab was opened/,
    ],
    [
      "await page.goto('/late-dialog')\nawait page.getByRole('button', { name: 'Ask' }).click()\nawait see('status: x')",
      13,
      /The page asks "Name\?" \(prompt\)/,
    ],
  ])('%s, in a page that is of no use then', async (code, line, message) => {
    const browser = open(pages.url)
    const [outcome] = await useBlocksOf().runAll([block(code, 5000)], { browser })
    await browser.close()
    expect(outcome).toMatchObject({ status: 'fail', line, message: expect.stringMatching(message) })
  })

  test('the block itself takes care of a dialog and of a tab; a loop without an end is over in time', async () => {
    const browser = open(pages.url)
    const code = [
      "await page.goto('/late-dialog')",
      "page.once('dialog', (asked) => asked.accept('Zoe'))",
      "await page.getByRole('button', { name: 'Ask' }).click()",
      "await page.goto('/tab')",
      "const popup = page.waitForEvent('popup')",
      "await page.getByRole('link', { name: 'Open' }).click()",
      "captures.set('tab', await (await popup).title())",
      'for (const _ of [1]) await new Promise(() => {})',
    ].join('\n')
    const [outcome] = await useBlocksOf().runAll([block(code, 3000)], { browser })
    await browser.close()
    expect(outcome).toMatchObject({ status: 'timeout', message: expect.stringMatching(/The block took longer than/) })
  })

  test('a browser that does not start, or is killed, says nothing of the product', async () => {
    const waiting = block(`${names}\nawait see('heading "Never"')`, 60_000)
    let pid = 0
    const killed = open(pages.url, executablePath, (tree) => (pid = tree.pid))
    await useBlocksOf().runAll([block(names)], { browser: killed })
    const none = open(pages.url, '/bin/false')
    for (const [browser, message, end] of [
      [none, /does not start/, () => undefined],
      [killed, /something killed it/, () => execFileSync('pkill', ['-KILL', '-P', String(pid)])],
      [shared, /canceled/, () => shared.cancel()],
    ] as const) {
      const running = useBlocksOf().runAll([waiting], { browser })
      await sleep(500)
      end()
      const blocked = { status: 'fail', blockedBy: 'BROWSER_UNAVAILABLE', message: expect.stringMatching(message) }
      expect((await running)[0]).toMatchObject(blocked)
      await browser.close()
    }
  })

  test('without a base URL a path is no address', async () => {
    const browser = open()
    const [outcome] = await useBlocksOf().runAll([block("await page.goto('/cart')")], { browser })
    expect(outcome?.message).toMatch(/there is no base URL: give it with `base-url`/)
    await browser.close()
  })
})
