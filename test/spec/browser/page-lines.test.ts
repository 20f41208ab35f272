import { expect, test } from 'vitest'
import { resolveAddress, shortAddress } from '../../../src/spec/browser/addresses.ts'
import { pageLine, pageLines } from '../../../src/spec/browser/page-lines.ts'

test.each([
  ['- button "Apply" [active] [ref=e7] [cursor=pointer]', 'button "Apply"'],
  ['  - checkbox "All" [checked] [active] [ref=f1e7]:', 'checkbox "All" [checked]'],
  ['- link "Cart" [ref=e4]:', 'link "Cart"'],
  ['    - /url: /cart', '/url: /cart'],
  ['- status [ref=e2]: "Total: €24.30"', 'status: "Total: €24.30"'],
  ['- text: see [ref=e7] and [active]', 'text: see [ref=e7] and [active]'],
  ['- button "a [ref=e1]" [ref=e2]', 'button "a [ref=e1]"'],
  [String.raw`- 'button "x: \"y\" [active]" [ref=e3]':`, String.raw`'button "x: \"y\" [active]"'`],
])('%s', (line, expected) => {
  expect(pageLine(line)).toBe(expected)
})

test('the lines of what an MCP server prints', () => {
  const printed =
    '### Page\n- Page URL: x\n### Snapshot\n```yaml\n- list [ref=e1]:\n  - listitem [ref=e2]: Milk\n```\n### Events'
  expect(pageLines(printed)).toEqual(['list', 'listitem: Milk'])
  expect(pageLines('')).toEqual([])
})

test.each([
  ['/cart', 'http://a.example', 'http://a.example/cart'],
  ['/cart', 'http://a.example/app/', 'http://a.example/app/cart'],
  ['/', 'http://a.example/app', 'http://a.example/app/'],
  ['cart?x=1#y', 'http://a.example/app?z', 'http://a.example/app/cart?x=1#y'],
  ['https://b.example/', undefined, 'https://b.example/'],
  ['/cart', undefined, undefined],
  ['//b.example/', 'http://a.example', undefined],
  ['javascript:alert(1)', 'http://a.example', undefined],
  ['file:///etc/passwd', 'http://a.example', undefined],
  ['data:text/html,x', 'http://a.example', undefined],
])('%s below %s', (address, base, expected) => {
  expect(resolveAddress(address, base)).toBe(expected)
})

test.each([
  ['http://a.example/app/cart?x', 'http://a.example/app/', '/cart?x'],
  ['http://a.example/app', 'http://a.example/app', '/'],
  ['http://a.example/application', 'http://a.example/app', 'http://a.example/application'],
  ['http://a.example//b', 'http://a.example', 'http://a.example//b'],
  ['http://a.example.evil/', 'http://a.example', 'http://a.example.evil/'],
  ['http://b.example/', undefined, 'http://b.example/'],
])('%s is written short below %s', (url, base, expected) => {
  expect(shortAddress(url, base)).toBe(expected)
})
