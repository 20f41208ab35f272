import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { playwrightTest } from '../../../src/commands/promote/playwright-test.ts'
import { parseBrowserBlock } from '../../../src/spec/browser/parse-browser-block.ts'
import type { Block, Scenario, Step } from '../../../src/spec/spec.ts'

const place = { line: 1, column: 1, codeLine: 2 }

function block(code: string, more: Partial<Block> = { isRecorded: true }): Block {
  const lines = parseBrowserBlock(code, place, (_rule, _at, message) => expect.fail(message))
  return { ...place, kind: 'browser', role: 'run', code, lines, attributes: { env: {} }, ...(more as object) }
}

function step(title: string, blocks: readonly Block[], more: Partial<Step> = {}): Step {
  const head = { id: title, ordinal: 1, title, endLine: 9, directives: {}, checks: [] }
  return { ...place, kind: 'step', ...head, actor: 'code', replay: 'current', blocks, ...more }
}

function agents(title: string, more: Partial<Step>): Step {
  const { replay: _, ...asked } = step(title, [], more)
  return { ...asked, actor: 'agent' }
}

function scenario(title: string, steps: readonly Step[], more: Partial<Scenario> = {}): Scenario {
  const children = steps.map((one, index) => ({ ...one, ordinal: index + 1 }))
  return { ...place, ordinal: 1, title, endLine: 9, directives: {}, hasDescribe: true, blocks: [], children, ...more }
}

function linesOf(code: string, baseUrl?: string): readonly string[] {
  const source = playwrightTest([
    { name: 'a.test.md', baseUrl, scenarios: [scenario('T', [step('S', [block(code)])])] },
  ])
  expect(() => parseAst(source, { lang: 'ts' })).not.toThrow()
  const lines = source.split('\n')
  return lines
    .slice(lines.findIndex((line) => line.includes('test.step')) + 1, lines.indexOf('  })'))
    .map((line) => line.trim())
}

test.each([
  ['goto /cart', "await page.goto('./cart')"],
  ['goto https://a.example/x', "await page.goto('https://a.example/x')"],
  ['goto /orders/{{n}}', 'await page.goto(`./orders/${captured.n}`)'],
  ['click button "Apply" exactly', "await page.getByRole('button', { name: 'Apply', exact: true }).click()"],
  ['click text "It\'s \\"`${x}\\""', `await page.getByText('It\\'s "\`\${x}"').click()`],
  ['double-click alt "x"', "await page.getByAltText('x').dblclick()"],
  ['right-click title "x" exactly', "await page.getByTitle('x', { exact: true }).click({ button: 'right' })"],
  ['fill testid "code" $CODE', "await page.getByTestId('code').fill(process.env.CODE ?? '')"],
  ['type label "Note" "a {{n}} `"', "await page.getByLabel('Note').pressSequentially(`a ${captured.n} \\``)"],
  ['select listbox "Size" "S", "M"', "await page.getByRole('listbox', { name: 'Size' }).selectOption(['S', 'M'])"],
  [
    'click button "Remove" in listitem with "Milk" in list "Cart"',
    "await page.getByRole('list', { name: 'Cart' }).getByRole('listitem').filter({ hasText: 'Milk' }).getByRole('button', { name: 'Remove' }).click()",
  ],
  ['press Enter', "await page.keyboard.press('Enter')"],
  ['press placeholder "x" Tab', "await page.getByPlaceholder('x').press('Tab')"],
  ['reload', 'await page.reload()'],
  ['drag button "A" to region', "await page.getByRole('button', { name: 'A' }).dragTo(page.getByRole('region'))"],
  [
    '- status: "Total: €24.30"',
    'await expect(page.locator(\'body\')).toMatchAriaSnapshot(`- status: "Total: €24.30"`)',
  ],
  ['! text: `${x}`', "await expect(page.locator('body')).not.toMatchAriaSnapshot(`- text: \\`\\${x}\\``)"],
  ['- text: a+b (equal)', "await expect(page.locator('body')).toMatchAriaSnapshot(`- text: a+b`)"],
  [
    '- heading "Order {{n:/\\d+/}}" [level=1]',
    String.raw`Object.assign(captured, await seen(page, /^heading "Order (?<n>(?:\d+))" \[level=1\]$/su))`,
  ],
  [
    '- text: {{n}}+{{m:/\\d/}}{{m}}',
    "Object.assign(captured, await seen(page, new RegExp(`^text: ${literally(captured.n ?? '')}\\\\+(?<m>(?:\\\\d))\\\\k<m>$`, 'su')))",
  ],
  ['! text: \\d+ (re)', String.raw`await expect(seen(page, /^(?:text: \d+)$/su)).rejects.toThrow()`],
])('%s', (code, expected) => {
  expect(linesOf(code)).toEqual([expected])
})

