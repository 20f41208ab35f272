import { z } from 'zod'
import { parseJson } from '../../system/text/parse-json.ts'

export const maxExcerptCharacters = 2000

export const journalEntrySchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  step: z.string().nullable(),
  kind: z.enum(['command', 'file', 'browser', 'mcp', 'web', 'other']),
  title: z.string(),
  exitCode: z.number().int().optional(),
  directory: z.string().optional(),
  /** All that it gave, where mdtest carried it out. Absent where that is too much to keep. */
  output: z.string().optional(),
  excerpt: z.string().max(maxExcerptCharacters),
  denied: z.literal(true).optional(),
  /** Not for reading the spec, writing the log, calling mdtest's own server or a denied call. */
  activity: z.boolean(),
})

export type JournalEntry = z.infer<typeof journalEntrySchema>

export interface ParsedJournal {
  readonly entries: readonly JournalEntry[]
  /** Lines that are no entries: cut off, of another version, or not mdtest's. Blank ones do not count. */
  readonly unreadableLines: number
}

/** Renders one entry as a line of the journal, its line end included. An excerpt that is too long is cut. */
export function formatJournalEntry(entry: JournalEntry): string {
  // Not cut between the halves of a surrogate pair.
  const excerpt = entry.excerpt.slice(0, maxExcerptCharacters).replace(/[\uD800-\uDBFF]$/, '')
  const line = JSON.stringify({ ...entry, excerpt })
  // Line separators for some readers, though not for JSON.
  return `${line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

export function parseJournal(text: string): ParsedJournal {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.flatMap((line) => journalEntrySchema.safeParse(parseJson(line)).data ?? [])
  return { entries, unreadableLines: lines.length - entries.length }
}
