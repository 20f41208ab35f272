import { describe, expect, test } from 'vitest'
import { compareLines } from '../../../src/blocks/expected-output/compare-lines.ts'
import { expectedLines, readOutput } from '../../../src/blocks/expected-output/output-lines.ts'
import { parseExpected, type OutputForm } from '../../../src/blocks/expected-output/parse-expected.ts'
import { rewriteLines } from '../../../src/blocks/expected-output/write-expected.ts'
import { textOfBytes } from '../../../src/system/text/byte-text.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { stepsOf, type Block } from '../../../src/spec/spec.ts'
import fc, { anyCharacter } from '../../support/fast-check.ts'

const file = '/suite/spec.test.md'
const forms = fc.constantFrom<OutputForm>('transcript', 'fence')

/** Lines that mean something: to expected output, to a transcript, to markdown, to Vitest. */
const meaningful = [
  ...['', 'a', 'b', 'ab', ' ', '\t', 'a\tb', ' a', 'a ', '...', '....', '[2]', '[2] ', '[0]', '$ a'],
  ...['$', '> b', '>', '$a', 'a (glob)', 'a* (glob)', '? (glob)', 'a (re)', '[ab]+ (re)', '.* (re)'],
  ...['a (equal)', ' (equal)', '\\x61 (esc)', 'a (?)', 'a (*)', 'b (+)', 'a (glob*)', '. (re+)'],
  ...['\\x62 (esc?)', 'a (no-eol)', 'a (re) (no-eol)', '... (no-eol)', 'a (no-eol) (no-eol)'],
  ...['a (no-eol?)', ' (?)', '{{x}}', '{{x:/.*/}}', '{{y:/a|b/}} {{y}}', '{{x:/(/}}', '{{', '{{x:'],
  ...['```', '```sh', '````', '  ```', '~~~', '# Title', '## Sub', '<!-- mdtest: skip -->', '<!--'],
  ...['---', '| a |', `${'@'}vitest-environment jsdom`, `${'@'}jest-environment`, '\uFEFFa', '\u200B'],
  ...['\u2028', 'é', '😀', '\\', '\\n (esc)', '\r'],
]
const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...meaningful) },
  fc.string({ unit: anyCharacter, maxLength: 6 }).map((text) => Buffer.from(text).toString().replaceAll('\n', '')),
)
const bytes = fc.oneof(
  fc
    .tuple(fc.array(line, { maxLength: 7 }), fc.constantFrom('', '\n'))
    .map(([all, end]) => Buffer.from(all.join('\n') + end)),
  fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array)),
  // Parts of characters, and what is taken out between them.
  fc
    .array(fc.constantFrom('c3', 'a9', 'f0', '9f', '98', '80', '1b5b6d', '9b', 'c29b', '0a', '0d', '5b', '1b'), {
      maxLength: 12,
    })
    .map((parts) => Buffer.from(parts.join(''), 'hex')),
)
const output = bytes.map((all) => readOutput(textOfBytes(all)))
const expected = fc.array(line, { maxLength: 7 }).filter((lines) => !lines.some((text) => /[\r\n]/.test(text)))
const captures = new Map([['x', 'a']])

function rewrite(lines: readonly string[], actual: ReturnType<typeof readOutput>, form: OutputForm): readonly string[] {
  const result = compareLines(lines, actual, { captures })
  if (result.status === 'too-slow') throw new TypeError('too slow')
  return result.status === 'match' ? lines : rewriteLines(result.edits, form)
}

/** The lines as the parser reads them where they stand in a spec, in a list to make it harder. */
function readBack(lines: readonly string[], form: OutputForm): readonly string[] | undefined {
  const body =
    form === 'fence' ? ['```sh', 'x', '```', '', '```output', ...lines, '```'] : ['```console', '$ x', ...lines, '```']
  const text = ['---', 'agent: none', '---', '', '# T', '', '- item', '', ...body.map((each) => `  ${each}`), ''].join(
    '\n',
  )
  const { spec, problems } = parseSpec(text, { file })
  if (problems.some(({ ruleId }) => ruleId !== 'unknown-capture')) return undefined
  const [block] = spec.scenarios.flatMap((scenario) =>
    stepsOf(scenario).flatMap((step): readonly Block[] => step.blocks),
  )
  if (block?.kind === 'console') return block.commands[0]?.expected ?? []
  return block?.kind === 'script' ? expectedLines(block.expected[0]?.text ?? '') : []
}

function isReadable(lines: readonly string[]): boolean {
  return parseExpected(lines).problems.length === 0
}

describe('rewriteLines', () => {
  test('writes any output so that it matches, also once it was read from a spec', () => {
    fc.assert(
      fc.property(output, forms, (actual, form) => {
        const written = rewrite([], actual, form)
        expect(parseExpected(written).problems).toEqual([])
        expect(compareLines(written, actual, { captures: new Map() }).status).toBe('match')
        expect(readBack(written, form)).toEqual(written)
      }),
    )
  })

  test('changes what is expected so that it matches, and once', () => {
    fc.assert(
      fc.property(expected, output, forms, (before, actual, form) => {
        fc.pre(isReadable(before))
        const written = rewrite(before, actual, form)
        expect(parseExpected(written).problems).toEqual([])
        expect(compareLines(written, actual, { captures }).status).toBe('match')
        expect(rewrite(written, actual, form)).toEqual(written)
      }),
    )
  })

  test('leaves alone what matches between what does not', () => {
    const literal = fc.stringMatching(/^[a-m]{3,5}$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(literal, { minLength: 1, maxLength: 12 }),
        fc.func(fc.integer({ min: 0, max: 4 })),
        (words, pick) => {
          const kinds = words.map((word) => pick(word))
          const before = words.map(
            (word, at) =>
              [word, `${word}* (glob)`, `${word}\\d (re)`, `{{n${at}:/${word}./}}`, word][kinds[at] ?? 0] ?? '',
          )
          const after = words.map(
            (word, at) => [word, `${word}5`, `${word}5`, `${word}5`, `other ${word}`][kinds[at] ?? 0] ?? '',
          )
          const written = rewrite(before, readOutput(`${after.join('\n')}\n`), 'fence')
          expect(written).toEqual(before.map((text, at) => (kinds[at] === 4 ? after[at] : text)))
        },
      ),
    )
  })

  test('of a transcript stays a transcript', () => {
    fc.assert(
      fc.property(expected, output, (before, actual) => {
        fc.pre(isReadable(before) && JSON.stringify(readBack(before, 'transcript')) === JSON.stringify(before))
        const written = rewrite(before, actual, 'transcript')
        expect(readBack(written, 'transcript')).toEqual(written)
      }),
    )
  })
})
