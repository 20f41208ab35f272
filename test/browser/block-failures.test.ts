import { mkdtempSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockBrowser } from '../../src/agents/browser/block-browser.ts'
import { createScenarioBrowser, type ScenarioBrowser } from '../../src/blocks/browser/scenario-browser.ts'
import { parseBrowserBlock } from '../../src/spec/browser/parse-browser-block.ts'
import type { Block } from '../../src/spec/spec.ts'
import { place, useBlocks } from '../blocks/use-blocks.ts'
import { skipReason } from '../support/browser-project.ts'
import { startOddPages, type OddPages } from '../support/odd-pages.ts'
import { useLauncher } from '../support/use-launcher.ts'
import { findOnPath } from '../../src/system/files/paths.ts'

const executablePath = findOnPath('chromium', { path: process.env.PATH ?? '', cwd: '/' }) ?? ''

describe.skipIf(skipReason !== '')(`browser blocks that fail${skipReason}`, () => {
  const launcher = useLauncher()
  const useBlocksOf = useBlocks()
  let pages: OddPages
  let shared: ScenarioBrowser

  const open = (baseUrl?: string, path = executablePath): ScenarioBrowser =>
    createScenarioBrowser({
      async open() {
        const home = mkdtempSync('/tmp/mdtest-browser-')
        return { ok: true, start: blockBrowser({ home, executablePath: path, isHeaded: false }, process.env) }
      },
      launcher: () => launcher,
      runMark: 'block-failures',
      baseUrl,
      onStart: () => {},
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

  function block(code: string, timeoutMs = 1000): Block {
    const lines = parseBrowserBlock(code, place, (_rule, _place, message) => expect.fail(message))
    return { ...place, kind: 'browser', code, lines, attributes: { env: { PIN: '481516' }, timeoutMs } }
  }

  test.each<[code: string, line: number, message: RegExp]>([
    ['click button "Save"', 11, /No page is open yet/],
    [
      'goto /names\nclick button "Delete" exactly',
      12,
      /no such control on the page\. It is `.*\/names`\. It has: `button "Remove"`, `button "Locked"`/,
    ],
    ['goto /names\nclick button "Remove"', 12, /Several controls fit: .*Milk.*Bread/s],
    ['goto /names\nclick button "Locked"', 12, /is there and cannot be used: .*not enabled/],
    ['goto /names\n- paragraph: Order 12', 12, /- paragraph: Order 12\n\+ paragraph: Order 10/],
    ['goto /names\n- paragraph: Order {{n:/\\d+/}}', 12, /Several lines .* with different values: `10` and `11`/],
    ['goto /names\n- {{n:/x/}}: {{m}}', 12, /captured `\{\{m\}\}`/],
    ['goto /names\n! paragraph: Order 10', 12, /still shows what must not be there:\n\+ paragraph: Order 10/],
    ['goto /names\n! paragraph: {{gone}}', 12, /captured `\{\{gone\}\}`/],
    ['goto http://127.0.0.1:9/', 11, /cannot be opened: (?:connection refused|unsafe port)/],
    ['goto /\naccept dialog', 12, /There is no dialog/],
    ['goto /form\nfill testid "code" $NOT_SET', 12, /`\$NOT_SET` is not set/],
    ['goto /form\nupload button "Choose" "../x"', 12, /no file in the scenario's directory/],
    ['goto /form\nselect listbox "Size" "XXL"', 12, /did not find some options/],
    ['goto file:///etc/passwd', 11, /is no address to open/],
    ['goto /\npress Entr', 12, /Unknown key: "Entr"/],
    ['goto /form\nfill testid "code" $PIN\n- textbox: "0000"', 13, /\+ textbox: .*\*\*\*/],
    ['goto /form\nfill testid "code" $PIN\nclick textbox "481516"', 13, /no such control/],
  ])('%s', async (code, line, message) => {
    const [outcome] = await useBlocksOf().runAll([block(code)], { browser: shared })
    expect(outcome).toMatchObject({ status: 'fail', line, message: expect.stringMatching(message) })
    expect(outcome?.message.replace('click textbox "481516"', '')).not.toContain('481516')
    expect(outcome?.isBlocked).toBeUndefined()
  })

  test.each<[code: string, line: unknown, message: RegExp]>([
    // The tab may be known a moment after the click.
    ['goto /tab\nclick link "Open"\n- heading "Start"', expect.toBeOneOf([12, 13]), /Another tab was opened/],
    ['goto /late-dialog\nclick button "Ask"\n- status: x', 13, /The page asks "Name\?" \(prompt\)/],
  ])('%s, in a page that is of no use then', async (code, line, message) => {
    const browser = open(pages.url)
    const [outcome] = await useBlocksOf().runAll([block(code, 2000)], { browser })
    await browser.close()
    expect(outcome).toMatchObject({ status: 'fail', line, message: expect.stringMatching(message) })
  })

  test('a browser that does not start, or is killed, says nothing of the product', async () => {
    const none = open(pages.url, '/bin/false')
    const [missing] = await useBlocksOf().runAll([block('goto /')], { browser: none })
    expect(missing).toMatchObject({ status: 'fail', isBlocked: true, message: expect.stringMatching(/does not start/) })
    await none.close()
    const running = useBlocksOf().runAll([block('goto /names\n- heading "Never"', 60_000)], { browser: shared })
    shared.cancel()
    const [outcome] = await running
    expect(outcome).toMatchObject({ status: 'fail', isBlocked: true, message: expect.stringMatching(/canceled/) })
  })

  test('without a base URL a path is no address', async () => {
    const browser = open()
    const [outcome] = await useBlocksOf().runAll([block('goto /cart')], { browser })
    expect(outcome?.message).toMatch(/there is no base URL: give it with `base-url`/)
    await browser.close()
  })
})
