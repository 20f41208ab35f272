import type { Control, ControlVerb } from '../../spec/browser/browser-line.ts'

/** How a control is found, in texts. */
export interface FoundBy {
  readonly by: Control['by']
  readonly role?: string
  readonly name?: string
  readonly isExact?: boolean
  readonly hasText?: string
  readonly within?: FoundBy
}

/** What is done in a page. */
export type BrowserAction =
  | { readonly kind: 'goto'; readonly url: string }
  /** `values` of an upload are absolute paths. */
  | { readonly kind: 'act'; readonly verb: ControlVerb; readonly control: FoundBy; readonly values: readonly string[] }
  | { readonly kind: 'drag'; readonly control: FoundBy; readonly to: FoundBy }
  | { readonly kind: 'press'; readonly control?: FoundBy; readonly key: string }
  | { readonly kind: 'dialog'; readonly accepts: boolean; readonly text?: string }
  | { readonly kind: 'history'; readonly move: 'back' | 'forward' | 'reload' }

/** Each page has cookies and storage of its own. An agent's is not that of the spec's blocks. */
export type PageName = 'spec' | 'agent'

/** A line of JSON to the program that drives the browser; the first is a `BrowserStart`. */
export type BrowserRequest = { readonly page: PageName } & BrowserQuestion

/** What is asked of a page. */
export type BrowserQuestion = { readonly timeoutMs: number } & (
  | BrowserAction
  /** Both forms of the page's aria snapshot; `withPasswords`: what stands in its fields for passwords, too. */
  | { readonly kind: 'look'; readonly withPasswords?: boolean }
)

/** The answer, a line of JSON. */
export type BrowserReply =
  | {
      readonly ok: true
      readonly url: string
      readonly snapshots: readonly string[]
      readonly passwords?: readonly string[]
    }
  | {
      readonly ok: false
      /** `control`: it is not there; `many`: there are several; `page`: it is in no state for this; `lost`: nothing works. */
      readonly what: 'control' | 'many' | 'page' | 'lost' | 'other'
      /** Sentences. */
      readonly message: string
    }
