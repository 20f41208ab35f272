import fc, { anyCharacter } from '../../support/fast-check.ts'
import { expect, test } from 'vitest'
import { cutLine, plainJson, plainLine, plainText } from '../../../src/system/text/plain-text.ts'

test('writes out what a terminal would obey', () => {
  expect(plainText('\u001b]8;;http://x\u0007a\u009b2J\u007f\rb\u202e\u2028')).toBe(
    '\\x1b]8;;http://x\\x07a\\x9b2J\\x7f\\x0db\\u202e\\u2028',
  )
})

test('writes out what runners of CI would obey', () => {
  expect(plainText('::error::a\n \t\u00a0::add-mask::b\r\n##[group]c\nd ##vso[task]e\n##TeamCity[f')).toBe(
    '\\x3a:error::a\n \t\u00a0\\x3a:add-mask::b\n\\x23#[group]c\nd \\x23#vso[task]e\n\\x23#TeamCity[f',
  )
  expect(plainText('a\r::stop-commands::x\u2028::error::y\u200b::z')).toBe(
    'a\\x0d\\x3a:stop-commands::x\\u2028\\x3a:error::y\\u200b::z',
  )
  expect(plainLine(' ::error::a')).toBe('\\x3a:error::a')
  expect(plainText('- ::error file=a,line=1::b\n\u001b[1m::add-mask::c ::endgroup::')).toBe(
    '- \\x3a:error file=a,line=1::b\n\\x1b[1m\\x3a:add-mask::c \\x3a:endgroup::',
  )
  const names = 'std::vector, std::error::Error, a::b, ## [x], #[y]'
  expect(plainText(names)).toBe(names)
  expect(JSON.parse(plainJson(JSON.stringify('##[group]')))).toBe('##[group]')
  expect(plainJson(JSON.stringify('##[group]'))).toBe('"\\u0023#[group]"')
})

test('changes nothing a second time', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a:#[ \n\r\t\u001b\u2028') }), (text) => {
      const plain = plainText(text)
      expect(plainText(plain)).toBe(plain)
      expect(plain).not.toMatch(/^\s*::|##\[/m)
    }),
  )
})

test('keeps lines, tabs and whatever can be printed', () => {
  expect(plainText('a\r\nb\tc “ü” 漢字 👍')).toBe('a\nb\tc “ü” 漢字 👍')
  expect(plainLine('  a\r\n\tb  c ')).toBe('a b c')
})

test('cuts between characters', () => {
  expect(cutLine('👍👍👍', 3)).toBe('👍👍👍')
  expect(cutLine('👍👍👍', 2)).toBe('👍…')
  expect(cutLine('', 0)).toBe('')
})

const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

test('leaves nothing of any text that a terminal would obey', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(plainText(text)).not.toMatch(obeyed)
      expect(plainLine(text)).not.toMatch(/\n/)
      const json = plainJson(JSON.stringify(text))
      expect(json).not.toMatch(obeyed)
      expect(JSON.parse(json)).toBe(text)
    }),
  )
})
