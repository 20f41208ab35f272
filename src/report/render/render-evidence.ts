import { posix } from 'node:path'
import type { Outcome } from '../../records/outcome.ts'
import { shownOutput, shownTitle, withoutMarks } from './browser-text.ts'
import { markup, type Html } from './html.ts'
import { outcomeWords } from '../tones.ts'
import type { ReportedCheck, ReportedStep, StepFindings } from '../records/spec-record.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/wording.ts'

interface SaidContext {
  /** What became of it. */
  readonly outcome: Outcome | undefined
  /** Screenshots of the step. */
  readonly images: ReportedStep['images']
  /** Whether words stand above it already. */
  isTold?(words: string): boolean
}

/** What the agent said of a step or check, and what it cites. */
export function renderSaid(
  { status, observed, evidence = [] }: Pick<ReportedCheck, 'status' | 'observed' | 'evidence'>,
  { outcome, images, isTold = () => false }: SaidContext,
): Html {
  // The verdict stands at the title; worth telling is what the agent thought otherwise.
  const claim = status === undefined || status === outcome ? [] : [`reported as ${outcomeWords[status]}`]
  const told = [...claim, ...(observed === undefined || isTold(observed) ? [] : [withoutMarks(observed)])]
  const shown = new Set(images.map(({ name }) => name))
  const cited = evidence.flatMap((each): Html[] => {
    if (typeof each !== 'string') return isTold(each.quote) ? [] : [markup`<q>${withoutMarks(each.quote)}</q>`]
    return shown.has(posix.normalize(each)) ? [] : [markup`<code>${each}</code>`]
  })
  const lines = [
    ...(told.length > 0 ? [markup`<p class="said"><b>Agent</b> ${told.join(': ')}</p>`] : []),
    ...(cited.length > 0 ? [markup`<p class="cited"><b>Cites</b> ${cited.map((each) => markup`${each} `)}</p>`] : []),
  ]
  return markup`${lines}`
}

/** How a file that was kept is called, by the name that it has in the folder for evidence. */
type NameOf = (file: string) => string

/** `01-1-pay.jpg` and `01-1-pay.console.txt` by the title of the step `1-pay`, `end.jpg` by when it was made; others by their names. */
export function namesFor(steps: readonly Pick<ReportedStep, 'anchor' | 'titles'>[]): NameOf {
  const titles = new Map(steps.map(({ anchor, titles: all }) => [anchor.replace(/^\d+\//, ''), all.at(-1) ?? '']))
  return (file) => {
    // Playwright's own, one for each page.
    if (/^console-[\dTZ-]+\.log$/.test(file)) return 'console of a page'
    const [, stem = '', part] = /^(.*?)(?:\.(console|network))?\.\w+$/.exec(file) ?? []
    const title = stem === 'end' ? 'At the end' : titles.get(stem.replace(/^\d+-/, ''))
    if (title === undefined) return file
    if (part === undefined) return title
    return stem === 'end' ? `${part} at the end` : part
  }
}

/** Screenshots; each leads to itself, and the page shows it large. */
export function renderImages(images: ReportedStep['images'], nameOf: NameOf): readonly Html[] {
  if (images.length === 0) return []
  const figures = images.map(({ name, path }) => {
    const title = nameOf(name)
    return markup`<a class="shot" href="${path}" data-title="${title}"><img src="${path}" alt="Screenshot: ${title}" loading="lazy" /><span>${title}</span></a>`
  })
  return [markup`<div class="images">${figures}</div>`]
}

/** What the browser told: how much of it, and on demand what. */
export function renderFindings(findings: StepFindings | undefined, isOpen: boolean): readonly Html[] {
  if (findings === undefined) return []
  const { consoleErrors, failedRequests } = findings
  const lines = [...consoleErrors.first, ...failedRequests.first]
  const left = consoleErrors.count + failedRequests.count - lines.length
  const list = markup`<summary>${describeFindings(findings)}</summary>
      <ul>
        ${lines.map((line) => markup`<li><code>${plainLine(line)}</code></li>`)}
        ${left > 0 ? markup`<li>and ${left} more</li>` : undefined}
      </ul>`
  return [
    isOpen
      ? markup`<details class="findings" open>${list}</details>`
      : markup`<details class="findings">${list}</details>`,
  ]
}

/** `3 console errors, 1 request failed (404)` */
function describeFindings({ consoleErrors, failedRequests: { count, statuses } }: StepFindings): string {
  return [
    ...(consoleErrors.count === 0 ? [] : [plural(consoleErrors.count, 'console error')]),
    ...(count === 0 ? [] : [`${plural(count, 'request')} failed (${statuses.join(', ')})`]),
  ].join(', ')
}

/** A file that was copied into the folder of the report; without a path it was too large. */
interface ShownFile {
  readonly title: string
  readonly bytes: number
  readonly path?: string
}

/** Files in the folder of the report, to be opened. */
export function renderFiles(files: readonly ShownFile[], nameOf: NameOf = (file) => file): Html | undefined {
  return files.length === 0
    ? undefined
    : markup`<p class="files">${files.map((file) => renderFile({ ...file, title: nameOf(file.title) }))}</p>`
}

function renderFile({ title, path, bytes }: ShownFile): Html {
  if (path === undefined) return markup`<span>${title} (too large to be copied)</span> `
  return markup`<a href="${path}">${title}</a> <span class="place">${formatBytes(bytes)}</span> `
}

function formatBytes(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Tool calls, folded. */
export function renderCalls(
  calls: readonly JournalEntry[],
  title = plural(calls.length, 'tool call'),
): readonly Html[] {
  if (calls.length === 0) return []
  return [
    markup`<details class="calls">
      <summary>${title}</summary>
      <ol>
        ${calls.map(renderCall)}
      </ol>
    </details>`,
  ]
}

function renderCall(call: JournalEntry): Html {
  const { at, kind, exitCode, denied } = call
  const notes = [
    ...(denied ? [markup` <span class="note bad">refused</span>`] : []),
    ...(exitCode === undefined
      ? []
      : [markup` <span class="note${exitCode === 0 ? '' : ' bad'}">exit ${exitCode}</span>`]),
  ]
  const isOfBrowser = kind === 'browser' || kind === 'mcp'
  const title = isOfBrowser ? shownTitle(call) : call.title
  const output = isOfBrowser ? shownOutput(call) : call.excerpt.trimEnd()
  const shown = output === '' ? undefined : markup`<pre tabindex="0">${output}</pre>`
  return markup`<li>
    <time datetime="${at}">${at.slice(11, 19)}</time> <span class="kind">${kind}</span>
    <code>${plainLine(title)}</code>${notes}${shown}
  </li>`
}
