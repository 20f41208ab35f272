import { expect, test } from 'vitest'
import { opensOwnPage, quotableText } from '../../../src/agents/browser/quotable-page-text.ts'

const own = 'Order "4711" confirmed'

test.each([
  ['a search in vain', false, `### Result\nNo matches found for "${own}".`, { text: own }],
  [
    'an element that is not there',
    true,
    `### Error\nError: "text=${own}" does not match any elements.`,
    { target: `text=${own}` },
  ],
  ['an element by its name', true, `### Error\nElement ${JSON.stringify(own)} not found`, { element: { name: own } }],
  [
    'an element by a selector',
    true,
    "### Error\nError: getByText('Order 4711 confirmed') not found",
    { target: 'text="Order 4711 confirmed"i' },
  ],
  [
    'a pattern in vain',
    false,
    '### Result\nNo matches found for /a\\/b|Order confirmed/.',
    { regex: 'a/b|Order confirmed' },
  ],
  [
    'a pattern',
    false,
    '### Result\nFound 1 match for /Cart|Order confirmed/:\n- heading "Cart"',
    { regex: 'Cart|Order confirmed' },
  ],
  ['a text that is gone', false, `### Result\nWaited for ${own}\n### Page\n- Page URL: x`, { textGone: own }],
  [
    'the code',
    false,
    `### Ran Playwright code\n\`\`\`js\nawait page.fill('${own}');\n\`\`\`\n### Page\n- Page URL: x`,
    {},
  ],
])('holds none of the words of the model: %s', (_, isError, text, input) => {
  expect(quotableText({ text, isError }, input)).not.toContain('confirmed')
})

test('holds what the page showed, though the model looked for it', () => {
  const text = `### Result\nFound 1 match for "${own}".\n- heading "${own}"\n### Page\n- Page URL: http://127.0.0.1/`
  expect(quotableText({ text, isError: false }, { text: own })).toBe(text.replace(` for "${own}".`, ':'))
  const waited = `### Result\nWaited for ${own}\n### Snapshot\n- heading "${own}"`
  expect(quotableText({ text: waited, isError: false }, { text: own })).toContain(`heading "${own}"`)
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
