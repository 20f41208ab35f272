import type { Word } from '../front-matter/parse-words.ts'
import type { Place } from '../spec.ts'

/** A fenced code block. */
export interface Fence extends Place {
  /** First word of the info string; empty where there is none or it is already an attribute. */
  readonly language: string
  /** The other words. */
  readonly words: readonly Word[]
  readonly code: string
  /** The backticks or tildes it opens with. */
  readonly marker: string
  readonly isClosed: boolean
  /** Of a fence of the language `scrut`: what stands in braces at the end of the info string. */
  readonly config?: Place & { readonly text: string }
  /** What it is nested in, apart from lists. */
  readonly container?: 'block quote' | 'footnote'
}
