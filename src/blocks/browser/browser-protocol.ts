/** Pages with separate cookies and storage: one for the spec's blocks, one for blocks recorded from an agent. */
export type PageName = 'spec' | 'agent'

/** A block, sent as a line of JSON to the program that drives the browser. The very first line is a `BrowserStart`. */
export interface BrowserCode {
  readonly page: PageName
  /** Each user has separate pages. */
  readonly user: string
  readonly code: string
  readonly language: 'ts' | 'js'
  readonly baseUrl: string | undefined
  /** Absolute path of the directory with the files that may be uploaded. */
  readonly directory: string
  readonly captures: Readonly<Record<string, string>>
  /** Values for `secret('NAME')`. An unset variable is absent. */
  readonly secrets: Readonly<Record<string, string>>
  /** How long to wait for a control, a line or a page, in milliseconds. Default: 5 s, or 20 s for a page. */
  readonly waitMs: number | undefined
  readonly timeoutMs: number
  readonly tellsCalls: boolean
}

/** A successful call in the block, sent as a line of JSON before the reply. */
export interface BrowserProgress {
  readonly kind: 'called'
  /** Line in the code, counted from 0. */
  readonly index: number
  readonly page: readonly string[]
  readonly passwords: readonly string[]
  readonly captures: Readonly<Record<string, string>>
}

export type BrowserReply = { readonly kind: 'done'; readonly captures: Readonly<Record<string, string>> } | BrowserFault

export function lost(message: string): BrowserFault {
  return { kind: 'fault', what: 'lost', message }
}

export interface BrowserFault {
  readonly kind: 'fault'
  /**
   * `control`: no control matches; `many`: several match; `page`: the page is not ready; `sight`: a line is not on the
   * page; `timeout`: the block took too long; `lost`: the browser is gone; `login`: the user is not signed in.
   */
  readonly what: 'control' | 'many' | 'page' | 'sight' | 'timeout' | 'lost' | 'login' | 'other'
  readonly message: string
  readonly index?: number
}
