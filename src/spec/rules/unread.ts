import { clauseWordsOf } from '../dialects/clauses.ts'
import { contextName } from '../dialects/dialect-places.ts'
import { hideIn } from '../markdown/hidden-text.ts'
import type { Source } from '../read-source.ts'
import type { Fate } from './readers-of-lines.ts'
import type { Report } from './spec-rules.ts'
import { suspectsIn, type Suspect } from './near-misses.ts'

interface UnreadContext {
  readonly isAgentNone: boolean
  /** Whether the source is another tool's document or a recording, in which no agent judges checks. Default: false. */
  readonly isForeign?: boolean
  readonly nameOf?: ((line: string) => string | undefined) | undefined
  readonly report: Report
}

/** Reports text that looks like a part of a spec, but that nothing reads. */
export function reportUnread(source: Source, { isAgentNone, isForeign, nameOf, report }: UnreadContext): void {
  for (const suspect of source.root.children.length === 0 ? [] : suspectsIn(source.root, source.text)) {
    if (isForeign ? suspect.as === undefined : isLost(suspect, source.fates.at(suspect.line), isAgentNone))
      report(suspect.ruleId, suspect, suspect.message)
    else if (isForeign && suspect.as === 'block' && !isAgentNone) {
      const message = `This would do nothing here: for specs of other tools \`${contextName}\` says what mdtest executes. Move it there.`
      report(suspect.ruleId === 'misplaced-directive' ? suspect.ruleId : 'block-in-context', suspect, message)
    }
  }
  if (nameOf !== undefined && !isAgentNone) reportUnproved(source, nameOf, report)
}

/** Whether the suspect is a problem for the reader of its line: an agent, a dialect or nobody. */
function isLost({ when }: Suspect, fate: Fate | undefined, isAgentNone: boolean): boolean {
  if (when === undefined) return true
  const reader = fate ?? (isAgentNone ? 'no-agent' : 'agent')
  return when === 'nobody' ? fate === undefined : when === reader
}

/** Reports lines that are written like a test of this dialect but are in no test. */
function reportUnproved(
  { text, root, fates }: Source,
  nameOf: NonNullable<UnreadContext['nameOf']>,
  report: Report,
): void {
  const shown = hideIn(text, root.children, { types: ['yaml', 'code', 'inlineCode', 'comment'] }).split('\n')
  const words = clauseWordsOf(shown)
  for (const [index, written] of shown.entries()) {
    const [line, word] = [index + 1, words[index]]
    const fate = fates.at(line)
    if (fate === 'known' || fate === 'check') continue
    const name = fate === 'title' ? undefined : nameOf(written)
    const isRead = fate !== undefined && (word !== 'then' || (fate !== 'title' && fate !== 'scenario'))
    const what = name ?? (word === undefined || isRead ? undefined : `clause \`${word.toUpperCase()}\``)
    if (what === undefined) continue
    const message = `This looks like a ${what}, and nothing reads it: it would be proved by no test. Correct its form, level or place, or say it in other words.`
    report('unread-clause', { line, column: 1 }, message)
  }
}
