import { advance } from '../sections/advance.ts'
import type { Report } from './spec-rules.ts'

/** Vitest looks for these in the text of every test file, not in comments alone, and the plugin cannot stop it. */
export function reportVitestComment(text: string, report: Report): void {
  const match = /@(?:vitest|jest)-environment(?:\s+[\w-]+\b|-options\s+.)/.exec(text)
  if (match === null) return
  const [name = ''] = match[0].split(/\s/)
  const message = `Vitest would take \`${name}\` for an instruction to itself. Remove it; to speak of it, put it alone between backticks.`
  report('vitest-comment', advance({ line: 1, column: 1 }, text.slice(0, match.index)), message)
}
