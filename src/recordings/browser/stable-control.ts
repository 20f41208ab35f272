import type { BrowserCommand, BrowserText, Control } from '../../spec/browser/browser-line.ts'
import { partsOf } from '../derive/volatile-text.ts'

/**
 * An action whose controls are found on another day, too: of a name with a date, a time or an id in it, what stands before
 * or behind it is enough. Where that tells several controls the line fails; it never takes the wrong one.
 *
 * @param known text of the spec: a date in it is meant
 */
export function withStableControls(command: BrowserCommand, known: string): BrowserCommand {
  if (command.kind === 'drag') {
    return { ...command, control: stable(command.control, known), to: stable(command.to, known) }
  }
  if (command.kind === 'act') return { ...command, control: stable(command.control, known) }
  if (command.kind !== 'press' || command.control === undefined) return command
  return { ...command, control: stable(command.control, known) }
}

function stable(control: Control, known: string): Control {
  const { name, hasText, within, ...rest } = control
  const shorter = name && shorten(name, known)
  const { isExact: _isExact, ...loose } = rest
  const base = shorter === name ? rest : loose
  return {
    ...base,
    ...(shorter && { name: shorter }),
    ...(hasText && { hasText: shorten(hasText, known) }),
    ...(within && { within: stable(within, known) }),
  } as Control // its name is as present as it was
}

/** The first piece with words and without anything volatile; the text itself where it has no volatile part, or no other. */
function shorten(text: BrowserText, known: string): BrowserText {
  const [whole] = text
  if (typeof whole !== 'string' || text.length > 1) return text
  const pieces = ['']
  for (const { text: part, kind } of partsOf(whole)) {
    if (kind !== undefined && passing.has(kind.name) && !known.includes(part)) pieces.push('')
    else pieces.push(`${pieces.pop() ?? ''}${part}`)
  }
  if (pieces.length === 1) return text
  const [best] = pieces.map((piece) => piece.trim()).filter((piece) => /\p{L}{2}/u.test(piece))
  return best === undefined ? text : [best]
}

const passing: ReadonlySet<string> = new Set(['time', 'date', 'clock', 'uuid', 'hex'])
