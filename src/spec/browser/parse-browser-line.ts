import { roles } from './roles.ts'
import { parseLine } from '../../blocks/expected-output/parse-line.ts'
import {
  plainVerbs,
  valueVerbs,
  type BrowserCommand,
  type BrowserValue,
  type Control,
  type ControlVerb,
  controlTexts,
} from './browser-line.ts'
import { readBare, readQuoted } from './browser-text.ts'
import { readTokens, type LineFault, type Token } from './word-reader.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'

type ReadLine = { readonly ok: true; readonly command: BrowserCommand } | (LineFault & { readonly ok: false })

const controlVerbs: readonly ControlVerb[] = [...plainVerbs, ...valueVerbs]
const moves = ['back', 'forward', 'reload'] as const // names, for a union
const answers = ['accept', 'dismiss']

/** Reads one line of a `browser` block that is not blank. */
export function parseBrowserLine(written: string): ReadLine {
  const source = written.trimEnd()
  if (/^[-!](?:\s|$)/.test(source)) return readExpectation(source)
  const [verb = ''] = /^\S*/.exec(source) ?? []
  const rest = { source, from: verb.length, text: source.slice(verb.length).trim() }
  const move = moves.find((one) => one === verb)
  if (move !== undefined) return rest.text === '' ? ok({ kind: 'history', move }) : tooMuch(rest)
  if (verb === 'goto') return readGoto(rest)
  if (verb === 'press') return readPress(rest)
  const ofControl = controlVerbs.find((one) => one === verb)
  if (ofControl === undefined && verb !== 'drag' && !answers.includes(verb)) return unknown(source, verb)
  const tokens = readTokens(source, rest.from)
  if ('message' in tokens) return { ok: false, ...tokens }
  const line = { tokens, lineEnd: source.length }
  if (verb === 'drag') return readDrag(line)
  return ofControl === undefined ? readDialog(verb, line) : readAct(ofControl, line)
}

interface Rest {
  readonly source: string
  readonly from: number
  /** What follows the verb. */
  readonly text: string
}

interface Tokens {
  readonly tokens: readonly Token[]
  readonly lineEnd: number
}

function ok(command: BrowserCommand): ReadLine {
  return { ok: true, command }
}

function fault(index: number, message: string): ReadLine {
  return { ok: false, index, message }
}

function tooMuch({ source, from }: Pick<Rest, 'source' | 'from'>): ReadLine {
  return fault(from + (/\S/.exec(source.slice(from))?.index ?? 0), 'Nothing may follow here. Take it away.')
}

function unknown(source: string, verb: string): ReadLine {
  if (/^\s+\S/.test(source))
    return fault(0, 'Lines of a `browser` block begin at its edge: each is looked for by itself.')
  const known = ['goto', 'press', 'drag', ...answers, ...moves, ...controlVerbs]
  return fault(
    0,
    `\`${verb}\` is no action.${didYouMean(verb, known)} Known: ${known.map((one) => `\`${one}\``).join(', ')}. What the page has to show begins with \`- \`, what it must not with \`! \`.`,
  )
}

