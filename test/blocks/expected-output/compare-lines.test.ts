import { describe, expect, test } from 'vitest'
import { compareLines, type LineComparison } from '../../../src/blocks/expected-output/compare-lines.ts'
import { firstDifference } from '../../../src/blocks/expected-output/align-lines.ts'
import { readOutput } from '../../../src/blocks/expected-output/output-lines.ts'
import { parseExpected } from '../../../src/blocks/expected-output/parse-expected.ts'
import { rewriteLines } from '../../../src/blocks/expected-output/write-expected.ts'
import { textOfBytes } from '../../../src/system/text/byte-text.ts'
import fc from '../../support/fast-check.ts'

function compare(expected: readonly string[], output: string, captures: Record<string, string> = {}): LineComparison {
  return compareLines(expected, readOutput(output), { captures: new Map(Object.entries(captures)), limitMs: 20_000 })
}

function captured(expected: readonly string[], output: string, captures?: Record<string, string>): unknown {
  const result = compare(expected, output, captures)
  return result.status === 'match' ? Object.fromEntries(result.captures) : result.status
}

function rewrite(expected: readonly string[], output: string, captures?: Record<string, string>): readonly string[] {
  const result = compare(expected, output, captures)
  return result.status === 'differs' ? rewriteLines(result.edits, 'fence') : [`status: ${result.status}`]
}

describe('a line', () => {
  test.each([
    ['a', 'a\n'],
    ['a', 'a'],
    ['a (no-eol)', 'a'],
    ['a* (glob)', 'a'],
    ['a*c*e (glob)', 'abcde\n'],
    ['a?c (glob)', 'a😀c\n'],
    ['\\*\\?\\\\\\n* (glob)', '*?\\\\nx\n'],
    ['*b*b (glob)', 'abab\n'],
    ['[a].(b)+ (glob)', '[a].(b)+\n'],
    [' (glob)', '\n'],
    ['a|b (re)', 'b\n'],
    ['. (re)', '😀\n'],
    ['.* (re)', 'a\rb\n'],
    ['\\p{Lu}\\-\\"\\/ (re)', 'Ä-"/\n'],
    ['\\t\\\\\\u00e9\\xc3\\xa9\\U1f600 \\101\\e (esc)', '\t\\éé😀 A\x1B\n'],
    [' (esc)', '\n'],
    [' (equal)', '\n'],
    ['... (equal)', '...\n'],
    ['a (re) (equal)', 'a (re)\n'],
    ['a (no-eol) (equal)', 'a (no-eol)\n'],
    ['a (re) (no-eol)', 'a'],
    ['\\x61 (esc) (no-eol)', 'a'],
    ['{{x}} (equal)', '{{x}}\n'],
    ['{{ x }} {{.X}} {{}}', '{{ x }} {{.X}} {{}}\n'],
    ['a  (b)', 'a  (b)\n'],
    ['(re)', '(re)\n'],
  ])('%j matches %j', (line, output) => {
    expect(captured([line], output)).toEqual({})
  })

  test.each([
    ['a', 'A\n'],
    ['a', 'a \n'],
    ['a', 'a\n\n'],
    ['a (no-eol)', 'a\n'],
    ['a (equal) (no-eol)', 'a\n'],
    ['a* (glob)', 'ba\n'],
    ['a?c (glob)', 'ac\n'],
    ['*b*b (glob)', 'ab\n'],
    [`${'*a'.repeat(30)}*b (glob)`, 'a'.repeat(2000)],
    ['(a|b) (glob)', 'a\n'],
    ['a|b (re)', 'ab\n'],
    ['a\\x20 (esc)', 'a\n'],
    ['\\xff (esc)', 'ÿ\n'],
    ['... (equal)', 'a\n'],
    ['a (re)', 'a (re)\n'],
  ])('%j does not match %j', (line, output) => {
    expect(compare([line], output).status).toBe('differs')
  })

  test('can be any bytes', () => {
    const output = textOfBytes(Buffer.from([0xff, 0x61, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98, 0x80, 0x0a]))
    expect(captured(['\\xffa\\xc3(\\xed\\xa0\\x80😀 (esc)'], output)).toEqual({})
    expect(rewrite([], output)).toEqual(['\\xffa\\xc3(\\xed\\xa0\\x80😀 (esc)'])
  })
})

