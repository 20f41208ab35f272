import type { Outcome } from '../../verdict/verdict.ts'
import type { Summary } from '../summary.ts'
import { byId, element } from './element.ts'
import type { SpecRow } from './spec-row.ts'
import { outcomes, outcomeWords } from './words.ts'

/** Chooses which specs are shown, by outcome and by text. */
export interface Filter {
  /** Shows all again. */
  clear(): void
  readonly input: HTMLInputElement
}

/** Wires the controls above the list. */
export function createFilter(rows: readonly SpecRow[], { specs }: Summary): Filter {
  const input = byId('filter')
  if (!(input instanceof HTMLInputElement)) throw new TypeError('The filter is no input.')
  let chosen: Outcome | undefined
  const texts = new Map(rows.map((row) => [row, textOf(row)]))
  const buttons = [undefined, ...outcomes].flatMap((outcome) => {
    const count = outcome === undefined ? specs.length : specs.filter((spec) => spec.outcome === outcome).length
    if (count === 0 && outcome !== undefined) return []
    const word = outcome === undefined ? 'all' : outcomeWords[outcome]
    const button = element('button', { type: 'button', class: outcome ?? 'all' }, `${count} ${word}`)
    button.addEventListener('click', () => {
      chosen = outcome
      apply()
    })
    return [{ outcome, button }]
  })
  byId('outcomes').append(...buttons.map(({ button }) => button))
  const apply = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    let shown = 0
    for (const row of rows) {
      const isShown =
        (chosen === undefined || row.spec.outcome === chosen) && words.every((word) => texts.get(row)?.includes(word))
      row.item.hidden = !isShown
      if (isShown) shown += 1
    }
    for (const { outcome, button } of buttons) button.setAttribute('aria-pressed', String(outcome === chosen))
    byId('nothing').textContent = shown === 0 ? 'No spec is like that.' : ''
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

function textOf({ spec }: SpecRow): string {
  const { anchor, title, steps, reasons } = spec
  return [anchor, title, ...steps.map((step) => step.title), ...reasons].join('\n').toLowerCase()
}
