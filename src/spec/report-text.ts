import { advance } from './advance.ts'
import type { Report } from './spec-rules.ts'

const top = { line: 1, column: 1 }

/** Reports what must not stand anywhere in a spec, be it markdown or not. */
export function reportText(text: string, report: Report): void {
  reportNul(text, report)
  reportVitestComment(text, report)
}

function reportNul(text: string, report: Report): void {
  const offset = text.indexOf('\0')
  if (offset === -1) return
  const place = advance(top, text.slice(0, offset))
  report('nul-byte', place, 'The spec holds a NUL byte, so it is not plain text. Remove it, or save the file as UTF-8.')
}

/** Vitest looks for these in the text of every test file, not in comments alone, and the plugin cannot stop it. */
function reportVitestComment(text: string, report: Report): void {
  const match = /@(?:vitest|jest)-environment(?:\s+[\w-]+\b|-options\s+.)/.exec(text)
  if (match === null) return
  const [name = ''] = match[0].split(/\s/)
  const message = `Vitest would take \`${name}\` for an instruction to itself. Remove it; to speak of it, put it alone between backticks.`
  report('vitest-comment', advance(top, text.slice(0, match.index)), message)
}
