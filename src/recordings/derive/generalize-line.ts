import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'
import { noEol, withoutNoEol } from '../../blocks/expected-output/output-lines.ts'
import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import { isOfNow, type Present, partsOf, sourceOf, type TextPart } from './volatile-text.ts'

export interface LineSample {
  readonly line: string
  readonly captures: ReadonlyMap<string, string>
  readonly places?: readonly string[]
}

export interface Generalization extends Present {
  readonly captured: ReadonlyMap<string, string>
  /** Whether ids and times become patterns even if they are equal in all samples. Default: no. */
  readonly isLoose?: boolean
  nameFor(kind: string): string
}

/** One expected line for all samples. Ids and times that differ become patterns. `undefined` if other text differs. */
export function generalizeLine(samples: readonly LineSample[], options: Generalization): string | undefined {
  const bare = samples.map((sample) => ({ ...sample, line: withoutNoEol(sample.line) }))
  const isUnfinished = samples.map(({ line }, index) => line !== bare[index]?.line)
  if (new Set(isUnfinished).size > 1) return undefined
  const line = generalizeFinished(bare, options)
  return line !== undefined && isUnfinished[0] === true ? line + noEol : line
}

function generalizeFinished(samples: readonly LineSample[], options: Generalization): string | undefined {
  const lists = samples.map(sampleParts)
  const [first] = lists
  const line = samples[0]?.line ?? ''
  if (first === undefined || !lists.every((list) => isAlike(list, first))) return undefined
  const slots = first.map((part, index) => {
    const texts = lists.map((list) => list[index]?.text ?? '')
    return slotFor(part, { texts, before: first[index - 1]?.text ?? '' }, options)
  })
  if (!slots.every((slot) => slot !== undefined)) return undefined
  if (slots.every(({ kind }) => kind === 'text')) return line
  // Give up on a line that itself ends in a mark such as ` (re)`. With a pattern, the mark would mean something else.
  if (!isPlain(line)) return undefined
  if (slots.some(({ kind }) => kind === 'name')) return writeTemplate(slots, options)
  return `${slots.map((slot) => (slot.kind === 'pattern' ? slot.source : quoteRegex(slot.text))).join('')} (re)`
}

type Part = TextPart & { readonly name?: string }

function sampleParts({ line, captures, places }: LineSample): readonly Part[] {
  const byValue = new Map([...captures].map(([name, value]) => [value, name]))
  const values = [...byValue.keys()].filter((value) => value !== '').toSorted((a, b) => b.length - a.length)
  if (values.length === 0) return partsOf(line, places)
  const pattern = new RegExp(`(?<![A-Za-z0-9])(${values.map(quoteRegex).join('|')})(?![A-Za-z0-9])`)
  return line.split(pattern).flatMap((text) => {
    const name = byValue.get(text)
    return name === undefined ? partsOf(text, places) : [{ text, name }]
  })
}

function isAlike(list: readonly Part[], first: readonly Part[]): boolean {
  return (
    list.length === first.length &&
    list.every(({ kind, name }, index) => kind?.name === first[index]?.kind?.name && name === first[index]?.name)
  )
}

type Slot =
  | { readonly kind: 'text' | 'name'; readonly text: string }
  | { readonly kind: 'pattern'; readonly text: string; readonly source: string }

function slotFor(
  { text, kind, name }: Part,
  { texts, before }: { readonly texts: readonly string[]; readonly before: string },
  { isLoose = false, ...present }: Generalization,
): Slot | undefined {
  if (name !== undefined) return { kind: 'name', text: name }
  const differs = texts.some((one) => one !== text)
  if (kind === undefined) return differs ? undefined : { kind: 'text', text }
  if (differs && !isLoose && kind.name === 'number' && !isNumberOfMachine(text, before)) return undefined
  const isDate = kind.name === 'time' || kind.name === 'date' || kind.name === 'hex'
  const isMoving = isLoose || differs || kind.name === 'place' || (isDate && isOfNow(text, present))
  const tail = kind.name === 'path' ? quoteRegex(commonTail(texts)) : ''
  const source = isLoose ? kind.source : sourceOf(kind, texts)
  return isMoving ? { kind: 'pattern', text: kind.name, source: source + tail } : { kind: 'text', text }
}

function commonTail([first = '', ...others]: readonly string[]): string {
  const starts = [...first.matchAll(/\//g)].map(({ index }) => index).slice(1)
  const tails = starts.map((start) => first.slice(start))
  return tails.find((tail) => others.every((one) => one.endsWith(tail) && one !== tail)) ?? ''
}

/** Whether a number is a port or a pid: `:3000`, `pid: 17`. Other plain numbers are counts. */
function isNumberOfMachine(text: string, before: string): boolean {
  return /\b(?:port|pid)\b[\s:=#]*$/i.test(before) || (before.endsWith(':') && /^\d{4,5}$/.test(text))
}

function isPlain(line: string): boolean {
  const [pattern] = parseExpected([line]).patterns
  return pattern?.kind === 'text' && pattern.text === line && pattern.times === 'once'
}

/** Captures of `open` (name → regular expression) whose value occurs in the line. */
export function heldIn(
  line: string,
  open: ReadonlyMap<string, string>,
  captures: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const isHeld = (value = ''): boolean => value !== '' && line.includes(value)
  return new Map([...open].filter(([name]) => isHeld(captures.get(name))))
}

export function capturedIn(line: string | undefined, names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => line?.includes(`{{${name}:/`) === true)
}

/** Writes a template. `{{id:/…/}}` captures a value or other volatile text, and `{{id}}` repeats the value. */
function writeTemplate(slots: readonly Slot[], { captured, nameFor }: Generalization): string {
  let line = ''
  for (const slot of slots) {
    if (slot.kind === 'text') {
      line += slot.text
      continue
    }
    const [name, source] =
      slot.kind === 'pattern' ? [nameFor(slot.text), slot.source] : [slot.text, captured.get(slot.text)]
    const isRecall = source === undefined || capturedIn(line, [name]).length > 0
    line += isRecall ? `{{${name}}}` : `{{${name}:/${source}/}}`
  }
  return line
}
