import type { DirectiveComment } from './parse-directives.ts'
import type { Fence } from './read-fence.ts'
import type { Report } from './spec-rules.ts'
import type { Place } from './spec.ts'

/** What a heading's text is made of, flattened: lists and quotes are walked through. */
export type BodyItem =
  | (Place & { readonly kind: 'prose' | 'comment' | 'break' })
  | (Place & { readonly kind: 'check'; readonly text: string })
  | (DirectiveComment & { readonly kind: 'directive' })
  | (Fence & { readonly kind: 'fence' })

/** What is needed to read the text under a heading. */
export interface BodyContext {
  /** The whole spec, to look at what the syntax tree leaves out. */
  readonly text: string
  readonly report: Report
}
