import type { RootContent } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { Data, Processor } from 'unified'

/** What references may point to although it is defined elsewhere, as the parser writes labels: in upper case. */
export interface Labels {
  readonly links: readonly string[]
  readonly footnotes: readonly string[]
}

type Constructs = NonNullable<NonNullable<Data['micromarkExtensions']>[number]['text']>
type Construct = Extract<Constructs[number], { readonly tokenize: unknown }>

export type Parse = (markdown: string) => RootContent[]

/** Sets remark up once for many texts: that costs as much as parsing a small spec. */
export function createParser(labels?: Labels): Parse {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withoutBareLinks)
    .use(labels === undefined ? [] : [[withLabels, labels]])
    .freeze()
  return (markdown) => processor.parse(markdown).children
}

/** Looking for `www.` and `@` in all text takes as long as the rest of the parser, and no spec depends on it. */
function withoutBareLinks(this: Processor): void {
  const data = this.data()
  const disable = { null: ['wwwAutolink', 'protocolAutolink', 'emailAutolink'] }
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable }]
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }))
}

/** Adds labels to those that the parser found itself, right before it looks one up. */
function withLabels(this: Processor, { links, footnotes }: Labels): void {
  const data = this.data()
  const informed = new WeakSet()
  const inform: Construct = {
    tokenize(_effects, _ok, nok) {
      if (!informed.has(this.parser)) {
        informed.add(this.parser)
        this.parser.defined.push(...links)
        this.parser.gfmFootnotes = [...(this.parser.gfmFootnotes ?? []), ...footnotes]
      }
      return nok
    },
  }
  const opening = '['.charCodeAt(0)
  const closing = ']'.charCodeAt(0)
  const text = { [opening]: inform, [closing]: inform }
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text }]
}
