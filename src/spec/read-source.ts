import type { Root } from 'mdast'
import { top, advance } from './markdown/positions-and-placeholders.ts'
import { noFrontMatter, parseFrontMatter, type RawFrontMatter } from './front-matter/parse-yaml.ts'
import { parseMarkdown } from './markdown/parse-markdown.ts'
import { whyTooLarge } from './size-limits.ts'
import { misplacedFrontMatter } from './front-matter/misplaced-front-matter.ts'
import { Fates } from './rules/readers-of-lines.ts'
import type { Report } from './rules/spec-rules.ts'
import { isUtf8 } from 'node:buffer'
import type { Place } from './spec.ts'
import { unixText } from '../system/text/plain-text.ts'

export interface Source {
  /** The text with `
  ` as the only line end. */
  readonly text: string
  readonly frontMatter: RawFrontMatter
  /** Number of lines of the front matter, including its `---` lines; 0 if there is none. */
  readonly headLength: number
  readonly root: Root
  readonly fates: Fates
}

export function readSource(source: string | Uint8Array, report: Report): Source | undefined {
  const text = readSourceText(source, report)
  if (text === undefined) return undefined
  const parsed = parseMarkdown(text)
  if (!parsed.ok) {
    report(parsed.ruleId, top, parsed.message)
    return undefined
  }
  const [first, ...rest] = parsed.root.children
  const head = first?.type === 'yaml' ? first : undefined
  if (head === undefined && /^---[ \t]*(?:\n|$)/.test(text)) {
    const message = 'No `---` closes this front matter. Add one below its last key; a line across the page is `***`.'
    report('front-matter-unterminated', top, message)
    return undefined
  }
  const misplacedAt = misplacedFrontMatter(text, parsed.root)
  if (misplacedAt !== undefined) {
    const message =
      'This looks like front matter, but it is read as text: front matter begins on line 1 at column 1 with a line `---` and ends with another one. Remove what stands above it; a line across the page is `***`.'
    report('front-matter-misplaced', { line: misplacedAt, column: 1 }, message)
    return undefined
  }
  return {
    text,
    frontMatter: parseFrontMatter(head?.value ?? '', report),
    headLength: head?.position?.end.line ?? 0,
    root: head === undefined ? parsed.root : { type: 'root', children: rest },
    fates: new Fates(),
  }
}

export function readTextSource(source: string | Uint8Array, report: Report): Source | undefined {
  const text = readSourceText(source, report)
  if (text === undefined) return undefined
  return { text, frontMatter: noFrontMatter, headLength: 0, root: { type: 'root', children: [] }, fates: new Fates() }
}

function readSourceText(source: string | Uint8Array, report: Report): string | undefined {
  const tooLarge = whyTooLarge(source)
  if (tooLarge !== undefined) {
    report('spec-too-large', top, tooLarge)
    return undefined
  }
  const decoded = typeof source === 'string' ? { text: source } : decodeSpec(source)
  if (decoded.invalidAt !== undefined) {
    report('invalid-utf8', decoded.invalidAt, 'From here on the spec is not valid UTF-8. Save the file as UTF-8.')
    return undefined
  }
  const text = unixText(decoded.text)
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    const message = 'The spec holds a NUL byte, so it is not plain text. Remove it, or save the file as UTF-8.'
    report('nul-byte', advance(top, text.slice(0, nul)), message)
  }
  return text
}

/** `invalidAt`: the first byte that is not UTF-8. Such bytes become `U+FFFD`. */
export function decodeSpec(bytes: Uint8Array): { readonly text: string; readonly invalidAt?: Place } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('utf8')
  if (isUtf8(buffer)) return { text }
  const encoded = Buffer.from(text)
  const end = buffer.findIndex((byte, index) => byte !== encoded[index])
  // The option `stream` leaves out an incomplete character at the end.
  const before = new TextDecoder().decode(buffer.subarray(0, end), { stream: true })
  return { text, invalidAt: advance(top, before.replaceAll(/\r\n?/g, '\n')) }
}
