import { describe, expect, test } from 'vitest'
import { createPlaceholders, placeholdersIn } from '../../../src/spec/markdown/positions-and-placeholders.ts'
import { createUniqueTitle } from '../../../src/spec/sections/build-sections.ts'

describe('placeholders of a row', () => {
  const { fill, isPlaceholder } = createPlaceholders({ a: '1', 'two words': '2', 'c+': '$&', d: '{{a}}', ünï: 'u' })

  test.each([
    ['{{a}}<a>{{ a }}', '111'],
    ['{{  a}}', '{{  a}}'],
    ['{{two words}} <two words>', '2 2'],
    ['{{c+}} <c+>', '$& $&'],
    ['{{d}}', '{{a}}'],
    ['<ünï>', 'u'],
    ['{{b}} <b> {{A}} </a> < a>', '{{b}} <b> {{A}} </a> < a>'],
    ['{{{a}}}', '{1}'],
    ['', ''],
  ])('%j becomes %j', (text, expected) => expect(fill(text)).toBe(expected))

  test.each([
    ['<a>', true],
    ['<c+>', true],
    ['</a>', false],
    ['<b>', false],
    ['a', false],
  ])('%j stands for a value: %s', (html, expected) => expect(isPlaceholder(html)).toBe(expected))

  test('are found, each once, also where a name is part of another', () => {
    expect([...placeholdersIn('{{ab}} <a> {{a}} {{b}}', ['a', 'ab', 'c'])]).toEqual(['ab', 'a'])
  })
})

describe('titles under one heading', () => {
  test.each<[readonly string[], readonly string[]]>([
    [
      ['A', 'A', 'A'],
      ['A', 'A (2)', 'A (3)'],
    ],
    [
      ['A', 'A (2)', 'A'],
      ['A', 'A (2)', 'A (3)'],
    ],
    [
      ['A (2)', 'A', 'A'],
      ['A (2)', 'A', 'A (3)'],
    ],
    [
      ['', ''],
      ['Untitled', 'Untitled (2)'],
    ],
    [
      ['a', 'A'],
      ['a', 'A'],
    ],
    [
      ['constructor', '__proto__', '__proto__'],
      ['constructor', '__proto__', '__proto__ (2)'],
    ],
  ])('%j become %j', (given, expected) => {
    const titles = createUniqueTitle()
    expect(given.map((title) => titles(title))).toEqual(expected)
  })

  test('are none of those that are there already', () => {
    expect(createUniqueTitle(['A', 'A'])('A')).toBe('A (3)')
  })
})