describe('lines', () => {
  test.each<[string[], string[], boolean]>([
    [['...'], [], true],
    [['...'], ['a', 'b'], true],
    [['a', '...'], ['a'], true],
    [['...', 'b', '...', 'b'], ['b', 'a', 'b'], true],
    [['...', 'b', '...', 'b'], ['a', 'b'], false],
    [['a (?)', 'a'], ['a'], true],
    [['a (*)', 'a', 'a'], ['a', 'a'], true],
    [['a (*)', 'a', 'a'], ['a'], false],
    [['a (+)', 'a'], ['a'], false],
    [['. (re*)', 'a (?)', '[ab] (re+)', 'b'], ['a', 'b'], true],
    [['a* (glob?)', 'a* (glob+)'], ['ab'], true],
    [['a (*)', '...', 'a (+)'], ['b', 'a'], true],
    [[], [], true],
    [[], ['a'], false],
    [['a'], [], false],
  ])('%j against %j: %s', (expected, lines, isMatch) => {
    expect(compare(expected, lines.map((line) => `${line}\n`).join('')).status).toBe(isMatch ? 'match' : 'differs')
  })

  test('match as one regular expression would', () => {
    const atom = fc.constantFrom('...', 'a', 'b', 'a (?)', 'b (*)', 'a (+)', '[ab] (re*)', '? (glob+)')
    const regexOf = (line: string): string => {
      const [, text = line, , quantifier = ''] = /^(.*) \((re|glob)?([?*+])\)$/.exec(line) ?? []
      return line === '...' ? '(?:.;)*' : `(?:${text === '?' ? '.' : text};)${quantifier}`
    }
    fc.assert(
      fc.property(
        fc.array(atom, { maxLength: 6 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 }),
        (expected, lines) => {
          const regex = new RegExp(`^${expected.map(regexOf).join('')}$`)
          const isMatch = regex.test(lines.map((line) => `${line};`).join(''))
          expect(compare(expected, lines.map((line) => `${line}\n`).join('')).status === 'match').toBe(isMatch)
        },
      ),
    )
  })

  test('are as many as a log has', () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `${at} ${'x'.repeat(45)}`)
    const expected = lines.map((line, at) => (at % 10 === 0 ? `${at} * (glob)` : line))
    expected.splice(1000, 500, '...')
    expected.splice(3000, 500, '\\d+ x+ (re+)')
    const output = lines.map((line) => `${line}\n`).join('')
    const start = cpuMs()
    expect(compare(expected, output).status).toBe('match')
    expect(cpuMs() - start).toBeLessThan(1000)
    const changed = compare(expected, output.replace('4999 ', 'last '))
    expect(changed.status === 'differs' && firstDifference(changed.edits)).toBe(expected.length - 1)
  })

  test.each<[string, string[], string]>([
    ['any lines and again', Array.from({ length: 200 }, () => ['...', 'a']).flat(), 'b\na\n'.repeat(5000)],
    ['repetitions', Array.from({ length: 150 }, () => 'a (*)'), `${'a\n'.repeat(1000)}b\n`],
    ['stars', [`${'*a'.repeat(50)}b (glob)`], `${'a'.repeat(20_000)}\n`],
  ])('take no more than lines × patterns steps: %s', (_name, expected, output) => {
    const start = cpuMs()
    expect(compareLines(expected, readOutput(output), { captures: new Map(), limitMs: 20_000 }).status).toMatch(
      /match|differs/,
    )
    expect(cpuMs() - start).toBeLessThan(5000)
  })

  test.each(['(a+)+ (re)', '{{x:/(a|a)*/}}', '(.*?,){25}x (re)'])('%s is given up after a time', (line) => {
    const output = readOutput(`b\n${'a'.repeat(40)}${'1,'.repeat(40)}!\n`)
    const result = compareLines(['b', line], output, { captures: new Map(), limitMs: 100 })
    expect(result).toEqual({ status: 'too-slow', index: 1, limitMs: 100 })
  })
})

