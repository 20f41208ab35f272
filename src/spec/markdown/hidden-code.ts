import type { Nodes } from 'mdast'

import type { Swallowed } from './body-item.ts'
import { isOutput, isText, looksLikeTranscript, normalizeLanguage } from '../blocks/languages.ts'
import { placeOf } from './places.ts'

/** `<pre lang="sh">`, `<code class="language-sh">`, and what GitHub itself makes of a fence. */
const namedLanguage =
  /<(?:pre|code|div)\b[^>]*?(?:\blang=["']?|[\s"'](?:lang|language|highlight-source|highlight-text)-)([\w+#-]+)/gi

const preformatted = /<pre\b[^]*?(?:<\/pre>|$)/gi

/** Code in raw HTML, which nobody executes; with an agent it is part of the instructions. */
export function findCodeInHtml(html: string, { line }: { readonly line: number }): readonly Swallowed[] {
  if (!/<(?:pre|code|div)\b/i.test(html)) return []
  const index = indexOfCode(html)
  if (index === undefined) return []
  const message =
    'This code is part of raw HTML, and no agent acts here, so it would be passed over. Write it as a fence, or say `lang="text"`.'
  return [codeAt({ line: line + (html.slice(0, index).match(/\n/g)?.length ?? 0), column: 1 }, message)]
}

function indexOfCode(html: string): number | undefined {
  const named = [...html.matchAll(namedLanguage)].find(({ 1: name = '' }) => !isForReaders(name))
  const shown = [...html.matchAll(preformatted)].find(({ 0: whole }) => {
    const isNamed = [...whole.matchAll(namedLanguage)].some(({ 1: name = '' }) => isForReaders(name))
    return !isNamed && looksLikeTranscript(whole.replace(/<[^<>]*>/g, ''))
  })
  return (named ?? shown)?.index
}

function isForReaders(name: string): boolean {
  const language = normalizeLanguage(name)
  return isText(language) || isOutput(language)
}

/** Code in HTML within a paragraph, heading or table. */
export function findCodeInText(node: Nodes): readonly Swallowed[] {
  if (node.type === 'html') return findCodeInHtml(node.value, placeOf(node))
  return 'children' in node ? node.children.flatMap(findCodeInText) : []
}

/** A transcript that is indented and stands in no fence. */
export function findIndentedTranscript(node: Nodes & { readonly value: string }): readonly Swallowed[] {
  if (!looksLikeTranscript(node.value)) return []
  const message =
    'This looks like a transcript, and no agent acts here, so it would be passed over. Put it into a fence, `console` to run it or `text`.'
  return [codeAt(placeOf(node), message)]
}

function codeAt(place: { readonly line: number; readonly column: number }, message: string): Swallowed {
  return { kind: 'swallowed', what: 'code', ...place, message, isOnlyWithoutAgent: true }
}
