import { describe, expect, test } from 'vitest'
import { readShell, undoEscapes } from '../../../src/host/evidence/read-shell.ts'
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
