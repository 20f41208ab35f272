import { expect, test } from 'vitest'
import { PageQuotes } from '../../../src/host/evidence/journal-writer.ts'

const call = (input: unknown, kind: 'browser' | 'mcp' = 'browser') => ({
  kind,
  tool: 't',
  title: 't',
  files: [],
  input,
})
const page = { text: '### Page\n- heading "Cart"', isError: false }

test('what a browser tool repeats of its own arguments cannot be quoted', () => {
  const quotes = new PageQuotes()
  const missed = { text: 'Error: "Cart (3)" was not found', isError: true }
  expect(quotes.quotable(call({ text: 'Cart (3)' }), missed)).toBe('Error: "…" was not found')
  expect(quotes.quotable(call({}), page)).toBe(page.text)
  // Other tools, and those that tell no arguments.
  expect(quotes.quotable(call({ text: 'Cart (3)' }, 'mcp'), missed)).toBe(missed.text)
  expect(quotes.quotable(call(undefined), missed)).toBe(missed.text)
})

test.each([
  ['data:text/html,<h1>Cart (3)</h1>', false],
  [' \tDA\nTA:text/html,x', false],
  ['javascript:document.body.append("Cart (3)")', false],
  ['view-source:data:text/html,x', false],
  ['about:blank#Cart (3)', false],
  ['about:blank', true],
  ['http://127.0.0.1:3000/?q=data:', true],
  ['localhost:3000/cart', true],
  ['127.0.0.1:3000', true],
  ['/cart', true],
])('after %j was opened, whether what the browser prints can be quoted: %j', (url, isQuotable) => {
  const quotes = new PageQuotes()
  quotes.quotable(call({ url }), page)
  expect(quotes.quotable(call({ url: 'http://127.0.0.1:3000' }), page)).toBe(isQuotable ? page.text : '')
})
