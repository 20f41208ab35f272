import { createRedactor } from '../../../system/redaction/redact.ts'
import { secretPatterns, type Secret } from '../../../system/redaction/redact-secrets.ts'
import { quoteRegex } from '../../../system/text/quoting.ts'
import type { SignIn } from '../../../sign-in/sign-in-settings.ts'
import type { Locator, Page } from './playwright.ts'

/** All fields that show text, whether a user or a script has entered it. */
const textFields =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=image], [type=file], [type=range], [type=color]), textarea, [contenteditable]'

/** Hides secrets and typed one-time codes in all texts and pictures that leave the browser. */
export class Secrets {
  redact: (text: string) => string
  readonly #all: Secret[]
  #isTyped = false

  constructor({ secrets, codes }: Pick<SignIn, 'secrets' | 'codes'>) {
    this.#all = [...Object.entries(secrets), ...Object.entries(codes)].map(([name, value]) => ({ name, value }))
    this.redact = createHide(this.#all)
  }

  noteTyped(name: string, value: string): void {
    this.#isTyped = true
    if (this.#all.some((one) => one.value === value)) return
    this.#all.push({ name, value })
    this.redact = createHide(this.#all)
  }

  /** Paints over secrets in all screenshots of a page. */
  guard(page: Page): void {
    if (this.#all.length === 0) return
    const shoot = page.screenshot.bind(page)
    page.screenshot = (options) => shoot({ ...options, mask: this.#masks(page), maskColor: '#000' })
  }

  #masks(page: Page): readonly Locator[] {
    return page
      .frames()
      .flatMap((frame) => [
        ...(this.#isTyped ? [frame.locator(textFields)] : []),
        ...this.#all.map(({ value }) => frame.getByText(value)),
      ])
  }
}

/** Shorter parts of a secret are not hidden, because many ordinary words contain them. */
const minCutLength = 4

/** Also hides parts of secrets beside a `…`, because Chromium's console shortens long strings to `abc…xyz`. */
function createHide(secrets: readonly Secret[]): Secrets['redact'] {
  const { redact } = createRedactor(secrets)
  const cuts = secrets
    .flatMap(({ value }) => secretPatterns(value))
    .flatMap((whole) =>
      Array.from(whole.slice(minCutLength), (_, index) => [whole.slice(0, -1 - index), whole.slice(1 + index)]),
    )
    .toSorted(([one = ''], [other = '']) => other.length - one.length)
    .map(([head = '', tail = '']) => `${quoteRegex(head)}(?=…)|(?<=…)${quoteRegex(tail)}`)
  const cut = new RegExp(cuts.join('|'), 'g')
  return (text) => redact(text.includes('…') && cuts.length > 0 ? text.replace(cut, '***') : text)
}
