import type { Root } from 'mdast'
import { default as remarkFrontmatter } from 'remark-frontmatter'
import { default as remarkGfm } from 'remark-gfm'
import { default as remarkParse } from 'remark-parse'
import { unified, type Processor } from 'unified'
import { messageOf } from '../../system/error-facts.ts'
import { whyTooLarge } from '../size-limits.ts'

export type ParsedMarkdown =
  | { readonly ok: true; readonly root: Root }
  | { readonly ok: false; readonly ruleId: 'spec-too-large' | 'unreadable-markdown'; readonly message: string }

const ofDocuments = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter).use(withoutBareLinks).freeze()
const ofParts = unified().use(remarkParse).use(remarkGfm).use(withoutBareLinks).freeze()

/** Leaves out links without brackets: looking for `www.` and `@` doubles the time, and no spec needs such links. */
function withoutBareLinks(this: Processor): void {
  const data = this.data()
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map(({ text = {}, ...extension }) => {
    const isBare = ({ name = '' }): boolean => name.endsWith('Autolink')
    const kept = Object.entries(text).filter(([, constructs]) => ![constructs ?? []].flat().some(isBare))
    return { ...extension, text: Object.fromEntries(kept) }
  })
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }))
}

/** Cache of trees by text, the oldest first. Listing, planning and reporting read the same specs in turn. */
const kept = new Map<string, ParsedMarkdown>()
const maxKeptLength = 4 * 1024 * 1024
let keptLength = 0

/** Parses GitHub flavoured markdown with front matter. Do not change the tree: it is cached. */
export function parseMarkdown(text: string): ParsedMarkdown {
  const known = kept.get(text)
  if (known !== undefined) return known
  const parsed = parseWith(ofDocuments, text)
  kept.set(text, parsed)
  keptLength += text.length
  for (const oldest of kept.keys()) {
    if (keptLength <= maxKeptLength) break
    kept.delete(oldest)
    keptLength -= oldest.length
  }
  return parsed
}

/** In a part of a document, a first line `---` does not begin front matter. */
export function parsePart(text: string): ParsedMarkdown {
  return parseWith(ofParts, text)
}

function parseWith(processor: typeof ofParts, text: string): ParsedMarkdown {
  const tooLarge = whyTooLarge(text)
  if (tooLarge !== undefined) return { ok: false, ruleId: 'spec-too-large', message: tooLarge }
  try {
    return { ok: true, root: processor.parse(text) }
  } catch (error: unknown) {
    // Text that is nested too deeply overflows the call stack of the parser.
    const message = `The markdown cannot be parsed: ${messageOf(error)}. Nest its lists, quotes and emphasis less deeply.`
    return { ok: false, ruleId: 'unreadable-markdown', message }
  }
}
