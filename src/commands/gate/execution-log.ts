import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describeFileProblem } from '../../records/folders/log-file.ts'
import { writeLogFile } from '../../records/folders/write-log-file.ts'
import { parseMarkdown } from '../../spec/markdown/parse-markdown.ts'
import { inlineText } from '../../spec/markdown/places.ts'
import { type Ground, groundAt } from '../../system/files/ground.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'

const fileName = 'EXECUTION-LOG.md'
const title = 'Gate Results'

/** Whether a project is one whose files tell of its gates: others have not asked for one more file. */
export function isPlanned(root: string): boolean {
  return statSync(join(root, '.planning'), { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * Puts lines under `Gate Results` of `EXECUTION-LOG.md`, in place of what is there. A file without that section gets
 * one at its end. A link is not followed: text from elsewhere would end up here.
 *
 * @param root absolute path
 * @throws MdtestError `LOG_UNWRITABLE`, `LOG_UNREADABLE`
 */
export function writeExecutionLog(root: string, lines: readonly string[]): void {
  const ground = groundAt(root)
  const file = join(root, fileName)
  writeLogFile(ground, file, replaceSection(readText(ground, file), lines))
}

/** The text with these lines in its section, up to the next heading; all else stays byte for byte. */
export function replaceSection(text: string, lines: readonly string[]): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const section = findSection(text)
  const body = `${newline}${newline}${lines.join(newline)}${newline}`
  if (section === undefined) return `${text}${gapAfter(text, newline)}## ${title}${body}`
  const rest = text.slice(section.end)
  return `${text.slice(0, section.headingEnd)}${body}${rest === '' ? '' : newline}${rest}`
}

/** Offsets: of the end of its heading, and of the line of the next one. */
function findSection(text: string): { readonly headingEnd: number; readonly end: number } | undefined {
  const parsed = parseMarkdown(text)
  if (!parsed.ok) throw unreadable(`${fileName} is too large.`)
  const headings = parsed.root.children.filter((node) => node.type === 'heading')
  const index = headings.findIndex((heading) => inlineText(heading) === title)
  const headingEnd = headings[index]?.position?.end.offset
  if (headingEnd === undefined) return undefined
  const next = headings[index + 1]?.position?.start.offset
  return { headingEnd, end: next === undefined ? text.length : text.lastIndexOf('\n', next - 1) + 1 }
}

function gapAfter(text: string, newline: string): string {
  if (text === '') return ''
  return text.endsWith('\n') ? newline : `${newline}${newline}`
}

function readText(ground: Ground, file: string): string {
  const read = readFileIn(ground, file, maxBytes)
  if (!read.ok && read.why === 'missing') return ''
  if (!read.ok) {
    throw unreadable(describeFileProblem(read, { what: `file \`${file}\``, maxBytes, missing: '' }))
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes)
  } catch {
    throw unreadable(`${file} is not UTF-8 text.`)
  }
}

const maxBytes = 64 * 1024 * 1024

function unreadable(what: string): MdtestError {
  return new MdtestError('LOG_UNREADABLE', what, {
    hint: 'Move it away, and a new one is written; `--no-execution-log` leaves it alone.',
  })
}
