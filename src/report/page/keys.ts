import type { Filter } from './filter.ts'
import type { Row } from './row.ts'

/** Lets the list be read by keyboard. */
export function listenToKeys(rows: readonly Row[], filter: Filter): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // A screenshot is shown large, which has keys of its own.
    if (document.querySelector('dialog[open]') !== null) return
    if (event.key === 'Escape') {
      filter.clear()
      filter.input.blur()
      return
    }
    if (event.target instanceof HTMLInputElement) return
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action(rows, filter)
  })
}

const actions: Readonly<Record<string, (rows: readonly Row[], filter: Filter) => void>> = {
  j: (rows) => move(rows, 1),
  k: (rows) => move(rows, -1),
  n: (rows) => void goToNextProblem(rows),
  '/': (_rows, filter) => filter.input.focus(),
}

function move(rows: readonly Row[], by: 1 | -1): void {
  const shown = rows.filter(({ item }) => !item.hidden)
  const current = shown.findIndex(({ item }) => item.contains(document.activeElement))
  const next = current === -1 ? shown.at(by === 1 ? 0 : -1) : shown[current + by]
  focus(next?.button)
}

/** The next part behind the focused one that failed or was blocked, in the next row that has one if need be. */
async function goToNextProblem(rows: readonly Row[]): Promise<void> {
  const shown = rows.filter(({ item, content }) => !item.hidden && hasProblem(content))
  const active = document.activeElement
  for (const row of shown) {
    const isBehind = active !== null && isBefore(row.item, active) && !row.item.contains(active)
    if (isBehind) continue
    await row.open()
    const sections = row.content.parts.filter(isProblem).flatMap(({ anchor }) => row.partAt(anchor) ?? [])
    const targets = sections.length === 0 ? [row.button] : sections
    const next = targets.find((section) => active === null || isBefore(active, section))
    if (next) return focus(next)
  }
}

/** Also where it has no parts: it could not be begun, or not be read. */
function hasProblem({ parts, outcome }: Row['content']): boolean {
  return parts.length === 0 ? outcome === 'fail' || outcome === 'blocked' : parts.some(isProblem)
}

function isProblem({ tone }: Row['content']['parts'][number]): boolean {
  return tone === 'fail' || tone === 'blocked'
}

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function focus(target: HTMLElement | undefined): void {
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
}
