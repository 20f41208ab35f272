import { quoteRegex } from '../../system/text/quoting.ts'
import { withNoEol, withoutNoEol } from '../../blocks/expected-output/output-lines.ts'
import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import { isOfNow, type Present, partsOf, type TextPart } from './volatile-text.ts'

/** One line as one execution printed it, written as expected output. */
export interface LineSample {
  readonly line: string
  /** What the execution captured before the line or in it, by name. */
  readonly captures: ReadonlyMap<string, string>
  /** Absolute paths of folders that are others in another run or on another machine. */
  readonly places?: readonly string[]
}

export interface Generalization extends Present {
  /** What the line captures: a regular expression for each name. */
  readonly captured: ReadonlyMap<string, string>
  /** Whether all that may be volatile is taken to be so. Default: only what differs. */
  readonly isLoose?: boolean
  /** Gives a name that no other line of the recording captures. */
  nameFor(kind: string): string
}

/**
 * The expected line that stands for all samples of one line: as it is, or with patterns where they differ or where a
 * time of today stands. `undefined` where they have too little in common, or where plain numbers differ: something
 * that is no accident of time counts on.
 */
export function generalizeLine(samples: readonly LineSample[], options: Generalization): string | undefined {
  const bare = samples.map((sample) => ({ ...sample, line: withoutNoEol(sample.line) }))
  const isUnfinished = samples.map(({ line }, index) => line !== bare[index]?.line)
  if (new Set(isUnfinished).size > 1) return undefined
  const line = generalizeFinished(bare, options)
  return line !== undefined && isUnfinished[0] === true ? withNoEol(line) : line
}

function generalizeFinished(samples: readonly LineSample[], options: Generalization): string | undefined {
  const lists = samples.map(cut)
  const [first] = lists
  if (first === undefined || !lists.every((list) => isAlike(list, first))) return undefined
  const columns = first.map((part, index) => ({ part, texts: lists.map((list) => list[index]?.text ?? '') }))
  const isMoving = columns.map((column) => movesIn(column, options))
  const slots = columns.flatMap((column, index) =>
    toSlots(column, {
      isMoving: isMoving[index] === true,
      isBehind: isMoving[index - 1] === true,
      isBefore: isMoving[index + 1] === true,
    }),
  )
  if (
    columns.some(({ part, texts }, index) => !isSafe(part, { texts, before: first[index - 1]?.text ?? '', ...options }))
  )
    return undefined
  if (slots.includes(undefined)) return undefined
  const known = slots.filter((slot) => slot !== undefined)
  if (known.every(({ kind }) => kind === 'text')) return samples[0]?.line
  // A line with a mark of its own means something else with patterns in it.
  if (!isPlain(samples[0]?.line ?? '')) return undefined
  const hasNames = known.some(({ kind }) => kind === 'name')
  return hasNames ? writeTemplate(known, options) : `${known.map(writeSource).join('')} (re)`
}

type Part = TextPart & { readonly name?: string }

/** Cuts a line into values that were captured, what may be volatile, and what is not. */
function cut({ line, captures, places }: LineSample): readonly Part[] {
  const byValue = new Map([...captures].map(([name, value]) => [value, name]))
  const values = [...byValue.keys()].filter((value) => value !== '').toSorted((a, b) => b.length - a.length)
  if (values.length === 0) return partsOf(line, places)
  const pattern = new RegExp(`(?<![A-Za-z0-9])(${values.map(quoteRegex).join('|')})(?![A-Za-z0-9])`)
  return line.split(pattern).flatMap((text) => {
    const name = byValue.get(text)
    if (name !== undefined) return [{ text, name }]
    return text === '' ? [] : partsOf(text, places)
  })
}

function isAlike(list: readonly Part[], first: readonly Part[]): boolean {
  return (
    list.length === first.length &&
    list.every(({ kind, name }, index) => kind?.name === first[index]?.kind?.name && name === first[index]?.name)
  )
}

/** The same part of all samples. */
interface Column {
  readonly part: Part
  readonly texts: readonly string[]
}

type Slot =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly name: string; readonly source: string }
  | { readonly kind: 'name'; readonly name: string }

