import type { JournalEntry } from '../../records/journal/journal.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/plural.ts'
import { markup, type Html } from './html.ts'

/** Tool calls, folded. */
export function renderCalls(
  calls: readonly JournalEntry[],
  title = plural(calls.length, 'tool call'),
): readonly Html[] {
  if (calls.length === 0) return []
  return [
    markup`<details class="calls">
      <summary>${title}</summary>
      <ol>
        ${calls.map(renderCall)}
      </ol>
    </details>`,
  ]
}

function renderCall({ at, kind, title, exitCode, denied, excerpt }: JournalEntry): Html {
  const notes = [
    ...(denied ? [markup` <span class="note bad">refused</span>`] : []),
    ...(exitCode === undefined
      ? []
      : [markup` <span class="note${exitCode === 0 ? '' : ' bad'}">exit ${exitCode}</span>`]),
  ]
  const output = excerpt.trimEnd()
  const shown = output === '' ? undefined : markup`<pre tabindex="0">${output}</pre>`
  return markup`<li>
    <time datetime="${at}">${at.slice(11, 19)}</time> <span class="kind">${kind}</span>
    <code>${plainLine(title)}</code>${notes}${shown}
  </li>`
}
