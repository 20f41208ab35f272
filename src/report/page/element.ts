import { plainText } from '../../system/text/plain-text.ts'
import { toneWords, type Tone } from '../outcome-tones.ts'

/** Content of an element. A string is shown as text, never as markup. */
export type Child = Node | string | undefined | false | readonly Child[]

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value)
  append(made, ...children)
  return made
}

export function append(parent: Element, ...children: readonly Child[]): void {
  for (const child of children) {
    if (child instanceof Node) parent.append(child)
    else if (typeof child === 'string') parent.append(plainText(child))
    else if (child) append(parent, ...child)
  }
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new TypeError(`The page has no element "${id}".`)
  return found
}

/** Shows a result as a word and a color, because not everybody can see the color. */
export function toneLabel(tone: Tone, word = toneWords[tone]): HTMLElement {
  return element('span', { class: `label ${tone}` }, word)
}

export function factList(...facts: readonly Child[]): HTMLElement {
  const shown = facts.map((fact) => (typeof fact === 'string' ? element('span', {}, fact) : fact))
  return element('span', { class: 'facts' }, ...separated(shown))
}

/** Puts blanks between the children, so that a user who copies them gets separate words. */
export function separated(children: readonly Child[]): readonly Child[] {
  return children.flatMap((child) => (child === undefined || child === false ? [] : [child, ' ']))
}

/** The address of a spec or step on the page. A URL cannot contain lone surrogates, so they are replaced. */
export function addressOf(anchor: string): string {
  return `#${anchor
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/')}`
}

export function timeOf(instant: string): HTMLElement {
  const told = new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return element('time', { datetime: instant, title: instant }, told)
}

export function formatTime(durationMs: number): string {
  if (durationMs < 100_000) return `${(durationMs / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  const minutes = Math.floor(seconds / 60)
  return minutes < 120 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
