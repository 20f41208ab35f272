import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { playwrightTest } from '../../../src/commands/promote/playwright-test.ts'
import { parseBrowserBlock } from '../../../src/spec/browser/parse-browser-block.ts'
import type { Block } from '../../../src/spec/spec.ts'

const place = { line: 1, column: 1, codeLine: 2 }

function block(code: string): Block {
  const lines = parseBrowserBlock(code, place, (_rule, _at, message) => expect.fail(message))
  return { ...place, kind: 'browser', role: 'run', code, lines, attributes: { env: {} } }
}

function linesOf(code: string, baseUrl?: string): readonly string[] {
  const source = playwrightTest({ title: 'T', baseUrl, steps: [{ title: 'S', blocks: [block(code)] }] })
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

test('all of a test', () => {
  const shell: Block = { ...place, kind: 'script', role: 'run', code: 'true', expected: [], attributes: { env: {} } }
  expect(
    playwrightTest({
      title: 'Shop',
      baseUrl: 'http://a.example/app',
      steps: [{ title: 'Use a coupon', blocks: [shell, block('goto /\nupload button "Choose" "a.txt"')] }],
    }),
  ).toBe(`import { expect, test } from '@playwright/test'

test.use({ baseURL: 'http://a.example/app/' })

test('Shop', async ({ page }) => {
  await test.step('Use a coupon', async () => {
    // Left out: the \`script\` block of line 1 is none of a browser.
    await page.goto('./')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Choose' }).click()])
    await chooser.setFiles('a.txt')
  })
})
`)
})
