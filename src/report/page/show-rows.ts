import { byId } from './element.ts'
import { createFilter } from './filter.ts'
import { createOverlay } from './overlay.ts'
import { listenToKeys } from './keys.ts'
import { createRow, type RowContent, type Row } from './row.ts'

/**
 * Shows a list in this order: what can be filtered, opened, addressed and gone through by keyboard.
 */
export function showRows(contents: readonly RowContent[]): void {
  const rows = contents.map(createRow)
  const list = byId('rows')
  // Of a short list all is laid out at once, which pictures of the whole page need.
  list.classList.toggle('long', rows.length > longList)
  list.append(...rows.map(({ item }) => item))
  void buildRows(rows)
  createOverlay(list)
  const filter = createFilter(rows)
  listenToKeys(rows, filter)
  byId('open-all').addEventListener('click', () => void openAll(rows.filter(({ item }) => !item.hidden)))

  const followAddress = async (): Promise<void> => {
    const target = findTarget(location.hash, rows)
    if (target === undefined) return
    const { row, part } = target
    if (row.item.hidden) filter.clear()
    await row.open()
    const place = part === undefined ? row.button : (row.partAt(part) ?? row.button)
    place.focus({ preventScroll: true })
    place.scrollIntoView({ block: 'start' })
  }
  addEventListener('hashchange', () => void followAddress())
  const [first] = rows
  // One alone is there to be read.
  if (rows.length === 1) void first?.open()
  void followAddress()
}

/** Rows from which on those that are not to be seen are not laid out. */
const longList = 100
/** How many are filled at once, and the time for the reader in between, also of what is built, in milliseconds. */
const filledAtOnce = 10
const pauseMs = 30

/** How many are built before what is there is shown. */
const builtAtOnce = 50

/** Builds the rows that are seen first, then the rest, some at a time. */
async function buildRows(rows: readonly Row[]): Promise<void> {
  // Who prints does not wait.
  addEventListener('beforeprint', () => rows.forEach((row) => row.build()), { once: true })
  for (let start = 0; start < rows.length; start += builtAtOnce) {
    for (const row of rows.slice(start, start + builtAtOnce)) row.build()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Unfolds rows; what is to be seen is filled first, then the rest, a few at a time. */
async function openAll(rows: readonly Row[]): Promise<void> {
  const waiting = new Map<Element, Row>(rows.map((row) => [row.item, row]))
  const take = (item: Element): Row | undefined => {
    const row = waiting.get(item)
    waiting.delete(item)
    return row
  }
  for (const row of rows) row.unfold()
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) void take(target)?.fill()
  })
  for (const item of waiting.keys()) sight.observe(item)
  // To be found and printed all of it has to be there.
  while (waiting.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const next = [...waiting.keys()].slice(0, filledAtOnce)
    await Promise.all(next.map((item) => take(item)?.fill()))
  }
  sight.disconnect()
}

/** What an address leads to. */
interface Target {
  readonly row: Row
  /** Step or attempt; absent for the whole. */
  readonly part?: string
}

/** `#shop/cart.test.md/2-pay` → the row of `shop/cart.test.md` and `2-pay`. */
function findTarget(hash: string, rows: readonly Row[]): Target | undefined {
  const address = decode(hash.replace(/^#/, ''))
  const named = rows
    .filter(({ content: { anchor } }) => address === anchor || address.startsWith(`${anchor}/`))
    .toSorted((one, other) => other.content.anchor.length - one.content.anchor.length)
  const [row] = named
  if (row === undefined) return undefined
  const part = address.slice(row.content.anchor.length + 1)
  return { row, ...(part !== '' && { part }) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Typed by hand.
    return text
  }
}
