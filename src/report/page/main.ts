import type { Summary } from '../summary.ts'
import { addressOf, findTarget } from './address.ts'
import { byId } from './element.ts'
import { showFacts } from './facts.ts'
import { createFilter } from './filter.ts'
import { listenToKeys } from './keys.ts'
import { receiveContent } from './load-content.ts'
import { createRow } from './spec-row.ts'
import { createThemeSwitch } from './theme.ts'
import { outcomes } from './words.ts'

declare const mdtestSummary: Summary

receiveContent()
createThemeSwitch()
showFacts(mdtestSummary)

// What did not pass first; the rest as folders have it.
const rank = (outcome: string): number =>
  Math.min(
    2,
    outcomes.findIndex((each) => each === outcome),
  )
const rows = mdtestSummary.specs.toSorted((one, other) => rank(one.outcome) - rank(other.outcome)).map(createRow)
for (const row of rows) {
  row.button.addEventListener('click', () => {
    void row.toggle()
    history.replaceState(null, '', addressOf(row))
  })
}
byId('specs').append(...rows.map(({ item }) => item))

const filter = createFilter(rows, mdtestSummary)
listenToKeys(rows, filter)
byId('open-all').addEventListener('click', () => {
  for (const row of rows) if (!row.item.hidden) void row.open()
})

async function followAddress(): Promise<void> {
  const target = findTarget(location.hash, rows)
  if (target === undefined) return
  const { row, step } = target
  if (row.item.hidden) filter.clear()
  await row.open()
  const place = step === undefined ? row.button : (row.stepAt(step) ?? row.button)
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'start' })
}

addEventListener('hashchange', () => void followAddress())
// A spec alone is there to be read.
if (rows.length === 1) void rows[0]?.open()
void followAddress()
