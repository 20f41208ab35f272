import { describe, expect, test } from 'vitest'
import { collapse, findPlace, quotableLines, quotableLinesOfLong } from '../../../src/host/evidence/quotable-lines.ts'
import { createTurns } from '../../../src/system/turns.ts'

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
  })

  test.each([1, 3_000, 90_000])('is the same in pieces, with %d lines', async (count) => {
    const text = Array.from({ length: count }, (_, at) => `  line \t ${at}  `).join('\n')
    expect(await quotableLinesOfLong(text, createTurns(20))).toEqual(quotableLines(text))
  })

  test('collapses to one line', () => {
    expect(collapse(' \u001b[1ma\u001b[0m\r\n\t b ')).toBe('a b')
  })
})

type Found = 'whole' | 'clean' | 'in a word' | 'broken' | undefined

function find(text: string, quote: string): Found {
  const place = findPlace(quotableLines(text), quote)
  if (place === undefined) return undefined
  if (place.isClean) return place.isWhole ? 'whole' : 'clean'
  return place.isBroken ? 'broken' : 'in a word'
}

describe('the place of a quote', () => {
  test.each<[text: string, quote: string, Found]>([
    ['2 items', '2 items', 'whole'],
    ['* 2 items *', '2 items', 'whole'],
    ['│ 2 items │', '2 items', 'whole'],
    ['total: 2 items', '2 items', 'clean'],
    ['22 items', '2 items', 'in a word'],
    ['2 itemsets', '2 items', 'in a word'],
    ['2 items', '3 items', undefined],
    ['a\nb', 'a b', 'whole'],
    ['x a\nb', 'a b', 'broken'],
    ['un-done', 'done', 'in a word'],
    ["isn't", 'isn', 'in a word'],
    ['is not', 'is', 'clean'],
    ['1,000.50', '000', 'in a word'],
    ['1,000.50', '1', 'in a word'],
    ['-5 degrees', '5 degrees', 'in a word'],
    ['(-5 degrees)', '-5 degrees', 'whole'],
    ['5 % off', '5', 'in a word'],
    ['x-5', '5', 'clean'],
    ['snake_case', 'case', 'in a word'],
    ['2026-02-10', '10', 'clean'],
    ['1/2 done', '2 done', 'in a word'],
    ['passed', 'passed', 'whole'],
    ['unpassed passed', 'passed', 'clean'],
    ['e\u0301tude', 'tude', 'in a word'],
    ['カートに2点', '2点', 'clean'],
    ['不正解', '正解', 'in a word'],
    ['ตะกร้า2ชิ้น', '2', 'clean'],
  ])('in %j of %j: %s', (text, quote, found) => {
    expect(find(text, quote)).toBe(found)
  })

  test('is the best of several', () => {
    expect(find('22 items\ntotal 2 items\n2 items', '2 items')).toBe('whole')
  })

  test('tells the line in which the quote begins', () => {
    expect(findPlace(quotableLines('first\nsecond 22\nthird'), '2')?.line).toBe('second 22')
  })

  test('is looked for in 500 places at most, and fast where a line has no words', () => {
    const text = `${'22 '.repeat(600)}\n2`
    expect(find(text, '2')).toBe('in a word')
    expect(find(`${'='.repeat(1_000_000)}\nok`, 'ok')).toBe('whole')
  })
})
