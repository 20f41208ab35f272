import type { SpecRow } from './spec-row.ts'

/** What an address leads to. */
export interface Target {
  readonly row: SpecRow
  /** Absent for the spec as a whole. */
  readonly step?: string
}

/** `#shop/cart.test.md/2-pay` → the row of `shop/cart.test.md` and `2-pay`. */
export function findTarget(hash: string, rows: readonly SpecRow[]): Target | undefined {
  const address = decode(hash.replace(/^#/, ''))
  const named = rows
    .filter(({ spec }) => address === spec.anchor || address.startsWith(`${spec.anchor}/`))
    .toSorted((one, other) => other.spec.anchor.length - one.spec.anchor.length)
  const [row] = named
  if (row === undefined) return undefined
  const step = address.slice(row.spec.anchor.length + 1)
  return { row, ...(step !== '' && { step }) }
}

/** The address of a spec. */
export function addressOf({ spec }: SpecRow): string {
  return `#${spec.anchor.split('/').map(encodeURIComponent).join('/')}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Typed by hand.
    return text
  }
}
