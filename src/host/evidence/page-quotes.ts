import { opensOwnPage, quotableText } from '../../agents/browser/quotable-text.ts'
import type { SeenCall } from './classify-call.ts'

/** Knows what agents may quote of the output of browser tools. The agent `browser` does this itself. */
export class PageQuotes {
  /** The agent has opened a page of its own: later output may be of that page. */
  #isOwnPage = false

  /** What a call printed, without the words of its caller. All of it where the arguments are unknown. */
  quotable(
    { kind, input }: Pick<SeenCall, 'kind' | 'input'>,
    output: { readonly text: string; readonly isError: boolean },
  ): string {
    if (kind !== 'browser' || input === undefined) return output.text
    this.#isOwnPage ||= opensOwnPage(input)
    return this.#isOwnPage ? '' : quotableText(output, input)
  }
}
