import type { BlockContent, PhrasingContent } from 'mdast'
import { gfmTableToMarkdown } from 'mdast-util-gfm-table'
import { toMarkdown } from 'mdast-util-to-markdown'
import { cutLine, plainLine, plainText } from '../system/text/plain-text.ts'

/**
 * Text from outside, in one line. It stands in code: there GitHub reads no mention, reference, address, image, markup or
 * tag, while it does read some of them behind a backslash.
 */
export function inCode(text: string, maxCharacters = 200): PhrasingContent {
  return { type: 'inlineCode', value: cutLine(plainLine(text), maxCharacters) || '–' }
}

/** The same with its lines. */
export function codeBlock(text: string, { lang = null, maxCharacters = 3000 }: CodeOptions = {}): BlockContent {
  const plain = plainText(text).trimEnd()
  const value = plain.length > maxCharacters ? `${plain.slice(0, maxCharacters)}\n…` : plain
  return { type: 'code', lang, value }
}

interface CodeOptions {
  readonly lang?: string | null
  readonly maxCharacters?: number
}

/** Text from outside in a line of HTML. */
export function inHtmlCode(text: string): string {
  const escaped = plainLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<code>${escaped}</code>`
}

export function markdownOf(...children: readonly BlockContent[]): string {
  const extensions = [gfmTableToMarkdown({ tablePipeAlign: false })]
  return toMarkdown({ type: 'root', children: [...children] }, { bullet: '-', extensions })
}

export function words(value: string): PhrasingContent {
  return { type: 'text', value }
}

/** Address of a file at a commit, and of one of its lines. */
export interface Repository {
  /** `https://github.com` */
  readonly server: string
  /** `owner/name` */
  readonly name: string
  readonly commit: string
  /** Path of the suite root in the repository, with slashes; empty where they are the same. Absent where it is not in it. */
  readonly folder: string | undefined
}

export function linkToLine(
  { server, name, commit, folder }: Repository,
  file: string,
  line: number | undefined,
): string | undefined {
  if (folder === undefined) return undefined
  const path = [...folder.split('/'), ...file.split('/')].filter(Boolean).map(encodeURIComponent).join('/')
  // GitHub's plain view has lines; rendered markdown has none.
  return `${server}/${name}/blob/${commit}/${path}?plain=1${line === undefined ? '' : `#L${line}`}`
}
