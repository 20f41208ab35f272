import fc from '../../support/fast-check.ts'

/** One change of a text. `at` is a place in it from 0 to 1. */
interface TextMutation {
  readonly kind: 'insert' | 'delete' | 'replace' | 'repeat-line' | 'swap-lines' | 'cut-off'
  readonly at: number
  readonly length: number
  readonly text: string
}

/** No `#` and no `-` or line end together: a comment or an end of the front matter would take a status away. */
const piece = fc.oneof(
  fc.constantFrom(...' ,  ,\t,\n,",\',:,{,},[,],&a ,*a,!!x ,|,>,\0,é,\u2028'.split(','), ','),
  fc.string({ unit: fc.constantFrom(...'abcstepidnq019_%@`~?'), minLength: 1, maxLength: 3 }),
)

export const textMutation = fc.record<TextMutation>({
  kind: fc.constantFrom('insert', 'delete', 'replace', 'repeat-line', 'swap-lines', 'cut-off'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.integer({ min: 1, max: 12 }),
  text: piece,
})

/** Changes the text, unless that would touch a `status` or its value. */
export function mutateText(text: string, mutation: TextMutation): string {
  const mutated = changeText(text, mutation)
  return statusesOf(mutated) === statusesOf(text) ? mutated : text
}

function changeText(text: string, { kind, at, length, text: inserted }: TextMutation): string {
  const from = Math.floor(at * text.length)
  const lines = text.split('\n')
  const line = Math.floor(at * lines.length)
  switch (kind) {
    case 'insert':
      return text.slice(0, from) + inserted + text.slice(from)
    case 'delete':
      return text.slice(0, from) + text.slice(from + length)
    case 'replace':
      return text.slice(0, from) + inserted + text.slice(from + inserted.length)
    case 'repeat-line':
      return lines.toSpliced(line, 0, lines[line] ?? '').join('\n')
    case 'swap-lines':
      return lines.toSpliced(line, 2, ...lines.slice(line, line + 2).toReversed()).join('\n')
    case 'cut-off':
      return text.slice(0, from)
  }
}

/** Every line with a status as a whole, where it counts. */
function statusesOf(text: string): string {
  return [...text.matchAll(/["']?status["']?:\s*["']?\w+/g)].map(([match]) => match).join('\n')
}

/** One change of a line of JSON. */
interface LineMutation {
  readonly kind: 'drop' | 'repeat' | 'swap' | 'cut-off' | 'garbage' | 'without-key' | 'other-value'
  readonly line: number
  readonly key: number
  readonly value: unknown
}

export const lineMutation = fc.record<LineMutation>({
  kind: fc.constantFrom('drop', 'repeat', 'swap', 'cut-off', 'garbage', 'without-key', 'other-value'),
  line: fc.nat(40),
  key: fc.nat(60),
  value: fc.oneof(
    fc.constantFrom(null, true, -1, 1e308, '', [], {}, [null], { type: 'x' }),
    fc.jsonValue({ maxDepth: 2 }),
  ),
})

/** Changes one of the lines after the first, which opens the stream. Never a `status`. */
export function mutateLines(lines: readonly string[], mutation: LineMutation): readonly string[] {
  if (lines.length < 2) return lines
  const index = 1 + (mutation.line % (lines.length - 1))
  const line = lines[index] ?? ''
  switch (mutation.kind) {
    case 'drop':
      return line.includes('"status"') ? lines : lines.toSpliced(index, 1)
    case 'repeat':
      return lines.toSpliced(index, 0, line)
    case 'swap':
      return lines.toSpliced(index, 2, ...lines.slice(index, index + 2).toReversed())
    case 'cut-off':
      return lines.toSpliced(index, 1, line.slice(0, mutation.key))
    case 'garbage':
      return lines.toSpliced(index, 0, JSON.stringify(mutation.value))
    default:
      return lines.toSpliced(index, 1, mutateJson(line, mutation))
  }
}

function mutateJson(line: string, { kind, key, value }: LineMutation): string {
  let seen = 0
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).flatMap(([name, inner]): [string, unknown][] => {
      const isHit = name !== 'status' && (seen += 1) === key
      if (!isHit) return [[name, walk(inner)]]
      return kind === 'without-key' ? [] : [[name, value]]
    })
    return Object.fromEntries(entries)
  }
  try {
    return JSON.stringify(walk(JSON.parse(line)))
  } catch {
    return line // an earlier mutation cut it off
  }
}
