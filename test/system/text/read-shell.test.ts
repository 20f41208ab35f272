import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { quoteWord } from '../../../src/system/text/quote-word.ts'
import { readShell, splitWords, undoEscapes } from '../../../src/system/text/read-shell.ts'
import fc from '../../support/fast-check.ts'

const wordsOf = (text: string): readonly (readonly string[])[] => readShell(text).map(({ words }) => words)

describe('words', () => {
  test.for([
    [`echo '1 [ ]'' milk'`, [['echo', '1 [ ] milk']]],
    [`echo "a \\"b\\" \\x"`, [['echo', 'a "b" \\x']]],
    [`echo a\\ b 'it'"'"'s'`, [['echo', 'a b', "it's"]]],
    [`printf $'1\\x20\\u005b\\t\\'x'`, [['printf', "1 [\t'x"]]],
    ['a && b || c; d | e & f\ng', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['(cd x; ls)', [['cd', 'x'], ['ls']]],
    ['diff <(a b) <(echo c)', [['diff'], ['a', 'b'], ['echo', 'c']]],
    ['echo "$(node x | y)" z', [['echo', '$(node x | y)', 'z']]],
    ['echo $(a; b (c)) `d; e`', [['echo', '$(a; b (c))', '`d; e`']]],
    ['a \\\n b # c d\ne#f', [['a', 'b'], ['e#f']]],
    ['echo a 2>&1 >/dev/null x', [['echo', 'a', '1', '/dev/null', 'x']]],
    ["echo 'not closed", [['echo', 'not closed']]],
    ['', []],
    ['A=1 B="x y" node c', [['A=1', 'B=x y', 'node', 'c']]],
  ] as const)('of %j', ([text, words]) => {
    expect(wordsOf(text)).toEqual(words)
  })

  test('of here-documents are the input of their command', () => {
    const [first, second] = readShell("cat <<'EOF' > f.txt && wc -l\n1 [ ] milk\n  EOF\nEOF\nls")
    expect(first).toMatchObject({ words: ['cat', 'f.txt'], input: '1 [ ] milk\n  EOF\n', isRedirected: true })
    expect(second).toMatchObject({ words: ['wc', '-l'], joint: '&&', isRedirected: false })
    expect(readShell('cat <<-E\n\tx\n\tE\n')[0]).toMatchObject({ input: '\tx\n' })
  })

  test('never throw, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a \'"\\$`<>|;&(){}\n=-#E') }), (text) => {
        readShell(text)
        undoEscapes(text)
      }),
    )
  })
})

test('escapes are undone', () => {
  expect(undoEscapes('1\\x20\\u005b\\u{20}\\135\\040m\\n\\[\\e[0m\\q')).toBe('1 [ ] m\n[\u001b[0mq')
  expect(undoEscapes('\\e')).toBe('\u001b')
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