describe('names', () => {
  test('are captured, several in a line, and recalled', () => {
    expect(captured(['{{a:/\\d+/}}-{{b:/.*/}}', '{{b}} {{a}} {{c}}', '...'], '1-x\nx 1 z\n', { c: 'z' })).toEqual({
      a: '1',
      b: 'x',
    })
    expect(captured(['{{a:/./}}{{a}}'], 'xx\n')).toEqual({ a: 'x' })
    expect(captured(['{{a:/./}}{{a}}'], 'xy\n')).toBe('differs')
    expect(captured(['{{a}} (no-eol)'], '.*', { a: '.*' })).toEqual({})
    expect(captured(['{{a}}'], 'x\n', { a: '.' })).toBe('differs')
  })

  test.each(['{{a:/'.repeat(50_000), '{{a:/\\/}}'.repeat(30_000), `${'{{a:/x/}}'.repeat(2000)}`, '{{x'.repeat(50_000)])(
    'are read in linear time: %.20s…',
    (line) => {
      const start = cpuMs()
      parseExpected([line])
      expect(cpuMs() - start).toBeLessThan(1000)
    },
  )

  test('of all lines that could be captured take the one with which the rest matches', () => {
    const expected = ['...', 'id {{a:/\\d+/}}', '...', 'use {{a}}']
    expect(captured(expected, 'id 1\nid 2\nid 3\nuse 2\n')).toEqual({ a: '2' })
    expect(captured(expected, 'id 1\nid 1\nuse 2\n')).toBe('differs')
    expect(captured(['...', '{{a:/.*/}}', '...'], 'x\ny\n')).toEqual({ a: 'x' })
  })

  test('are told of where the line that recalls them is lost', () => {
    expect(compare(['{{a}} {{b}} {{c:/./}} {{c}}', '{{d}}'], 'x\n4\n', { b: '1', d: '4' })).toMatchObject({
      status: 'differs',
      recalled: [
        { name: 'a', value: undefined },
        { name: 'b', value: '1' },
      ],
    })
  })
})

describe('rewriting', () => {
  test.each<[string, string[], string, string[]]>([
    ['a changed line', ['a', 'b\\d (re)', 'c'], 'x\nb1\nc\n', ['x', 'b\\d (re)', 'c']],
    ['a changed pattern', ['a', 'b\\d (re)', '...'], 'a\nbx\nc\nd\n', ['a', 'bx', '...']],
    ['the end after any lines', ['...', 'total 1'], 'a\nb\ntotal 2\n', ['...', 'total 2']],
    ['the beginning before any lines', ['total 1', '...'], 'total 2\na\nb\n', ['total 2', '...']],
    ['the likeliest between any lines', ['...', 'total 1', '...'], 'a\nb\ntotal 2\nc\n', ['...', 'total 2', '...']],
    ['nothing alike between any lines', ['...', 'total 1', '...'], 'a\nb\n', ['...', '...']],
    ['a capture', ['id {{a:/\\d+/}}', 'use {{a}}', '{{a}}'], 'id 1\nuse 2\n1\n', ['id {{a:/\\d+/}}', 'use 2', '{{a}}']],
    ['a lost capture and what recalls it', ['id {{a:/\\d+/}}', 'use {{a}}'], 'id x\nuse 1\n', ['id x', 'use 1']],
    ['a missing end of line', ['a', 'b'], 'a\nc', ['a', 'c (no-eol)']],
    ['a line with an end', ['a', '. (re) (no-eol)'], 'a\nc\n', ['a', '. (re)']],
    ['a line that is not the last any more', ['a (no-eol)'], 'a\nb', ['a', 'b (no-eol)']],
    [
      'what looks like a pattern',
      [],
      '...\na (re)\n{{x}}\na\t\n\u001B\n',
      ['... (equal)', 'a (re) (equal)', '{{x}} (equal)', 'a\\t (esc)', '\\x1b (esc)'],
    ],
    ['one blank line', [], '\n', [' (equal)']],
    ['fences', [], '```\n~~~~ x\n', ['\\x60`` (esc)', '\\x7e~~~ x (esc)']],
    ['no output', ['a', 'b'], '', []],
  ])('%s', (_name, expected, output, rewritten) => {
    expect(rewrite(expected, output)).toEqual(rewritten)
  })

  test('of a transcript is never a part of the command or the exit code', () => {
    const rewriteTranscript = (expected: readonly string[], output: string): readonly string[] => {
      const result = compare(expected, output)
      return result.status === 'differs' ? rewriteLines(result.edits, 'transcript') : []
    }
    expect(rewriteTranscript([], '> a\n$ b\n$c\n>\n[2]\n')).toEqual([
      '\\x3e a (esc)',
      '\\x24 b (esc)',
      '$c',
      '\\x3e (esc)',
      '[2] (equal)',
    ])
    expect(rewriteTranscript(['a', '> . (re)', '[2]', 'c'], '> b\n[2]\n')).toEqual(['\\x3e b (esc)', '[2] (equal)'])
  })

  test('of much that is different takes no long time', () => {
    const many = Array.from({ length: 4000 }, (_, at) => `line ${at}`)
    const start = cpuMs()
    expect(rewrite([...many].reverse(), many.map((line) => `${line}\n`).join(''))).toEqual(many)
    expect(rewrite(['...', ...[...many].reverse()], many.map((line) => `${line}\n`).join(''))).toEqual([
      '...',
      'line 3999',
    ])
    expect(cpuMs() - start).toBeLessThan(5000)
  })
})

/** Time that this process has worked for: a machine that others use too takes longer by the clock. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
