/** A kind of text that is another one each time although the product does the same. */
interface VolatileKind {
  readonly name: 'time' | 'date' | 'clock' | 'uuid' | 'duration' | 'path' | 'hex' | 'number'
  /** Finds it. */
  readonly pattern: string
  /** Stands for it in a recording. Wide, so that one flow gives the same recording each time. */
  readonly source: string
}

const time = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`
const duration = String.raw`\d+(?:\.\d+)? ?(?:ms|µs|s|sec|seconds|min)`

/** The first that fits counts. */
const kinds: readonly VolatileKind[] = [
  { name: 'time', pattern: time, source: time },
  { name: 'date', pattern: String.raw`\d{4}-\d\d-\d\d`, source: String.raw`\d{4}-\d\d-\d\d` },
  { name: 'clock', pattern: String.raw`\d\d:\d\d:\d\d(?:\.\d+)?`, source: String.raw`\d\d:\d\d:\d\d(?:\.\d+)?` },
  { name: 'uuid', pattern: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', source: '[0-9a-fA-F-]{36}' },
  { name: 'duration', pattern: String.raw`${duration}\b`, source: duration },
  { name: 'path', pattern: String.raw`(?:\/[\w.@-]+){2,}`, source: String.raw`\/[\w.\/@-]+` },
  // One of fifty ids of eight characters has no letter: such a number counts as an id, too.
  { name: 'hex', pattern: String.raw`\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b`, source: '[0-9a-fA-F]+' },
  { name: 'number', pattern: String.raw`\d+(?:\.\d+)?`, source: String.raw`\d+(?:\.\d+)?` },
]

const anyKind = new RegExp(kinds.map(({ name, pattern }) => `(?<${name}>${pattern})`).join('|'), 'gi')

/** A piece of a line: plain text, or something volatile. */
export interface TextPart {
  readonly text: string
  /** Absent for plain text. */
  readonly kind?: VolatileKind
}

/** Cuts a line into what may be volatile and what is not. */
export function partsOf(line: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const match of line.matchAll(anyKind)) {
    if (match.index > at) parts.push({ text: line.slice(at, match.index) })
    const kind = kinds.find(({ name }) => match.groups?.[name] !== undefined)
    parts.push({ text: match[0], ...(kind && { kind }) })
    at = match.index + match[0].length
  }
  return at < line.length ? [...parts, { text: line.slice(at) }] : parts
}

/** What a word looks like, as a regular expression that other words of its kind match. */
export function sourceOfWord(word: string): string {
  const [part, ...more] = partsOf(word)
  if (more.length === 0 && part?.kind !== undefined && part.kind.name !== 'number') return part.kind.source
  return /^\d+$/.test(word) ? String.raw`\d+` : String.raw`[\w-]+`
}
