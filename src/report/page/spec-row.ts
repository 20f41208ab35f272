import type { SpecSummary } from '../summary.ts'
import { element } from './element.ts'
import { loadContent } from './load-content.ts'
import { formatCost, formatTime, outcomeWords, plural } from './words.ts'

/** A spec in the list. */
export interface SpecRow {
  readonly spec: SpecSummary
  readonly item: HTMLElement
  /** What opens it. */
  readonly button: HTMLElement
  /** Shows its content; it is loaded once. */
  open(): Promise<void>
  toggle(): Promise<void>
  /** The section of a step, once it is open. */
  stepAt(anchor: string): HTMLElement | undefined
}

/** Makes the row of a spec. */
export function createRow(spec: SpecSummary): SpecRow {
  const content = element('div', { class: 'content', id: `content-${spec.key}` })
  content.hidden = true
  const button = element(
    'button',
    { type: 'button', 'aria-expanded': 'false', 'aria-controls': content.id },
    element('span', { class: `label ${spec.outcome}` }, outcomeWords[spec.outcome]),
    ' ',
    element('span', { class: 'title' }, spec.title),
  )
  const head = element('h2', {}, button)
  const path = spec.title === spec.anchor ? undefined : element('span', { class: 'path' }, spec.anchor)
  const item = element('li', { class: `spec ${spec.outcome}` }, head, facts(spec, path), why(spec), content)
  let loading: Promise<void> | undefined
  const show = (isOpen: boolean): void => {
    content.hidden = !isOpen
    item.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  const open = (): Promise<void> => {
    show(true)
    return (loading ??= loadContent(spec.key, content))
  }
  return {
    spec,
    item,
    button,
    open,
    async toggle() {
      if (content.hidden) await open()
      else show(false)
    },
    stepAt: (anchor) =>
      [...content.querySelectorAll<HTMLElement>('.step')].find((step) => step.dataset['step'] === anchor),
  }
}

function facts({ steps, durationMs, costUsd, flaky }: SpecSummary, path: Node | undefined): Node {
  // One mark for each step, as long as they can be told apart.
  const marks = steps.slice(0, 60).map(({ outcome }) => element('i', { class: outcome }))
  const parts = [
    plural(steps.length, 'step'),
    ...(flaky === 0 ? [] : [`${flaky} flaky`]),
    formatTime(durationMs),
    ...(costUsd === undefined ? [] : [formatCost(costUsd)]),
  ]
  return element(
    'div',
    { class: 'facts' },
    path,
    marks.length === 0 ? undefined : element('span', { class: 'strip', 'aria-hidden': 'true' }, ...marks),
    ...parts.map((part) => element('span', {}, part)),
  )
}

function why({ reasons }: SpecSummary): Node | undefined {
  return reasons.length === 0
    ? undefined
    : element('ul', { class: 'why' }, ...reasons.map((reason) => element('li', {}, reason)))
}
