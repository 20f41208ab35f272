import { withNoEol, withoutNoEol } from '../../blocks/expected-output/output-lines.ts'
import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import { partsOf, type TextPart } from './volatile-text.ts'

/** One line as one execution printed it, written as expected output. */
export interface LineSample {
  readonly line: string
  /** What the execution captured before the line or in it, by name. */
  readonly captures: ReadonlyMap<string, string>
}

export interface Generalization {
  /** Days of the executions, `YYYY-MM-DD`: a date of today is volatile although it did not differ. */
  readonly days: readonly string[]
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
  const { days, isLoose = false } = options
  const lists = samples.map(({ line, captures }) => cut(line, captures))
  const [first] = lists
  if (first === undefined || !lists.every((list) => isAlike(list, first))) return undefined
  const slots = first.map((part, index) =>
    toSlot(
      part,
      lists.map((list) => list[index]?.text ?? ''),
      { days, isLoose, before: first[index - 1]?.text ?? '' },
    ),
  )
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
function cut(line: string, captures: ReadonlyMap<string, string>): readonly Part[] {
  const byValue = new Map([...captures].map(([name, value]) => [value, name]))
  const values = [...byValue.keys()].filter((value) => value !== '').toSorted((a, b) => b.length - a.length)
  if (values.length === 0) return partsOf(line)
  const pattern = new RegExp(`(?<![\\w-])(${values.map(literal).join('|')})(?![\\w-])`)
  return line.split(pattern).flatMap((text) => {
    const name = byValue.get(text)
    if (name !== undefined) return [{ text, name }]
    return text === '' ? [] : partsOf(text)
  })
}

function isAlike(list: readonly Part[], first: readonly Part[]): boolean {
  return (
    list.length === first.length &&
    list.every(({ kind, name }, index) => kind?.name === first[index]?.kind?.name && name === first[index]?.name)
  )
}

type Slot =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly name: string; readonly source: string }
  | { readonly kind: 'name'; readonly name: string }

function toSlot(
  { text, kind, name }: Part,
  texts: readonly string[],
  { days, isLoose, before }: { readonly days: readonly string[]; readonly isLoose: boolean; readonly before: string },
): Slot | undefined {
  if (name !== undefined) return { kind: 'name', name }
  const differs = texts.some((other) => other !== text)
  if (kind === undefined) return differs ? undefined : { kind: 'text', text }
  const isToday = (kind.name === 'time' || kind.name === 'date') && days.some((day) => text.startsWith(day))
  if (isLoose) return { kind: 'pattern', name: kind.name, source: kind.source }
  if (!differs && !isToday) return { kind: 'text', text }
  if (kind.name === 'number' && !/(?:port|pid|:|#)\s*$/i.test(before)) return undefined
  return { kind: 'pattern', name: kind.name, source: kind.source }
}

/** Whether the line is read as the text that it shows. */
function isPlain(line: string): boolean {
  const [pattern] = parseExpected([line]).patterns
  return pattern?.kind === 'text' && pattern.text === line && pattern.times === 'once'
}

/** A template captures and recalls; what is only volatile in it has to be captured as well. */
function writeTemplate(slots: readonly Slot[], { captured, nameFor }: Generalization): string {
  return slots
    .map((slot) => {
      if (slot.kind === 'text') return slot.text
      const [name, source] =
        slot.kind === 'pattern' ? [nameFor(slot.name), slot.source] : [slot.name, captured.get(slot.name)]
      return source === undefined ? `{{${name}}}` : `{{${name}:/${source}/}}`
    })
    .join('')
}

function writeSource(slot: Slot): string {
  return slot.kind === 'text' ? literal(slot.text) : slot.kind === 'pattern' ? slot.source : ''
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
