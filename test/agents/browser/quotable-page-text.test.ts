import { expect, test } from 'vitest'
import {
  opensOwnPage,
  quotableText,
  withoutTyped,
  type TypedText,
} from '../../../src/agents/browser/quotable-page-text.ts'

const own = 'Order "4711" confirmed'

test.each([
  ['a search in vain', `### Result\nNo matches found for "${own}".`, { text: own }],
  ['a pattern in vain', '### Result\nNo matches found for /a\\/b|Order confirmed/.', { regex: 'a/b|Order confirmed' }],
  ['a text of two lines', '### Result\nNo matches found for "Order\nconfirmed".', { text: 'Order\nconfirmed' }],
  [
    'a pattern',
    '### Result\nFound 1 match for /Cart|Order confirmed/:\n- heading "Cart"',
    { regex: 'Cart|Order confirmed' },
  ],
  ['a text that is gone', `### Result\nWaited for ${own}\n### Page\n- Page URL: x`, { textGone: own }],
  ['the code', `### Ran Playwright code\n\`\`\`js\nawait page.fill('${own}');\n\`\`\`\n### Page\n- Page URL: x`, {}],
])('holds none of the words of the model: %s', (_, text, input) => {
  expect(quotableText(text, input)).not.toContain('confirmed')
})

test('holds what the page showed, though the model looked for it', () => {
  const page = `\n- heading "${own}"\n### Page\n- Page URL: http://127.0.0.1/`
  const found = `### Result\nFound 1 match for "${own}":${page}`
  expect(quotableText(found, { text: own })).toBe(`### Result\nFound 1 match for …${page}`)
  const waited = `### Result\nWaited for ${own}\n### Snapshot\n- heading "${own}"`
  expect(quotableText(waited, { text: own })).toContain(`heading "${own}"`)
})

const page = (...lines: readonly string[]): string => `### Page\n- Page URL: http://a.b/\n${lines.join('\n')}\n`
const ran = (...lines: readonly string[]): string => `### Ran Playwright code\n\`\`\`js\n${lines.join('\n')}\n\`\`\`\n`
const field = '- textbox "Coupon" [ref=e2]: SPRING10'
const fill = "await page.getByRole('textbox').fill('SPRING10');"

test.each([
  [fill, `  ${field}`],
  [fill, '- searchbox [ref=e2]: SPRING10'],
  [fill, '- textbox "Coupon" [ref=e2]:\n  - /placeholder: Code\n  - text: SPRING10'],
  ["await page.getByRole('spinbutton').pressSequentially('10');", '- spinbutton "Count: all" [ref=e2]: "10"'],
  [String.raw`await page.getByRole('textbox').fill('Bob\'s');`, `- textbox "Name" [ref=e2]: Bob's`],
  ["await page.keyboard.press('1');\nawait page.keyboard.press('0');", '- textbox "Count" [ref=e2]: "10"'],
  ["await page.x().pressSequentially('SPR');\nawait page.x().pressSequentially('ING10');", field],
  ["await page.x().fill('SPRING');\nawait page.keyboard.press('1');\nawait page.keyboard.press('0');", field],
  ["await page.x().fill('.goto(');\nawait page.x().fill('SPRI\u200bNG10');", field],
])('a field does not hold what was typed, at once and later: %s: %s', (code, line) => {
  const typed: TypedText[] = []
  const value = /SPRING10|"10"|Bob/
  expect(withoutTyped(page(line), '1-pay', typed)).toMatch(value)
  expect(withoutTyped(ran(code) + page(line), '1-pay', typed).replace(ran(code), '')).not.toMatch(value)
  expect(withoutTyped(page('- button "Pay"', line), '1-pay', typed)).not.toMatch(value)
})

test('what a page says elsewhere is no typed value, nor what a field holds in another step or anew', () => {
  const typed = [{ step: '1-pay', text: 'SPRING10', isAdded: false }]
  const others = page('- textbox "Code" [ref=e2]: SPRING10-A', '- status: SPRING10', '- paragraph: "textbox: SPRING10"')
  expect(withoutTyped(others, '1-pay', typed)).toBe(others)
  expect(withoutTyped(page(field), '2-see', typed)).toBe(page(field))
  const anew = ran("await page.goto('http://a.b/');") + page(field)
  const moved = ran("await page.goto('http://a.b/#cart');") + page(field)
  expect(withoutTyped(moved, '1-pay', typed)).not.toBe(moved)
  expect(withoutTyped(anew, '1-pay', typed)).toBe(anew)
})

test.each([
  ['data:text/html,<h1>Cart (3)</h1>', true],
  [' \tDA\nTA:text/html,x', true],
  ['javascript:document.body.append("Cart (3)")', true],
  ['view-source:data:text/html,x', true],
  ['about:blank#Cart (3)', true],
  ['about:blank', false],
  ['http://127.0.0.1:3000/?q=data:', false],
  ['localhost:3000/cart', false],
  ['127.0.0.1:3000', false],
  ['/cart', false],
])('%j is a page of the one who calls: %j', (url, isOwn) => {
  expect(opensOwnPage({ url })).toBe(isOwn)
})
