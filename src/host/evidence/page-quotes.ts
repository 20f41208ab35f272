import { opensOwnPage, quotableText } from '../../agents/browser/quotable-text.ts'
import type { SeenCall } from './is-product-activity.ts'

/** What browser tools of other agents printed that may be quoted. The agent `browser` sees to that itself. */
export class PageQuotes {
  /** From then on nobody knows which page it is. */
  #isOwnPage = false

  /** What a call printed, without the words of its caller; all of it for a call that tells no arguments. */
  quotable({ kind, input }: SeenCall, output: { readonly text: string; readonly isError: boolean }): string {
    if (kind !== 'browser' || input === undefined) return output.text
    this.#isOwnPage ||= opensOwnPage(input)
    return this.#isOwnPage ? '' : quotableText(output, input)
  }
}
