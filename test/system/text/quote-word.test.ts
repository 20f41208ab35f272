import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quoteForBash, quoteWord } from '../../../src/system/text/quoting.ts'
import { textOfBytes } from '../../../src/system/text/byte-text.ts'
import fc from '../../support/fast-check.ts'

const bytes = fc.oneof(
  fc.uint8Array({ min: 1, maxLength: 8 }).map((each) => Buffer.from(each)),
  fc.string({ unit: fc.constantFrom(...`'"\\$\`!~*?[]{}()<>|;&# \n\r\tx41ü😀-=`) }).map((text) => Buffer.from(text)),
)

test('bash reads from a quoted word the bytes that were to be quoted', () => {
  const words = fc.sample(bytes, { numRuns: 300, seed: 1 })
  const said = words.map((word) => `printf '%s\\0' ${quoteForBash(textOfBytes(word))}`).join('\n')
  expect(said.split('\n')).toHaveLength(words.length)
  expect(execFileSync('bash', { input: said })).toEqual(Buffer.concat(words.flatMap((word) => [word, Buffer.of(0)])))
})

test('sh reads from it what was to be quoted; plain words stay plain', () => {
  const words = fc.sample(bytes, { numRuns: 300, seed: 2 }).map((word) => word.toString())
  const said = words.map((word) => `printf '%s\\0' ${quoteWord(word)}`).join('\n')
  expect(execFileSync('sh', { input: said }).toString()).toBe(words.map((word) => `${word}\0`).join(''))
  expect(['a/b-c_1.x', '@scope/x', '', '~', 'a b'].map(quoteWord)).toEqual([
    'a/b-c_1.x',
    '@scope/x',
    "''",
    "'~'",
    "'a b'",
  ])
})
