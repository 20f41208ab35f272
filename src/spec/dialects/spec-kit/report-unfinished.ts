import type { Report } from '../../rules/spec-rules.ts'

/** What the template has between brackets until somebody fills it in. */
const placeholder =
  /\[(?:(?:feature name|brief title|initial state|action|(?:expected )?outcome|state)\]|describe (?:this|how)\b|explain the value\b|specific capability\b|key interaction\b|data requirement\b|boundary condition\b|error scenario\b|entity \d+\]|measurable metric\b|add more user stories\b)/i

const clarification = /\[NEEDS CLARIFICATION\s*(?::\s*([^\]\n]*))?/

/** Reports what has to be decided or filled in before anything can be tested. @param words of the document: no comments, no code */
export function reportUnfinished(words: string, report: Report): void {
  for (const [index, line] of words.split('\n').entries()) {
    const at = (offset: number): { readonly line: number; readonly column: number } => ({
      line: index + 1,
      column: offset + 1,
    })
    const open = clarification.exec(line)
    // A checklist may speak of the mark.
    const isSpokenOf = open?.[1] === undefined && /^\s*[-*+]\s+\[[ xX]\]/.test(line)
    if (open !== null && !isSpokenOf) {
      const message =
        'Nobody has decided this yet. Decide it, for example with `/speckit.clarify`, and put the answer in the place of the brackets.'
      report('spec-kit-clarification', at(open.index), message)
    }
    const unfilled = placeholder.exec(line)
    if (unfilled === null) continue
    const message = 'This is still the text of the template. Fill it in, or take it out.'
    report('spec-kit-placeholder', at(unfilled.index), message)
  }
}
