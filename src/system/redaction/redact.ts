import { createAutomaton, type Automaton } from './redact-automaton.ts'
import { secretPatterns, createSkip, pairKey, type Skip } from './redact-patterns.ts'
import type { Secret } from './redact-secrets.ts'

/** Takes secrets out of texts. */
export interface Redactor {
  /**
   * The text with a mark, `***NAME***`, in place of each secret. Secrets that overlap become one mark, that of the
   * longest. Redacting twice changes nothing more. Redact before a text is cut: half a secret is not found.
   */
  redact(text: string): string
  /** The same for a text that comes in pieces. */
  createStream(): StreamRedactor
  /** The same, with marks as long as what they stand for: what is laid out in columns stays so. */
  createMask(): StreamRedactor
  /** Whether there is anything to take out. */
  readonly hasSecrets: boolean
}

/** Redacts one text that comes in pieces; all it gives, joined, is what `redact` makes of the whole. */
export interface StreamRedactor {
  /** What is safe to pass on; holds back only the beginning of what may become a secret. */
  write(chunk: string): string
  /** The rest. Nothing may be written after it. */
  end(): string
}

/**
 * Finds secrets plain, JSON-escaped, URL-encoded and in base64, all in one pass. Not found: secrets that a program
 * encodes in another way or cuts into pieces, such as base64 with line breaks, and secrets in pictures.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  if (secrets.length === 0) {
    return { redact: (text) => text, createStream: passOn, createMask: passOn, hasSecrets: false }
  }
  const patterns = secrets.flatMap(({ value }, owner) => secretPatterns(value).map((text) => ({ text, owner })))
  const texts = patterns.map(({ text }) => text)
  const search: Search = { automaton: createAutomaton(patterns), skip: createSkip(texts) }
  const names = secrets.map(({ name }) => name)
  const marks = redactMarks(names, texts)
  const createStream = (): StreamRedactor => openStream(search, (owner) => marks[owner] ?? '')
  return {
    redact(text) {
      const stream = createStream()
      return stream.write(text) + stream.end()
    },
    createStream,
    createMask: () => openStream(search, (owner, length) => fitMark(marks[owner] ?? '', length)),
    hasSecrets: true,
  }
}

/** Where the name has no room, its fence alone: of a name that was cut, what follows could make a secret. */
function fitMark(mark: string, length: number): string {
  const fence = mark.slice(0, 1)
  return mark.length > length ? fence.repeat(length) : mark.padEnd(length, fence)
}

function passOn(): StreamRedactor {
  return { write: (chunk) => chunk, end: () => '' }
}

/** Places are counted from the start of the whole text. */
interface Found {
  readonly start: number
  readonly end: number
  /** Length and owner of the longest secret in it. */
  readonly length: number
  readonly owner: number
}

interface Search {
  readonly automaton: Automaton
  readonly skip: Skip
}

/** What stands in place of so many characters of a secret. */
type MarkOf = (owner: number, length: number) => string

function openStream(search: Search, markOf: MarkOf): StreamRedactor {
  let state = 0
  let position = 0
  let held = ''
  let unsettled: readonly Found[] = []
  /** Gives the text up to `settled`, before which no later match can begin. */
  const settle = (text: string, found: readonly Found[], settled: number): string => {
    const base = position - text.length
    const count = found.findIndex(({ end }) => end > settled)
    const closed = count < 0 ? found : found.slice(0, count)
    unsettled = count < 0 ? [] : found.slice(count)
    let output = ''
    let cursor = base
    for (const { start, end, owner } of closed) {
      if (start > cursor) output += text.slice(cursor - base, start - base)
      output += markOf(owner, end - start)
      cursor = Math.max(cursor, end)
    }
    const [open] = unsettled
    const upTo = open === undefined ? settled : Math.min(settled, open.start)
    if (upTo > cursor) {
      output += text.slice(cursor - base, upTo - base)
      cursor = upTo
    }
    // What an open match covers is not needed any more, however far the match will grow.
    if (open !== undefined && open.start <= settled) cursor = Math.max(cursor, open.end)
    held = text.slice(cursor - base)
    return output
  }
  return {
    write(chunk) {
      const scan = scanChunk(search, chunk, { state, position, found: unsettled })
      state = scan.state
      position += chunk.length
      return settle(held + chunk, scan.found, position - (search.automaton.depth[state] ?? 0))
    },
    end() {
      state = 0
      return settle(held, unsettled, position)
    },
  }
}

interface ScanFrom {
  readonly state: number
  readonly position: number
  readonly found: readonly Found[]
}

function scanChunk(search: Search, chunk: string, from: ScanFrom): Pick<ScanFrom, 'state' | 'found'> {
  const { automaton, skip } = search
  const { begins, matchLength, matchOwner } = automaton
  const found = [...from.found]
  let state = from.state
  for (let index = 0; index < chunk.length; index += 1) {
    if (state === 0) index = jump(chunk, index, skip)
    const unit = chunk.charCodeAt(index)
    if (state === 0 && begins[unit] === 0) continue
    state = automaton.next(state, unit)
    const length = matchLength[state] ?? 0
    if (length === 0) continue
    const end = from.position + index + 1
    addFound(found, { start: end - length, end, length, owner: matchOwner[state] ?? 0 })
  }
  return { state, found }
}

/** The first place from `from` on where a pattern may begin, as far as can be told without the next chunk. */
function jump(chunk: string, from: number, { window, distances }: Skip): number {
  let index = from
  while (index + window <= chunk.length) {
    const key = pairKey(chunk.charCodeAt(index + window - 2), chunk.charCodeAt(index + window - 1))
    const distance = distances[key] ?? 0
    if (distance === 0) break
    index += distance
  }
  return index
}

/** Matches come in the order of their ends; those that overlap become one. */
function addFound(found: Found[], match: Found): void {
  let merged = match
  for (let last = found.at(-1); last !== undefined && last.end > merged.start; last = found.at(-1)) {
    found.pop()
    const { length, owner } = last.length >= merged.length ? last : merged
    merged = { start: Math.min(last.start, merged.start), end: merged.end, length, owner }
  }
  found.push(merged)
}

/**
 * What stands in place of each secret, by its place in `names`: `***STRIPE_KEY***`. No pattern is in a mark or can
 * reach into one from the text around it, so a redacted text holds no pattern.
 */
function redactMarks(names: readonly string[], patterns: readonly string[]): readonly string[] {
  const fence = unusedChar(new Set(patterns.join(''))).repeat(3)
  return names.map((name) => {
    const isSafe = !patterns.some((pattern) => name.includes(pattern))
    return isSafe ? `${fence}${name}${fence}` : fence.repeat(2)
  })
}

function unusedChar(used: ReadonlySet<string>): string {
  const familiar = ['*', '#', '~', '|'].find((char) => !used.has(char))
  if (familiar !== undefined) return familiar
  let code = firstBlock
  while (used.has(String.fromCharCode(code))) code += 1
  return String.fromCharCode(code)
}

/** FULL BLOCK; thousands of printable characters follow. */
const firstBlock = 0x2588
