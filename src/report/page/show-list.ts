import { formatCost } from '../../records/tokens-and-cost.ts'
import { decoded } from '../../spec/browser/credentials.ts'
import { counted, plural } from '../../system/text/wording.ts'
import type { ShownSpec } from '../folder/document.ts'
import type { SpecSummary } from '../folder/summary.ts'
import { toneWords, type Tone } from '../outcome-tones.ts'
import { addressOf, append, byId, element, factList, formatTime, toneLabel } from './element.ts'
import { describeFindings } from './show-evidence.ts'
import { tones } from './show-head.ts'
import { specContent } from './show-spec.ts'

interface Row {
  readonly spec: SpecSummary
  readonly item: HTMLElement
  open(): Promise<void>
}

export function showList(specs: readonly SpecSummary[]): void {
  const rank = ({ outcome }: SpecSummary): number => (outcome === 'fail' ? 0 : outcome === 'blocked' ? 1 : 2)
  const rows = specs.toSorted((one, other) => rank(one) - rank(other)).map(createRow)
  byId('rows').append(...rows.map(({ item }) => item))
  // Render short lists completely: a screenshot of the full page needs that.
  byId('rows').classList.toggle('long', rows.length > 100)
  const showAll = createFilter(rows)
  byId('open-all').addEventListener('click', () => void openAll(rows.filter(({ item }) => !item.hidden)))
  const followAddress = async (): Promise<void> => {
    const target = findTarget(rows)
    if (target === undefined) return
    const { row, part } = target
    if (row.item.hidden) showAll()
    await row.open()
    const steps = [...row.item.querySelectorAll<HTMLElement>('.step')]
    const place = steps.find((step) => step.dataset['step'] === part) ?? row.item.querySelector('summary')
    place?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'start' })
  }
  addEventListener('hashchange', () => void followAddress())
  if (rows.length === 1) void rows[0]?.open()
  void followAddress()
}

/** Opens all rows, one by one. Only loaded content can be searched and printed. */
async function openAll(rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    await row.open()
    await new Promise((resolve) => setTimeout(resolve))
  }
}

function createRow(spec: SpecSummary): Row {
  const { anchor, key, tone, reasons, moreReasons } = spec
  const title = spec.title.trim() === '' ? anchor : spec.title
  const why = moreReasons === 0 ? reasons : [...reasons, `and ${moreReasons} more`]
  const head = element(
    'summary',
    {},
    element('h2', {}, toneLabel(tone), ' ', element('span', { class: 'title' }, title)),
    factList(title === anchor ? undefined : element('span', { class: 'path' }, anchor), ...specFacts(spec)),
    why.length > 0 && element('span', { class: 'why' }, ...why.map((reason) => element('span', {}, reason))),
  )
  const content = element('div', { class: 'content' })
  const details = element('details', {}, head, content)
  let loading: Promise<void> | undefined
  const load = (): Promise<void> => (loading ??= loadContent(key, content))
  details.addEventListener('toggle', () => {
    if (details.open) void load()
  })
  head.addEventListener('click', () => history.replaceState(null, '', addressOf(anchor)))
  return {
    spec,
    item: element('li', { class: `spec ${tone}` }, details),
    open() {
      details.open = true
      return load()
    },
  }
}

function specFacts({ tone, steps, flaky, findings, durationMs, costUsd }: SpecSummary): readonly string[] {
  const count = (wanted: Tone): number => steps.filter((step) => step.tone === wanted).length
  return [
    plural(steps.length, 'step'),
    ...(tone === 'claimed' ? [`${count('claimed')} on the agent's word alone`] : []),
    ...(tone === 'expected' ? [] : counted(count('expected'), toneWords.expected)),
    ...counted(flaky, 'flaky'),
    ...describeFindings(findings),
    formatTime(durationMs),
    ...(costUsd === undefined ? [] : [formatCost(costUsd)]),
  ]
}

/** Loads the script of a spec, which calls `mdtestShow`. `fetch` would fail in a report that is opened from disk. */
function loadContent(key: string, content: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = `specs/${key}.js`
    received.set(key, (spec) => append(content, specContent(spec)))
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      append(content, `The file ${script.src} of this report is missing.`)
      resolve()
    })
    document.head.append(script)
  })
}

const received = new Map<string, (spec: ShownSpec) => void>()
Reflect.set(globalThis, 'mdtestShow', (key: string, spec: ShownSpec) => received.get(key)?.(spec))

function createFilter(rows: readonly Row[]): () => void {
  const input = byId('filter') as HTMLInputElement // index.html has this input
  let chosen: Tone | undefined
  const texts = new Map(rows.map((row) => [row, searchText(row.spec)]))
  const known = tones.filter((tone) => rows.some(({ spec }) => spec.tone === tone))
  const buttons = [undefined, ...known].map((tone) => {
    const button = element('button', { type: 'button', class: tone ?? 'all' })
    button.addEventListener('click', () => choose(tone))
    return { tone, button }
  })
  const apply = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const named = rows.filter((row) => words.every((word) => texts.get(row)?.includes(word)))
    const shown = new Set(named.filter(({ spec }) => chosen === undefined || spec.tone === chosen))
    for (const row of rows) row.item.hidden = !shown.has(row)
    for (const { tone, button } of buttons) {
      const count = named.filter(({ spec }) => tone === undefined || spec.tone === tone).length
      button.textContent = `${count} ${tone === undefined ? 'all' : toneWords[tone]}`
      button.setAttribute('aria-pressed', String(tone === chosen))
    }
    byId('nothing').textContent =
      rows.length === 0
        ? 'There is no spec yet.'
        : shown.size === 0
          ? 'No spec is like that.'
          : shown.size < rows.length
            ? `${shown.size} of ${plural(rows.length, 'spec')}`
            : ''
  }
  const choose = (tone: Tone | undefined): void => {
    chosen = tone
    apply()
  }
  byId('outcomes').append(...buttons.map(({ button }) => button))
  input.addEventListener('input', apply)
  byId('controls').addEventListener('submit', (event) => event.preventDefault())
  apply()
  return () => {
    input.value = ''
    choose(undefined)
  }
}

function searchText({ anchor, title, steps, reasons }: SpecSummary): string {
  return [anchor, title, ...steps.map((step) => step.title), ...reasons].join('\n').toLowerCase()
}

/** Finds what an address names: in `#shop/cart.test.md/2-pay`, the row of `shop/cart.test.md` and its part `2-pay`. */
function findTarget(rows: readonly Row[]): { readonly row: Row; readonly part: string } | undefined {
  const address = decoded(location.hash.slice(1))
  const [row] = rows
    .filter(({ spec: { anchor } }) => address === anchor || address.startsWith(`${anchor}/`))
    .toSorted((one, other) => other.spec.anchor.length - one.spec.anchor.length)
  return row && { row, part: address.slice(row.spec.anchor.length + 1) }
}
