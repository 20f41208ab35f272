import { createRedactor, type Redactor } from '../../../system/redaction/redact.ts'
import { secretPatterns } from '../../../system/redaction/redact-secrets.ts'
import type { SignIn } from '../../../sign-in/sign-in-settings.ts'
import type { Context, Locator, Page } from './playwright.ts'

/** All fields that show text, whether a user or a script has entered it. */
const textFields =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=image], [type=file], [type=range], [type=color]), textarea, [contenteditable]'

/** Hides secrets and typed one-time codes in all texts and pictures that leave the browser. */
export class Secrets {
  readonly #values: Map<string, string>
  #redactor: Redactor
  #isTyped = false

  constructor({ secrets, codes }: Pick<SignIn, 'secrets' | 'codes'>) {
    const seeds = Object.entries(codes).map(([name, value]) => [`${name} seed`, value] as const) // a pair
    this.#values = new Map([...Object.entries(secrets), ...seeds])
    this.#redactor = this.#make()
  }

  redact(text: string): string {
    return this.#redactor.redact(withoutCut(text, this.#values))
  }

  noteTyped(name: string, value: string): void {
    this.#isTyped = true
    if (this.#values.get(name) === value) return
    // Add a new code under another name, so that codes typed earlier stay hidden.
    this.#values.set(this.#values.has(name) ? `${name} ${this.#values.size}` : name, value)
    this.#redactor = this.#make()
  }

  /** Paints over secrets in all screenshots of the context's pages. */
  guard(context: Context): void {
    if (this.#values.size === 0) return
    const guardPage = (page: Page): void => {
      const shoot = page.screenshot.bind(page)
      page.screenshot = (options) => shoot({ ...options, mask: this.#masks(page), maskColor: '#000' })
    }
    for (const page of context.pages()) guardPage(page)
    context.on('page', guardPage)
  }

  #masks(page: Page): readonly Locator[] {
    const values = [...this.#values.values()]
    return page
      .frames()
      .flatMap((frame) => [
        ...(this.#isTyped ? [frame.locator(textFields)] : []),
        ...values.map((value) => frame.getByText(value)),
      ])
  }

  #make(): Redactor {
    return createRedactor([...this.#values].map(([name, value]) => ({ name: name.replace(/ .*/, ''), value })))
  }
}

/** Shorter parts of a secret are not hidden, because many ordinary words contain them. */
const minCutLength = 4

/** Chromium's console shortens long strings to `abc…xyz`. Hides the parts of a secret on both sides of the `…`. */
function withoutCut(text: string, values: ReadonlyMap<string, string>): string {
  const [first = '', ...others] = text.split('…')
  if (others.length === 0) return text
  const patterns = [...values.values()].flatMap(secretPatterns)
  const cuts = patterns
    .flatMap((whole) =>
      Array.from({ length: Math.max(0, whole.length - minCutLength) }, (_, index) => ({
        head: whole.slice(0, -1 - index),
        tail: whole.slice(1 + index),
      })),
    )
    .toSorted((a, b) => b.head.length - a.head.length)
  const parts = [first, ...others].map((part, index) => {
    const head = index === others.length ? undefined : cuts.find((cut) => part.endsWith(cut.head))?.head
    const rest = head === undefined ? part : `${part.slice(0, -head.length)}***`
    const tail = index === 0 ? undefined : cuts.find((cut) => rest.startsWith(cut.tail))?.tail
    return tail === undefined ? rest : `***${rest.slice(tail.length)}`
  })
  return parts.join('…')
}
