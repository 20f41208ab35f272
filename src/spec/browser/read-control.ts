import { didYouMean } from '../../system/text/did-you-mean.ts'
import { controlTexts, type Control } from './browser-line.ts'
import { roles } from './roles.ts'
import type { LineFault, Token } from './word-reader.ts'

/** A control and the index of the token behind it, or what is wrong. */
export type ReadControl =
  | { readonly ok: true; readonly control: Control; readonly next: number }
  | (LineFault & { readonly ok: false })

/**
 * Reads how a control is found: `button "Apply" exactly in form "Coupon"`.
 *
 * @param end index of the token behind the last one that can belong to it
 * @param lineEnd for the place of what is missing
 */
export function readControl(
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
