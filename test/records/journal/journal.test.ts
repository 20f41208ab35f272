import fc, { anyCharacter } from '../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { formatJournalEntry, maxExcerptCharacters, parseJournal } from '../../../src/records/journal/journal.ts'
import type { JournalEntry } from '../../../src/records/journal/journal.ts'

const entry: JournalEntry = {
  id: 'toolu_1',
  at: '2026-02-10T14:30:00.123Z',
  step: '1-add-to-cart',
  kind: 'command',
  title: 'npm test',
  exitCode: 1,
  excerpt: '1 item in your cart',
  activity: true,
}

const anyText = fc.string({ unit: anyCharacter })
const anyEntry = fc.record<JournalEntry, 'id' | 'at' | 'step' | 'kind' | 'title' | 'excerpt' | 'activity'>(
  {
    id: anyText,
    at: fc
      .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    step: fc.option(anyText),
    kind: fc.constantFrom('command', 'file', 'browser', 'mcp', 'web', 'other'),
    title: anyText,
    exitCode: fc.integer(),
    excerpt: anyText,
    denied: fc.constant(true),
    activity: fc.boolean(),
  },
  { requiredKeys: ['id', 'at', 'step', 'kind', 'title', 'excerpt', 'activity'] },
)

describe('a journal', () => {
  test('gives back what was written', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 5 }), (entries) => {
        const text = entries.map((one) => formatJournalEntry(one)).join('')
        expect(parseJournal(text)).toEqual({ entries, unreadableLines: 0 })
      }),
    )
  })

  test('has one line for each entry, whatever is in it', () => {
    const line = formatJournalEntry({ ...entry, excerpt: 'a\nb\r\nc\u2028d\u2029e' })
    expect(line.split(/[\n\r\u2028\u2029]/)).toEqual([line.trimEnd(), ''])
  })

  test('keeps out and counts lines that are no entries', () => {
    const good = formatJournalEntry(entry)
    const text = [
      good,
      '\n',
      '{"id": "cut o\n',
      'null\n',
      '[]\n',
      `${JSON.stringify({ ...entry, kind: 'telepathy' })}\n`,
      `${JSON.stringify({ ...entry, at: 'yesterday' })}\n`,
      `${JSON.stringify({ ...entry, activity: 'yes' })}\n`,
      `${JSON.stringify({ ...entry, denied: false })}\n`,
      `${JSON.stringify({ ...entry, excerpt: 'x'.repeat(maxExcerptCharacters + 1) })}\n`,
      good.replace('\n', '\r\n'),
      good.trimEnd(),
    ].join('')
    expect(parseJournal(text)).toEqual({ entries: [entry, entry, entry], unreadableLines: 8 })
  })

  test('leaves unknown keys of an entry out', () => {
    expect(parseJournal(JSON.stringify({ ...entry, mood: 'good' })).entries).toEqual([entry])
  })

  test('may be anything at all', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), (text) => {
        expect(parseJournal(text).entries).toEqual([])
      }),
    )
    expect(parseJournal('')).toEqual({ entries: [], unreadableLines: 0 })
  })
})

describe('an excerpt that is too long', () => {
  test('is cut', () => {
    const [read] = parseJournal(formatJournalEntry({ ...entry, excerpt: 'x'.repeat(100_000) })).entries
    expect(read?.excerpt).toBe('x'.repeat(maxExcerptCharacters))
  })

  test('is not cut inside a character', () => {
    const excerpt = `${'x'.repeat(maxExcerptCharacters - 1)}😀`
    expect(parseJournal(formatJournalEntry({ ...entry, excerpt })).entries[0]?.excerpt).toBe(excerpt.slice(0, -2))
  })
})