test('a dialog is answered by whoever said so before', () => {
  expect(linesOf('click button "Ask"\naccept dialog "Ada"\n- status: Ada')).toEqual([
    "page.once('dialog', (dialog) => dialog.accept('Ada'))",
    "await page.getByRole('button', { name: 'Ask' }).click()",
    "await expect(page.locator('body')).toMatchAriaSnapshot(`- status: Ada`)",
  ])
})

const shell: Block = { ...place, kind: 'script', role: 'run', code: 'true', expected: [], attributes: { env: {} } }
const own = block('goto /', { line: 7 })

test('all of a test', () => {
  const coupon = step('Use a coupon', [shell, block('goto /\nupload button "Choose" "a.txt"')])
  const shop = scenario('Shop', [coupon], { blocks: [own] })
  expect(playwrightTest([{ name: 'shop.test.md', baseUrl: 'http://a.example/app', scenarios: [shop] }]))
    .toBe(`import { expect, test } from '@playwright/test'

test.use({ baseURL: 'http://a.example/app/' })

test('Shop', async ({ page }) => {
  await test.step('Use a coupon', async () => {
    // Left out: the \`browser\` block of line 7 is the spec's own, with a page of its own.
    // Left out: the \`script\` block of line 1 is none of a browser.
    await page.goto('./')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Choose' }).click()])
    await chooser.setFiles('a.txt')
  })
})
`)
})

test('each scenario is a test of its own, and what is left out of it is told', () => {
  const hook = { ...place, title: 'Setup', endLine: 3, hasProse: false, blocks: [{ ...shell, file: '/a/shared.md' }] }
  const scenarios = [
    scenario('Log in', [step('Enter', [block('goto /\n- heading "Order {{n:/\\d+/}}"')])], { setup: hook }),
    scenario('Files', [step('List', [shell])], { line: 20 }),
    scenario('Visit', [
      step('Look', [block('goto /')]),
      agents('Later', { line: 30 }),
      step('Never', [shell], { directives: { skip: 'it is dull' } }),
    ]),
  ]
  expect(playwrightTest([{ name: 'shop.test.md', baseUrl: undefined, scenarios }]).split('\n/** Waits')[0])
    .toBe(`import { expect, test, type Page } from '@playwright/test'

test('Log in', async ({ page }) => {
  const captured: Record<string, string> = {}
  // Left out: the \`script\` block of line 1 of "shared.md" is none of a browser.
  await test.step('Enter', async () => {
    await page.goto('./')
    Object.assign(captured, await seen(page, /^heading "Order (?<n>(?:\\d+))"$/su))
  })
})

// Left out: no \`browser\` block is recorded of 'Files', line 20.

test('Visit', async ({ page }) => {
  await test.step('Look', async () => {
    await page.goto('./')
  })
  // Left out: an agent carries out 'Later', line 30.
})
`)
})

test('several specs make one file', () => {
  const visit = scenario('Visit', [step('Look', [block('goto /\n- heading "{{n:/\\d+/}}"')])])
  const source = playwrightTest([
    { name: 'a.test.md', baseUrl: 'http://a.example', scenarios: [visit] },
    { name: 'b.test.md', baseUrl: 'http://b.example', scenarios: [visit] },
  ])
  expect(() => parseAst(source, { lang: 'ts' })).not.toThrow()
  expect(source.split('\n').filter((line) => /^(?:import|test|  test|async)/.test(line))).toEqual([
    "import { expect, test, type Page } from '@playwright/test'",
    "test.describe('a.test.md', () => {",
    "  test.use({ baseURL: 'http://a.example/' })",
    "  test('Visit', async ({ page }) => {",
    "test.describe('b.test.md', () => {",
    "  test.use({ baseURL: 'http://b.example/' })",
    "  test('Visit', async ({ page }) => {",
    'async function seen(page: Page, line: RegExp): Promise<Record<string, string>> {',
  ])
})
