import type { Outcome } from '../../records/outcome.ts'
import type { Tone } from '../render/outcome-words.ts'
import { element, type Child } from './element.ts'
import { loadContent } from './load-content.ts'

/** What a list tells of a spec or a session before it is opened. */
export interface RowContent {
  /** Folder of its content, named by the key. */
  readonly folder: 'specs' | 'sessions'
  readonly key: string
  readonly anchor: string
  readonly title: string
  readonly outcome: Outcome
  readonly tone: Tone
  /** How the outcome is told. */
  readonly word: string
  /** What stands below the title, before the marks of its parts and behind them. */
  readonly before: readonly Child[]
  readonly facts: readonly Child[]
  /** Steps of a spec, attempts of a session. */
  readonly parts: readonly { readonly anchor: string; readonly tone: Tone; readonly title: string }[]
  readonly reasons: readonly string[]
}

/** A spec or a session in the list. */
export interface Row {
  readonly content: RowContent
  readonly item: HTMLElement
  /** What opens it. */
  readonly button: HTMLElement
  /** Shows its content; it is loaded once. */
  open(): Promise<void>
  /** Opens it, with or without its content. */
  unfold(): void
  /** Loads its content, whether it is open or not. */
  fill(): Promise<void>
  toggle(): Promise<void>
  /** The section of a part, once it is open. */
  partAt(anchor: string): HTMLElement | undefined
}

/** Makes a row of the list. */
export function createRow(content: RowContent): Row {
  const { folder, key, tone, word, title } = content
  const body = element('div', { class: 'content', id: `content-${key}` })
  body.hidden = true
  const button = element(
    'button',
    { type: 'button', 'aria-expanded': 'false', 'aria-controls': body.id },
    element('span', { class: `label ${tone}` }, word),
    ' ',
    element('span', { class: 'title' }, title),
  )
  const kind = folder === 'specs' ? 'spec' : 'session'
  const item = element(
    'li',
    { class: `row ${kind} ${tone}` },
    element('h2', {}, button),
    facts(content),
    why(content),
    body,
  )
  let loading: Promise<void> | undefined
  const show = (isOpen: boolean): void => {
    body.hidden = !isOpen
    item.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  const fill = (): Promise<void> => (loading ??= loadContent(`${folder}/${key}.js`, { key, into: body }))
  const open = (): Promise<void> => {
    show(true)
    return fill()
  }
  return {
    content,
    item,
    button,
    open,
    fill,
    unfold: () => show(true),
    async toggle() {
      if (body.hidden) await open()
      else show(false)
    },
    partAt: (anchor) =>
      [...body.querySelectorAll<HTMLElement>('.step')].find((step) => step.dataset['step'] === anchor),
  }
}

function facts({ parts, before, facts: told }: RowContent): Node {
  // One mark for each part, as long as they can be told apart.
  const marks = parts.slice(0, 60).map(({ tone }) => element('i', { class: tone }))
  return element(
    'div',
    { class: 'facts' },
    ...before,
    marks.length === 0 ? undefined : element('span', { class: 'strip', 'aria-hidden': 'true' }, ...marks),
    ...told.map((fact) => element('span', {}, fact)),
  )
}

function why({ reasons }: RowContent): Node | undefined {
  return reasons.length === 0
    ? undefined
    : element('ul', { class: 'why' }, ...reasons.map((reason) => element('li', {}, reason)))
}
