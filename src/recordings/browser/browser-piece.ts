import type { BrowserCommand } from '../../spec/browser/browser-line.ts'

/** A line of the page that the agent quoted: what is expected between two actions. */
export interface Sight {
  readonly kind: 'sight'
  /** As the agent saw it, as `pageLines` has it. */
  readonly line: string
  /**
   * Why it does not show that the step worked, half a sentence: it was on the page before, or it is what the step itself
   * put into a control. Absent where it may show it.
   */
  readonly weakness?: string
}

/** One line of a `browser` block, as it is to be repeated. */
export type BrowserItem = Sight | { readonly kind: 'action'; readonly command: BrowserCommand }

/** What an agent did and saw in a browser without anything else in between. */
export interface BrowserPiece {
  readonly kind: 'browser'
  readonly items: readonly BrowserItem[]
}
