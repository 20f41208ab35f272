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
  /** The whole output, only for a call by mdtest itself. Absent if the output is too long. */
  output: z.string().optional(),
  excerpt: z.string().max(maxExcerptCharacters),
  denied: z.literal(true).optional(),
  /** False for denied calls, and for calls that only read the spec, write the log or call mdtest's own server. */
  activity: z.boolean(),
})

export type JournalEntry = z.infer<typeof journalEntrySchema>

export function formatJournalEntry(entry: JournalEntry): string {
  // Do not cut a surrogate pair in half.
  const excerpt = entry.excerpt.slice(0, maxExcerptCharacters).replace(/[\uD800-\uDBFF]$/, '')
  const line = JSON.stringify({ ...entry, excerpt })
  // Escape two characters that JSON allows, because some readers take them for line ends.
  return `${line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

/** Unreadable lines are incomplete, or were not written by this version of mdtest. Blank lines are ignored. */
export function parseJournal(text: string): { readonly entries: JournalEntry[]; readonly unreadableLines: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.flatMap((line) => journalEntrySchema.safeParse(parseJson(line)).data ?? [])
  return { entries, unreadableLines: lines.length - entries.length }
}
