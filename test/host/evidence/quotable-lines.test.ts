import { describe, expect, test } from 'vitest'
import { collapseSpace } from '../../../src/system/text/plain-text.ts'
import { findPlace, holdsWords, quotableLines } from '../../../src/host/evidence/quotable-lines.ts'

describe('text in which quotes are looked for', () => {
  test.each([
    ['a\n\n  b  \nc', 'a\nb\nc'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['one\r\ntwo\rthree\u2028four', 'one\ntwo\nthree\nfour'],
    ['a \t\u00a0b', 'a b'],
    ['tab\tin it', 'tab in it'],
    ['\n\n\n', ''],
    ['', ''],
  ])('%j', (text, lines) => {
    expect(quotableLines(text)).toEqual({ lines, flat: lines.replaceAll('\n', ' ') })
    expect(collapseSpace(text)).toBe(lines.replaceAll('\n', ' '))
  })
})

describe('the place of a quote', () => {
  test('is the best of several', () => {
    expect(findPlace(quotableLines('22 items\ntotal 2 items\n2 items'), quotableLines('2 items'))?.isWhole).toBe(true)
  })

  test('tells the line in which the quote begins', () => {
    expect(findPlace(quotableLines('first\nsecond 22\nthird'), quotableLines('2'))?.line).toBe('second 22')
  })

  test('is looked for in 500 places at most, and fast where a line has no words', () => {
    expect(findPlace(quotableLines(`${'22 '.repeat(600)}\n2`), quotableLines('2'))?.isWhole).toBe(false)
    expect(findPlace(quotableLines(`${'='.repeat(1_000_000)}\nok`), quotableLines('ok'))?.isWhole).toBe(true)
  })
})

test.for([
  ['add milk', 'milk', true],
  ['add milkman', 'milk', false],
  ['a semilk milk', 'milk', true],
  ['12', '2', false],
  ['first\n1 [ ] milk', '1 [ ] milk', true],
])('of own words %j hold %j: %s', ([text, words, isHeld]) => {
  expect(holdsWords(quotableLines(String(text)), String(words))).toBe(isHeld)
})
