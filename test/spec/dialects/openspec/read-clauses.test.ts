import { expect, test } from 'vitest'
import { checksIn, createClauseReader } from '../../../../src/spec/dialects/clauses.ts'
import { parsePart } from '../../../../src/spec/markdown/parse-markdown.ts'

function readChecks(text: string, line: number): ReturnType<typeof checksIn> {
  const parsed = parsePart(text)
  const reader = createClauseReader(text, parsed.ok ? parsed.root.children : [], 'lines')
  return checksIn([reader.read({ place: { line, column: 1 }, start: 0, end: text.length })])
}

test.each([
  ['bold', '- **GIVEN** a\n- **WHEN** b\n- **THEN** c\n- **AND** d', ['c', 'd']],
  ['underlined, with colons', '* __When__: b\n* __Then:__ c\n* **But:** d', ['c', 'd']],
  ['capitals', 'GIVEN a\nWHEN b\nTHEN c\nAND d\nBUT e', ['c', 'd', 'e']],
  ['a capital', '- Given a\n- When b\n- Then c\n- And d\n\nThen e', ['c', 'd', 'e']],
  ['small letters', '- when b\n- then c\nthen d', []],
  [
    'the words in a sentence',
    '- **THEN** c, and then d.\n  Then e.\n  - When f, g',
    ['c, and then d. Then e.; When f, g'],
  ],
  ['longer words', '- Thence\n- Whenever\n- Andromeda\nTHENCE', []],
  ['another event', '- **THEN** c\n- **AND WHEN** d\n- **AND** e\n- **AND THEN** f\n- **AND** g', ['c', 'f', 'g']],
  ['another event in capitals', 'THEN c\nAND WHEN d\nAND THEN e', ['c', 'e']],
  ['an event in a check', '- Then c\n- And when d, e', ['c', 'when d, e']],
  [
    'more that is bold',
    '- **THEN IF** a, **then** b\n- **AND the *second* one** is c',
    ['IF a, then b', 'the second one is c'],
  ],
  ['nothing behind it', '- **THEN**\n- **AND**', ['', '']],
  ['lists below', '- **THEN** all of it:\n  - c\n    1. d\n- **AND** e', ['all of it: c; d', 'e']],
  ['code', '- **THEN** c\n```\n- **THEN** d\n```\n- **AND** e', ['c', 'e']],
  ['italics', '- *WHEN* a\n- _THEN_ b', ['b']],
  ['a table', '| WHEN | a |\n|---|---|\n| THEN | b |', ['b']],
  ['a sign before it', '- ✅ WHEN a\n- ✅ **THEN** b', ['b']],
  ['a quote, code and raw HTML', '> THEN a\n\n- `THEN` b\n\n<b>THEN</b> c', ['a', 'b', 'c']],
  ['a fence of steps', '```gherkin\nWhen a\nThen `b` is c\n```', ['`b` is c']],
  ['code first', '- **THEN** `a` is there\n- AND `b`\n- **AND**: `c`', ['`a` is there', '`b`', '`c`']],
])('%s', (_what, text, checks) => {
  expect(readChecks(text, 1).map((check) => check.text)).toEqual(checks)
})

test('each check is at its line and bullet', () => {
  expect(readChecks('\n  - **WHEN** a\n  - **THEN** b\n\n  - **AND** c', 10)).toEqual([
    { line: 12, column: 3, text: 'b' },
    { line: 14, column: 3, text: 'c' },
  ])
})