/** Whether a pattern stands for a part: it differs, or was reckoned from the clock. */
function movesIn({ part, texts }: Column, { isLoose = false, ...present }: Generalization): boolean {
  if (part.name !== undefined || part.kind === undefined) return false
  return isLoose || part.kind.name === 'place' || texts.some((text) => text !== part.text) || isOfNow(part, present)
}

/** Whether what differs may do so: plain numbers count something, and a day or a clock has to be one of now. */
function isSafe(
  part: Part,
  {
    texts,
    before,
    isLoose = false,
    ...present
  }: Generalization & { readonly texts: readonly string[]; readonly before: string },
): boolean {
  const differs = texts.some((text) => text !== part.text)
  if (!differs || isLoose || part.kind === undefined) return true
  // `:3000`, `pid: 17`; in `count: 3` it counts.
  if (part.kind.name === 'number') return /(?:\b(?:port|pid)\b[\s:=#]*|:|#\s*)$/i.test(before)
  const isClockOfMachine = part.kind.name === 'clock' && /:\d\d:\d\d/.test(part.text)
  return (part.kind.name !== 'day' && part.kind.name !== 'clock') || isClockOfMachine || isOfNow(part, present)
}

interface Neighbours {
  readonly isMoving: boolean
  /** Whether a pattern stands in front of it. */
  readonly isBehind: boolean
  /** Whether a pattern stands behind it. */
  readonly isBefore: boolean
}

function toSlots({ part, texts }: Column, { isMoving, isBehind, isBefore }: Neighbours): readonly (Slot | undefined)[] {
  const { text, kind, name } = part
  if (name !== undefined) return [{ kind: 'name', name }]
  if (isMoving && kind) return [{ kind: 'pattern', name: kind.name, source: kind.source }]
  // Columns of a table are filled up beside what differs in length.
  const differs = texts.some((one) => one !== text)
  const start = isBehind && (differs || text.startsWith('  ')) ? /^ */ : /^/
  const end = isBefore && (differs || text.endsWith('  ')) ? / *$/ : /$/
  const bare = texts.map((one) => one.replace(start, '').replace(end, ''))
  if (bare.some((one) => one !== bare[0])) return [undefined]
  const blanks: Slot = { kind: 'pattern', name: 'blanks', source: ' *' }
  const middle: Slot = { kind: 'text', text: bare[0] ?? '' }
  if (bare[0] === text) return [middle]
  return [...(start.source === '^ *' ? [blanks] : []), middle, ...(end.source === ' *$' ? [blanks] : [])]
}

/** Whether the line is read as the text that it shows. */
function isPlain(line: string): boolean {
  const [pattern] = parseExpected([line]).patterns
  return pattern?.kind === 'text' && pattern.text === line && pattern.times === 'once'
}

/**
 * What a line may capture: those of the open names whose values it holds.
 *
 * @param open a regular expression for each name
 */
export function heldIn(
  line: string,
  open: ReadonlyMap<string, string>,
  captures: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const isHeld = (value = ''): boolean => value !== '' && line.includes(value)
  return new Map([...open].filter(([name]) => isHeld(captures.get(name))))
}

/** Those of the names that a generalized line captures. */
export function capturedIn(line: string | undefined, names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => line?.includes(captureStart(name)) === true)
}

function captureStart(name: string): string {
  return `{{${name}:/`
}

/** A template captures and recalls; what is only volatile in it has to be captured as well. */
function writeTemplate(slots: readonly Slot[], { captured, nameFor }: Generalization): string {
  let line = ''
  for (const slot of slots) {
    if (slot.kind === 'text') {
      line += slot.text
      continue
    }
    const [name, source] =
      slot.kind === 'pattern' ? [nameFor(slot.name), slot.source] : [slot.name, captured.get(slot.name)]
    // A name is captured once.
    const isRecall = source === undefined || capturedIn(line, [name]).length > 0
    line += isRecall ? `{{${name}}}` : `${captureStart(name)}${source}/}}`
  }
  return line
}

function writeSource(slot: Slot): string {
  return slot.kind === 'text' ? quoteRegex(slot.text) : slot.kind === 'pattern' ? slot.source : ''
}
