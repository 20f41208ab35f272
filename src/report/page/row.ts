import type { Outcome } from '../../records/outcome.ts'
import type { Tone } from '../tones.ts'
import { element } from './element.ts'
import { loadContent } from './load-content.ts'

/** What a list tells of a spec before it is opened. */
export interface RowContent {
  /** Name of its content in `specs/`. */
  readonly key: string
  readonly anchor: string
  readonly title: string
  readonly outcome: Outcome
  readonly tone: Tone
  /** How the outcome is told. */
  readonly word: string
  /** What stands below the title before the marks of its parts. */
  readonly before?: string | undefined
  /** And behind them; asked for when the row is built. */
  facts(): readonly string[]
  /** Its steps. */
  readonly parts: readonly { readonly anchor: string; readonly tone: Tone; readonly title: string }[]
  readonly reasons: readonly string[]
}

/** A spec in the list. */
export interface Row {
  readonly content: RowContent
  readonly item: HTMLElement
  /** What opens it. */
  readonly button: HTMLElement
  /** Puts into the item what the list tells of it, once; whatever else needs that does so as well. */
  build(): void
  /** Shows its content; it is loaded once. */
  open(): Promise<void>
  /** Opens it, with or without its content. */
  unfold(): void
  /** Loads its content, whether it is open or not. */
  fill(): Promise<void>
  /** The section of a part, once it is open. */
  partAt(anchor: string): HTMLElement | undefined
}

/** Makes a row of the list. Its item is empty until it is built. */
export function createRow(content: RowContent): Row {
  const { key, tone } = content
  const item = element('li', { class: `row spec ${tone}` })
  let parts: Parts | undefined
  let loading: Promise<void> | undefined
  const built = (): Parts => {
    if (parts !== undefined) return parts
    parts = partsOf(content)
    parts.button.addEventListener('click', () => {
      if (item.classList.contains('open')) show(false)
      else void open()
      history.replaceState(null, '', addressOf(content))
    })
    item.append(...parts.all)
    return parts
  }
  const show = (isOpen: boolean): void => {
    const { body, button } = built()
    body.hidden = !isOpen
    item.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  const fill = (): Promise<void> => (loading ??= loadContent(`specs/${key}.js`, { key, into: built().body }))
  const open = (): Promise<void> => {
    show(true)
    return fill()
  }
  return {
    content,
    item,
    get button() {
      return built().button
    },
    build: () => void built(),
    open,
    fill,
    unfold: () => show(true),
    partAt: (anchor) =>
      [...item.querySelectorAll<HTMLElement>('.step')].find((step) => step.dataset['step'] === anchor),
  }
}

/** What stands in the item of a row. */
interface Parts {
  readonly button: HTMLElement
  /** Where its content is shown. */
  readonly body: HTMLElement
  readonly all: readonly Node[]
}

function partsOf(content: RowContent): Parts {
  const { key, tone, word, title, reasons } = content
  const body = element('div', { class: 'content', id: `content-${key}`, hidden: '' })
  const button = element(
    'button',
    { type: 'button', 'aria-expanded': 'false', 'aria-controls': body.id },
    element('span', { class: `label ${tone}` }, word),
    ' ',
    element('span', { class: 'title' }, title),
  )
  const why = element('ul', { class: 'why' }, ...reasons.map((reason) => element('li', {}, reason)))
  const head = [element('h2', {}, button), factsOf(content), ...(reasons.length === 0 ? [] : [why])]
  return { button, body, all: [...head, body] }
}

/** The address of a row. */
export function addressOf({ anchor }: Pick<RowContent, 'anchor'>): string {
  return `#${anchor.split('/').map(encodeURIComponent).join('/')}`
}

function factsOf({ parts, before, facts }: RowContent): Node {
  // One mark for each part, as long as they can be told apart.
  const marks = parts.slice(0, 60).map(({ tone }) => element('i', { class: tone }))
  return element(
    'div',
    { class: 'facts' },
    before === undefined ? undefined : element('span', { class: 'path' }, before),
    marks.length === 0 ? undefined : element('span', { class: 'strip', 'aria-hidden': 'true' }, ...marks),
    ...facts().map((fact) => element('span', {}, fact)),
  )
}
