import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { quoteForBash, quoteRegex, quoteWord, splitWords } from '../../../src/system/text/shell-and-regex-quotes.ts'
import { textOfBytes } from '../../../src/system/text/byte-text.ts'
import fc from '../../support/fast-check.ts'

test.each(['', 'v', 'u', 'su'])('matches exactly the text, with the flags "%s"', (flags) => {
  const text = String.raw`\^$.*+?()[]{}|/-`
  expect(new RegExp(`^${quoteRegex(text)}$`, flags).test(text)).toBe(true)
  expect(new RegExp(`^${quoteRegex(text)}$`, flags).test(`${text} `)).toBe(false)
})

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

describe('words of one command', () => {
  test.for([
    ['', []],
    [' \t\n', []],
    [`node  agent.js\n--say`, ['node', 'agent.js', '--say']],
    [`a'b c'"d e"\\ f`, ['ab cd e f']],
    [`'' "" x`, ['', '', 'x']],
    [`"\\"" "\\$a \\b"`, ['"', '$a \\b']],
    [`'\\'`, ['\\']],
    [`a && b | c > {prompt} # $(d) *`, ['a', '&&', 'b', '|', 'c', '>', '{prompt}', '#', '$(d)', '*']],
    [`it's`, undefined],
    [`"a\\"`, undefined],
    [`a\\`, undefined],
  ] as const)('%j are %j', ([text, words]) => {
    expect(splitWords(text)).toEqual(words)
  })

  test('are what was quoted, whatever that is', () => {
    const word = fc.string({ unit: fc.constantFrom(...`a- '"\\$\`\n=ü😀`) })
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitWords(words.map(quoteWord).join(' '))).toEqual(words)
      }),
    )
  })

  test('are what bash makes of them', () => {
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(...`ab '"\\`), maxLength: 12 }), {
      numRuns: 300,
      seed: 1,
    })
    const closed = texts.filter((text) => splitWords(text) !== undefined)
    expect(closed.length).toBeGreaterThan(50)
    const script = closed.map((text) => `printf '<%s>' ${text}; echo`).join('\n')
    const shown = closed.map((text) => {
      const words = splitWords(text) ?? []
      return words.length === 0 ? '<>' : words.map((word) => `<${word}>`).join('')
    })
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe(`${shown.join('\n')}\n`)
  })
})
