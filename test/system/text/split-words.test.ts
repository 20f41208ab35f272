import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { quoteWord, splitWords } from '../../../src/system/text/quoting.ts'
import fc from '../../support/fast-check.ts'

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
