/** Text that is put into a file. */
export interface Insertion {
  /** Offset in the file as it was. */
  readonly at: number
  readonly text: string
}

/** A part of a file. */
interface Range {
  readonly start: number
  readonly end: number
}

export function apply(code: string, insertions: readonly Insertion[]): string {
  const fromTheEnd = insertions.toSorted((one, other) => other.at - one.at)
  return fromTheEnd.reduce(
    (text, insertion) => text.slice(0, insertion.at) + insertion.text + text.slice(insertion.at),
    code,
  )
}

/** Puts an element at the end of a list, on a line of its own where the others are; `undefined` where the list ends in a hole. */
export function addElement(
  code: string,
  list: Range & { readonly elements: readonly (Range | null)[] },
  element: string,
): readonly Insertion[] | undefined {
  const [first] = list.elements
  const last = list.elements.at(-1)
  if (list.elements.length === 0) return [{ at: list.start + 1, text: element }]
  if (!first || !last) return undefined
  const lineBreak = lineBreakBetween(code, list.start, first.start)
  const at = lineEnd(code, last.end)
  if (lineBreak === undefined || at >= list.end) return [{ at: last.end, text: `, ${element}` }]
  const indent = indentOf(code, last.start)
  // The rest of the line may be a comment on the last element.
  const hasComma = /^\s*,/.test(code.slice(last.end, at))
  if (hasComma) return [{ at, text: `${lineBreak}${indent}${element},` }]
  return [
    { at: last.end, text: ',' },
    { at, text: `${lineBreak}${indent}${element}` },
  ]
}

/** Puts a property at the beginning of an object, on a line of its own where the others are. */
export function addProperty(
  code: string,
  object: Range & { readonly properties: readonly Range[] },
  property: string,
): readonly Insertion[] {
  const [first] = object.properties
  if (!first) return [{ at: object.start + 1, text: ` ${property} ` }]
  const lineBreak = lineBreakBetween(code, object.start, first.start)
  if (lineBreak === undefined) return [{ at: first.start, text: `${property}, ` }]
  return [{ at: lineEnd(code, object.start), text: `${lineBreak}${indentOf(code, first.start)}${property},` }]
}

/** Offset of the end of the line that `from` is in. */
export function lineEnd(code: string, from: number): number {
  return from + code.slice(from).search(/\r?\n|$/)
}

function lineBreakBetween(code: string, start: number, end: number): string | undefined {
  return /\r?\n/.exec(code.slice(start, end))?.[0]
}

function indentOf(code: string, offset: number): string {
  const lineStart = code.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(code.slice(lineStart, offset))?.[0] ?? ''
}
