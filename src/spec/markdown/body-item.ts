import type { DirectiveComment } from '../blocks/parse-directives.ts'
import type { Placeholders } from '../sections/placeholders.ts'
import type { Fence, FenceLanguage } from '../blocks/fence.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Place } from '../spec.ts'
import type { Finding } from '../rules/swallowed.ts'

/** What a heading's text is made of, flattened: lists and quotes are walked through. */
export type BodyItem =
  | (Place & { readonly kind: 'prose' | 'comment' | 'break' })
  | (Place & { readonly kind: 'check'; readonly text: string })
  | (DirectiveComment & { readonly kind: 'directive' })
  | (Fence & { readonly kind: 'fence' })
  | Swallowed

/** What looks like a block or a heading and stands in text that is not read as markdown. */
export interface Swallowed extends Place {
  readonly kind: 'swallowed'
  readonly what: Finding['what']
  readonly message: string
  /** Only where no agent acts it would be executed, or is code that nobody would execute. */
  readonly isOnlyWithoutAgent: boolean
}

/** What is needed to read the text under a heading. */
export interface BodyContext {
  /** The whole spec, to look at what the syntax tree leaves out. */
  readonly text: string
  readonly report: Report
  /** Of the row that the text is read for. */
  readonly placeholders?: Placeholders
  /** Of the dialects. */
  readonly languages: readonly FenceLanguage[]
}