function readGoto({ source, from, text }: Rest): ReadLine {
  const at = from + (/\S/.exec(source.slice(from))?.index ?? 0)
  if (text === '') return fault(source.length, '`goto` needs an address, as in `goto /cart`.')
  if (text.startsWith('"')) {
    const read = readQuoted(source, at)
    if (!read.ok) return read
    return read.end === source.length ? ok({ kind: 'goto', address: read.text }) : tooMuch({ source, from: read.end })
  }
  if (/[\s"\\]/.test(text)) return fault(at, 'An address with blanks, quotes or backslashes stands in `"…"`.')
  return ok({ kind: 'goto', address: readBare(text) })
}

function readPress({ source, from, text }: Rest): ReadLine {
  const [key = ''] = /\S+$/.exec(text) ?? []
  if (key === '') return fault(source.length, '`press` needs a key, as in `press Enter`.')
  if (key === text) return ok({ kind: 'press', key })
  const end = source.length - key.length
  const tokens = readTokens(source.slice(0, end), from)
  if ('message' in tokens) {
    return {
      ok: false,
      ...tokens,
      message: `${tokens.message} The last word is the key: \`press textbox "Name" Enter\`.`,
    }
  }
  return withControl({ tokens, lineEnd: end }, tokens.length, (control) => ok({ kind: 'press', control, key }))
}

function readDrag({ tokens, lineEnd }: Tokens): ReadLine {
  const at = tokens.findIndex((token) => token.kind === 'word' && token.text === 'to')
  if (at === -1) return fault(lineEnd, '`drag` needs a place to drop it, as in `drag listitem "A" to list "Done"`.')
  return withControl({ tokens, lineEnd }, at, (control) =>
    withControl({ tokens: tokens.slice(at + 1), lineEnd }, tokens.length - at - 1, (to) =>
      ok({ kind: 'drag', control, to }),
    ),
  )
}

function readDialog(verb: string, { tokens, lineEnd }: Tokens): ReadLine {
  const [what, text, more] = tokens
  if (what?.kind !== 'word' || what.text !== 'dialog') return fault(what?.at ?? lineEnd, `Write \`${verb} dialog\`.`)
  if (text === undefined) return ok({ kind: 'dialog', accepts: verb === 'accept' })
  if (verb === 'accept' && text.kind === 'text' && more === undefined) {
    return ok({ kind: 'dialog', accepts: true, text: text.value })
  }
  return fault((more ?? text).at, 'Only what is answered to a prompt follows: `accept dialog "Ada"`.')
}

function readAct(verb: ControlVerb, { tokens, lineEnd }: Tokens): ReadLine {
  const isPlain = plainVerbs.some((one) => one === verb)
  const from = isPlain ? tokens.length : startOfValues(tokens)
  const values = tokens
    .slice(from)
    .flatMap((token): readonly BrowserValue[] => (token.kind === 'text' ? [token.value] : []))
  if (!isPlain && values.length === 0) {
    return fault(lineEnd, `\`${verb}\` needs a value in quotes at its end, as in \`${verb} textbox "Name" "Ada"\`.`)
  }
  const several = values.length > 1 && (verb === 'fill' || verb === 'type')
  if (several) return fault(tokens[from]?.at ?? lineEnd, `\`${verb}\` takes one value.`)
  return withControl({ tokens, lineEnd }, from, (control) => ok({ kind: 'act', verb, control, values }))
}

/** Values are the last text, and those before it that are followed by a comma. */
function startOfValues(tokens: readonly Token[]): number {
  let at = tokens.length
  if (tokens[at - 1]?.kind !== 'text') return at
  at -= 1
  while (tokens[at - 1]?.kind === 'comma' && tokens[at - 2]?.kind === 'text') at -= 2
  return at
}

function withControl({ tokens, lineEnd }: Tokens, end: number, use: (control: Control) => ReadLine): ReadLine {
  const read = readControl(tokens, { from: 0, end, lineEnd: tokens[end]?.at ?? lineEnd })
  if (!read.ok) return read
  const [left] = tokens.slice(read.next, end)
  if (left === undefined) return use(read.control)
  return fault(
    left.at,
    'This does not belong to a control. Behind it may stand `exactly`, `with "text"` and `in` with another control.',
  )
}

function readExpectation(source: string): ReadLine {
  const text = source.slice(1).trim()
  const isAbsent = source.startsWith('!')
  if (text === '') return fault(0, 'A line of the page has to follow, as in `- button "Apply"`.')
  const { pattern } = parseLine(text)
  if (pattern.kind === 'any-lines' || (pattern.kind !== 'template' && pattern.times !== 'once')) {
    return fault(0, 'This would hold for any page. Name one line of it.')
  }
  if (isAbsent && pattern.kind === 'template' && pattern.parts.some(({ kind }) => kind === 'capture')) {
    return fault(0, 'A line that is not there has nothing to capture.')
  }
  return ok({ kind: 'see', text, isAbsent })
}

/** A control and the index of the token behind it, or what is wrong. */
type ReadControl =
  | { readonly ok: true; readonly control: Control; readonly next: number }
  | (LineFault & { readonly ok: false })

/**
 * Reads how a control is found: `button "Apply" exactly in form "Coupon"`.
 *
 * @param end index of the token behind the last one that can belong to it
 * @param lineEnd for the place of what is missing
 */
function readControl(
  tokens: readonly Token[],
  { from, end, lineEnd }: { from: number; end: number; lineEnd: number },
): ReadControl {
  const fault = (at: number | undefined, message: string): ReadControl => ({ ok: false, index: at ?? lineEnd, message })
  const token = (index: number): Token | undefined => (index < end ? tokens[index] : undefined)
  const first = token(from)
  if (first?.kind !== 'word') return fault(first?.at, missingControl)
  let next = from + 1
  const named = token(next)
  const name = named?.kind === 'text' ? named.text : undefined
  if (name) next += 1
  const by = controlTexts.find((one) => one === first.text)
  if (by === undefined && !roles.includes(first.text)) {
    const known = [...roles, ...controlTexts]
    return fault(first.at, `\`${first.text}\` is no role.${didYouMean(first.text, known)} ${missingControl}`)
  }
  if (by !== undefined && name === undefined) return fault(named?.at, `\`${by}\` needs a text, as in \`${by} "x"\`.`)
  if (name?.length === 0) return fault(named?.at, 'A control without a name is written without the quotes.')
  const isExact = isWord(token(next), 'exactly')
  if (isExact && (name === undefined || by === 'testid')) {
    return fault(token(next)?.at, '`exactly` stands behind a name. A test id is whole in any case.')
  }
  if (isExact) next += 1
  let control: Control =
    by === undefined
      ? { by: 'role', role: first.text, ...(name && { name }), ...(isExact && { isExact }) }
      : { by, name: name ?? [], ...(isExact && { isExact }) }
  if (isWord(token(next), 'with')) {
    const text = token(next + 1)
    if (text?.kind !== 'text' || text.text.length === 0)
      return fault(text?.at, '`with` needs a text, as in `listitem with "Milk"`.')
    control = { ...control, hasText: text.text }
    next += 2
  }
  if (!isWord(token(next), 'in')) return { ok: true, control, next }
  const outer = readControl(tokens, { from: next + 1, end, lineEnd })
  return outer.ok ? { ...outer, control: { ...control, within: outer.control } } : outer
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text
}

const missingControl =
  'Here a control has to stand: a role and mostly a name, as in `button "Apply"`, or `testid`, `label`, `placeholder`, `text`, `alt` or `title` and a text.'
