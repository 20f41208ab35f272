import type { Report } from '../rules/spec-rules.ts'
import type { BrowserLine } from './browser-line.ts'
import { parseBrowserLine } from './parse-browser-line.ts'

/**
 * Reads the lines of a `browser` block; what is wrong with one is reported there, and the line is left out.
 *
 * @param at.codeLine markdown line of the first line of `code`
 * @param at.column column at which the lines of `code` begin in the markdown
 */
export function parseBrowserBlock(
  code: string,
  { codeLine, column }: { readonly codeLine: number; readonly column: number },
  report: Report,
): readonly BrowserLine[] {
  return code.split('\n').flatMap((source, index): readonly BrowserLine[] => {
    if (source.trim() === '') return []
    const line = codeLine + index
    const read = parseBrowserLine(source)
    if (read.ok) return [{ ...read.command, line }]
    report('browser-line', { line, column: column + read.index }, read.message)
    return []
  })
}
