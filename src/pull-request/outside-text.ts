import { posix } from 'node:path'
import type { BlockContent, PhrasingContent } from 'mdast'
import { gfmTableToMarkdown } from 'mdast-util-gfm-table'
import { toMarkdown } from 'mdast-util-to-markdown'
import { isInside } from '../system/files/paths.ts'
import { cutLine, plainLine, plainText } from '../system/text/plain-text.ts'

/** Makes untrusted text harmless: one line in a code span, where GitHub shows no mention, link, image or HTML. */
export function inCode(text: string, maxCharacters = 200): PhrasingContent {
  return { type: 'inlineCode', value: cutLine(plainLine(text), maxCharacters) || '–' }
}

/** Makes untrusted text harmless: as a code block, with its line breaks. */
export function codeBlock(text: string, { lang = null, maxCharacters = 3000 }: CodeOptions = {}): BlockContent {
  const plain = plainText(text).trimEnd()
  const value = plain.length > maxCharacters ? `${plain.slice(0, maxCharacters)}\n…` : plain
  return { type: 'code', lang, value }
}

interface CodeOptions {
  readonly lang?: string | null
  readonly maxCharacters?: number
}

/** Makes untrusted text harmless in HTML: on one line, as a `<code>` element. */
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

/** A commit of a repository, for links to its files. */
export interface Repository {
  /** For example `https://github.com`. */
  readonly server: string
  /** As `owner/name`. */
  readonly name: string
  readonly commit: string
  /** Folder of the suite in the repository, with slashes. Empty for the top folder, absent outside the repository. */
  readonly folder: string | undefined
}

/** Encodes a relative path for a URL. Returns `undefined` for a path such as `../x`, as in a forged report. */
export function urlPath(path: string): string | undefined {
  const whole = posix.join('/folder', Buffer.from(path).toString())
  return isInside(whole, '/folder') ? whole.split('/').slice(2).map(encodeURIComponent).join('/') : undefined
}

export function linkToLine(
  { server, name, commit, folder }: Repository,
  file: string,
  line: number | undefined,
): string | undefined {
  const path = folder === undefined ? undefined : urlPath(`${folder}/${file}`)
  if (path === undefined) return undefined
  // GitHub shows line numbers of markdown only with `?plain=1`.
  return `${server}/${name}/blob/${commit}/${path}?plain=1${line === undefined ? '' : `#L${line}`}`
}
