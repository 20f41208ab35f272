import type { Row } from './row.ts'

/** What an address leads to. */
export interface Target {
  readonly row: Row
  /** Step or attempt; absent for the whole. */
  readonly part?: string
}

/** `#shop/cart.test.md/2-pay` → the row of `shop/cart.test.md` and `2-pay`; the same for sessions. */
export function findTarget(hash: string, rows: readonly Row[]): Target | undefined {
  const address = decode(hash.replace(/^#/, ''))
  const named = rows
    .filter(({ content: { anchor } }) => address === anchor || address.startsWith(`${anchor}/`))
    .toSorted((one, other) => other.content.anchor.length - one.content.anchor.length)
  const [row] = named
  if (row === undefined) return undefined
  const part = address.slice(row.content.anchor.length + 1)
  return { row, ...(part !== '' && { part }) }
}

/** The address of a row. */
export function addressOf({ content }: Row): string {
  return `#${content.anchor.split('/').map(encodeURIComponent).join('/')}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Typed by hand.
    return text
  }
}
