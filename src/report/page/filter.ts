import { byId, element } from './element.ts'
import type { Row, RowContent } from './row.ts'
import { outcomes, plural } from './words.ts'

/** Chooses which rows are shown, by outcome and by text. */
export interface Filter {
  /** Shows all again. */
  clear(): void
  readonly input: HTMLInputElement
}

/**
 * Wires the controls above the list.
 */
export function createFilter(rows: readonly Row[]): Filter {
  const input = byId('filter')
  if (!(input instanceof HTMLInputElement)) throw new TypeError('The filter is no input.')
  let chosen: string | undefined
  const texts = new Map(rows.map((row) => [row, textOf(row.content)]))
  const words = new Map(outcomes.flatMap((outcome) => wordsFor(outcome, rows)))
  const buttons = [undefined, ...words.keys()].map((word) => {
    const tone = word === undefined ? 'all' : words.get(word)
    const button = element('button', { type: 'button', class: tone ?? 'all' })
    button.addEventListener('click', () => {
      chosen = word
      apply()
    })
    return { word, button }
  })
  byId('outcomes').append(...buttons.map(({ button }) => button))
  const apply = (): void => {
    const parts = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const counts = new Map<string | undefined, number>()
    const count = (word: string | undefined): number => counts.get(word) ?? 0
    let shown = 0
    for (const row of rows) {
      const isNamed = parts.every((part) => texts.get(row)?.includes(part))
      const isShown = isNamed && (chosen === undefined || row.content.word === chosen)
      for (const word of isNamed ? [undefined, row.content.word] : []) counts.set(word, count(word) + 1)
      row.item.hidden = !isShown
      if (isShown) shown += 1
    }
    for (const { word, button } of buttons) {
      button.textContent = `${count(word)} ${word ?? 'all'}`
      button.setAttribute('aria-pressed', String(word === chosen))
    }
    byId('nothing').textContent =
      rows.length === 0
        ? 'There is no spec yet.'
        : shown === 0
          ? 'No spec is like that.'
          : shown < rows.length
            ? `${shown} of ${plural(rows.length, 'spec')}`
            : ''
  }
  input.addEventListener('input', apply)
  byId('controls').addEventListener('submit', (event) => event.preventDefault())
  apply()
  return {
    input,
    clear() {
      chosen = undefined
      input.value = ''
      apply()
    },
  }
}

function wordsFor(
  outcome: RowContent['outcome'],
  rows: readonly Row[],
): readonly (readonly [word: string, tone: string])[] {
  // Of passes those that are more than claimed first, wherever they stand.
  return rows
    .filter(({ content }) => content.outcome === outcome)
    .map(({ content: { word, tone } }) => [word, tone] as const)
    .toSorted(([, tone], [, other]) => Number(tone === 'claimed') - Number(other === 'claimed'))
}

function textOf({ anchor, title, parts, reasons }: RowContent): string {
  return [anchor, title, ...parts.map((part) => part.title), ...reasons].join('\n').toLowerCase()
}
