import { createRedactor } from '../../../system/redaction/open-redactor.ts'
import { secretPatterns, type Secret } from '../../../system/redaction/secret-forms.ts'
import type { SignIn } from '../../../login/secrets-and-origins.ts'
import type { Locator, Page } from 'playwright-core'

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

  #masks(page: Page): Locator[] {
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

/** Hides secrets, and their parts beside a `…`: Chromium's console shortens long strings to `abc…xyz`. */
function createHide(secrets: readonly Secret[]): Secrets['redact'] {
  const { redact } = createRedactor(secrets)
  const wholes = secrets.flatMap(({ value }) => secretPatterns(value))
  const longestFirst = (part: (whole: string, at: number) => string): readonly string[] =>
    wholes
      .flatMap((whole) => Array.from(whole.slice(minCutLength), (_, index) => part(whole, index + 1)))
      .toSorted((a, b) => b.length - a.length)
  const heads = longestFirst((whole, at) => whole.slice(0, -at))
  const tails = longestFirst((whole, at) => whole.slice(at))
  return (text) => {
    const parts = text.split('…')
    const hidden = parts.map((part, index) => {
      const head = index === parts.length - 1 ? undefined : heads.find((one) => part.endsWith(one))
      const rest = head === undefined ? part : `${part.slice(0, -head.length)}***`
      const tail = index === 0 ? undefined : tails.find((one) => rest.startsWith(one))
      return tail === undefined ? rest : `***${rest.slice(tail.length)}`
    })
    return redact(hidden.join('…'))
  }
}
