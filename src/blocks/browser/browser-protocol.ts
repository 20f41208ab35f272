/** Each page has cookies and storage of its own. An agent's is not that of the spec's blocks. */
export type PageName = 'spec' | 'agent'

/** A block for the program that drives the browser: a line of JSON. The first line of all is a `BrowserStart`. */
export interface BrowserCode {
  readonly page: PageName
  /** Each has pages of their own. */
  readonly user: string
  readonly code: string
  readonly language: 'ts' | 'js'
  readonly baseUrl: string | undefined
  /** Absolute path of the directory with the files that may be uploaded. */
  readonly directory: string
  readonly captures: Readonly<Record<string, string>>
  /** Variables that `secret('NAME')` stands for. One that is not set is absent. */
  readonly secrets: Readonly<Record<string, string>>
  /** How long a control, a line or a page is waited for, in milliseconds. Default: 5 s, and 20 s for a page. */
  readonly waitMs: number | undefined
  readonly timeoutMs: number
  readonly tellsCalls: boolean
}

/** A call of the block that ended well: a line of JSON, before the reply. */
export interface BrowserProgress {
  readonly kind: 'called'
  /** Of the code, counted from 0. */
  readonly index: number
  readonly page: readonly string[]
  readonly passwords: readonly string[]
  readonly captures: Readonly<Record<string, string>>
}

/** What became of a block: a line of JSON. */
export type BrowserReply = { readonly kind: 'done'; readonly captures: Readonly<Record<string, string>> } | BrowserFault

export function lost(message: string): BrowserFault {
  return { kind: 'fault', what: 'lost', message }
}

export interface BrowserFault {
  readonly kind: 'fault'
  /**
   * `control`: it is not there; `many`: there are several; `page`: it is in no state for this; `sight`: it does not show what
   * was expected; `timeout`: the block took too long; `lost`: nothing works; `login`:
   * its user is not signed in.
   */
  readonly what: 'control' | 'many' | 'page' | 'sight' | 'timeout' | 'lost' | 'login' | 'other'
  readonly message: string
  readonly index?: number
}
