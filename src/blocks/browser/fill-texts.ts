import type { BrowserText, BrowserValue, Control } from '../../spec/browser/browser-line.ts'
import type { FoundBy } from './browser-protocol.ts'

/** Values of names in the texts of a block. */
export interface TextValues {
  /** What was captured before. */
  readonly captures: ReadonlyMap<string, string>
  /** Variables of the block's environment that its lines use. */
  readonly variables: ReadonlyMap<string, string>
}

/** Something in a line has no value, half a sentence is known of it. */
export class UnfilledError extends Error {}

/** @throws {UnfilledError} where nothing was captured under a name */
export function fillText(text: BrowserText, { captures }: Pick<TextValues, 'captures'>): string {
  return text
    .map((part) => {
      if (typeof part === 'string') return part
      const value = captures.get(part.recall)
      if (value === undefined) throw new UnfilledError(`Nothing that ran before has captured \`{{${part.recall}}}\`.`)
      return value
    })
    .join('')
}

/** @throws {UnfilledError} */
export function fillValue(value: BrowserValue, values: TextValues): string {
  if (!('variable' in value)) return fillText(value, values)
  const found = values.variables.get(value.variable)
  if (found !== undefined) return found
  throw new UnfilledError(
    `\`$${value.variable}\` is not set. Name it in \`requires: ['env:${value.variable}']\`, or set it in the front matter's \`env\` or in an earlier block.`,
  )
}

/** @throws {UnfilledError} */
export function fillControl(control: Control, values: TextValues): FoundBy {
  const { by, name, isExact, hasText, within } = control
  return {
    by,
    ...(by === 'role' && { role: control.role }),
    ...(name && { name: fillText(name, values) }),
    ...(isExact && { isExact }),
    ...(hasText && { hasText: fillText(hasText, values) }),
    ...(within && { within: fillControl(within, values) }),
  }
}
