import type { Root } from 'mdast'
import { advance } from './markdown/places.ts'
import { findFrontMatter } from './front-matter/find-front-matter.ts'
import { parseFrontMatter, type RawFrontMatter } from './front-matter/parse-front-matter.ts'
import { parseMarkdown } from './markdown/parse-markdown.ts'
import type { Report } from './rules/spec-rules.ts'
import { messageOf } from '../system/error-facts.ts'
import { isUtf8 } from 'node:buffer'
import type { Place } from './spec.ts'
import { unixText } from '../system/text/plain-text.ts'

/** A file of a spec, read but not understood yet. */
export interface Source {
  /** Line ends normalized. */
  readonly text: string
  readonly frontMatter: RawFrontMatter
  readonly root: Root
}

const maxBytes = 4 * 1024 * 1024
const top = { line: 1, column: 1 }
const nothing: Root = { type: 'root', children: [] }

/**
 * Reads text or bytes as front matter and markdown; `undefined` where a problem was reported that leaves nothing.
 *
 * @param isOfLines whether a spec with this front matter is read line by line: then its markdown is not parsed
 */
export function readSource(
  source: string | Uint8Array,
  report: Report,
  isOfLines: (frontMatter: RawFrontMatter) => boolean = () => false,
): Source | undefined {
  const text = readText(source, report)
  if (text === undefined || !hasReadableStart(text, report)) return undefined
  const found = findFrontMatter(text)
  if (found === undefined) {
    const message =
      'This `---` opens the front matter, and no `---` closes it. Add a line `---` after its last key. If a line across the page is meant, write `***`.'
    report('front-matter-unterminated', top, message)
    return undefined
  }
  const frontMatter = parseFrontMatter(found.yaml, report)
  const root = isOfLines(frontMatter) ? nothing : toRoot(text, found.lineCount, report)
  return root === undefined ? undefined : { text, frontMatter, root }
}

/** The same of a file that is no markdown and has no front matter. */
export function readTextSource(source: string | Uint8Array, report: Report): Source | undefined {
  const text = readText(source, report)
  if (text === undefined) return undefined
  return { text, frontMatter: { values: new Map(), placeOf: () => top }, root: nothing }
}

function readText(source: string | Uint8Array, report: Report): string | undefined {
  if ((typeof source === 'string' ? Buffer.byteLength(source) : source.length) > maxBytes) {
    report('spec-too-large', top, 'The spec is larger than 4 MiB. Split it into several files.')
    return undefined
  }
  const decoded = typeof source === 'string' ? { text: source } : decodeSpec(source)
  if (decoded.invalidAt !== undefined) {
    report('invalid-utf8', decoded.invalidAt, 'From here on the spec is not valid UTF-8. Save the file as UTF-8.')
    return undefined
  }
  const text = unixText(decoded.text)
  reportNul(text, report)
  return text
}

function reportNul(text: string, report: Report): void {
  const offset = text.indexOf('\0')
  if (offset === -1) return
  const place = advance(top, text.slice(0, offset))
  report('nul-byte', place, 'The spec holds a NUL byte, so it is not plain text. Remove it, or save the file as UTF-8.')
}

/** Front matter that does not begin the file is read as markdown: its keys, `agent: none` too, would be ignored. */
function hasReadableStart(text: string, report: Report): boolean {
  const match = /^((?:[ \t]*\n)*)[ \t]*---[ \t]*\n[\w-]+:(?=[ \t\n])/.exec(text)
  if (match === null || text.startsWith('---')) return true
  const line = (match[1] ?? '').split('\n').length
  const message = 'Front matter must begin on line 1 at column 1. Remove what stands before its `---`.'
  report('front-matter-misplaced', { line, column: 1 }, message)
  return false
}

function toRoot(text: string, from: number, report: Report): Root | undefined {
  try {
    const parsed = parseMarkdown(text, { from })
    if (parsed.ok) return parsed.root
    const message =
      'From here on there is too much markdown to parse. Split the spec, or set its parts off by headings and blank lines.'
    report('spec-too-large', { line: parsed.line, column: 1 }, message)
  } catch (error: unknown) {
    // The one thing known to end here is text nested so deeply that the call stack of the parser overflows.
    const reason = messageOf(error)
    const message = `The markdown cannot be parsed: ${reason}. Nest its lists, quotes and emphasis less deeply.`
    report('unreadable-markdown', top, message)
  }
  return undefined
}

/** The text of a spec's bytes, and where the first byte stands that is no UTF-8. */
interface DecodedSpec {
  readonly text: string
  readonly invalidAt?: Place
}

const replacement = Buffer.from('\uFFFD')

/** Decodes the bytes of a spec. What is no UTF-8 becomes `U+FFFD`, and its first place is given. */
export function decodeSpec(bytes: Uint8Array): DecodedSpec {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('utf8')
  return isUtf8(buffer) ? { text } : { text, invalidAt: findInvalid(buffer, text) }
}

/** The first `U+FFFD` that the bytes do not hold themselves. */
function findInvalid(bytes: Buffer, text: string): Place {
  let offset = 0
  let from = 0
  for (;;) {
    const index = text.indexOf('\uFFFD', from)
    const end = index === -1 ? text.length : index
    offset += Buffer.byteLength(text.slice(from, end))
    if (index === -1 || !bytes.subarray(offset, offset + replacement.length).equals(replacement)) {
      const before = text.slice(0, end).replace(/^\uFEFF/, '')
      return advance({ line: 1, column: 1 }, before.replaceAll(/\r\n?/g, '\n'))
    }
    offset += replacement.length
    from = end + 1
  }
}
