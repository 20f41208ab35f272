import { posix } from 'node:path'
import type { Outcome } from '../../records/outcome.ts'
import { markup, type Html } from './html.ts'
import { outcomeWords } from './outcome-words.ts'
import type { ReportedCheck, ReportedStep } from '../records/spec-record.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/format-amounts.ts'

interface SaidContext {
  /** What became of it. */
  readonly outcome: Outcome | undefined
  /** Screenshots of the step. */
  readonly images: ReportedStep['images']
}

/** What the agent said of a step or check, and what it cites. */
export function renderSaid(
  { status, observed, evidence = [] }: Pick<ReportedCheck, 'status' | 'observed' | 'evidence'>,
  { outcome, images }: SaidContext,
): Html {
  // The verdict stands at the title; worth telling is what the agent thought otherwise.
  const claim = status === undefined || status === outcome ? [] : [`reported as ${outcomeWords[status]}`]
  const told = [...claim, ...(observed === undefined ? [] : [observed])]
  const shown = new Set(images.map(({ name }) => name))
  const cited = evidence.flatMap((each): Html[] => {
    if (typeof each !== 'string') return [markup`<q>${each.quote}</q>`]
    return shown.has(posix.normalize(each)) ? [] : [markup`<code>${each}</code>`]
  })
  const lines = [
    ...(told.length > 0 ? [markup`<p class="said"><b>Agent</b> ${told.join(': ')}</p>`] : []),
    ...(cited.length > 0 ? [markup`<p class="cited"><b>Cites</b> ${cited.map((each) => markup`${each} `)}</p>`] : []),
  ]
  return markup`${lines}`
}

/** Screenshots, small; each leads to itself. */
export function renderImages(images: ReportedStep['images']): readonly Html[] {
  if (images.length === 0) return []
  const figures = images.map(
    ({ name, path }) =>
      markup`<a href="${path}"><img src="${path}" alt="Screenshot ${name}" loading="lazy" /><span>${name}</span></a>`,
  )
  return [markup`<div class="images">${figures}</div>`]
}

/** A file that was copied into the folder of the report; without a path it was too large. */
interface ShownFile {
  readonly title: string
  readonly bytes: number
  readonly path?: string
}

/** Files in the folder of the report, to be opened. */
export function renderFiles(files: readonly ShownFile[]): Html | undefined {
  return files.length === 0 ? undefined : markup`<p class="files">${files.map(renderFile)}</p>`
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

function renderCall({ at, kind, title, exitCode, denied, excerpt }: JournalEntry): Html {
  const notes = [
    ...(denied ? [markup` <span class="note bad">refused</span>`] : []),
    ...(exitCode === undefined
      ? []
      : [markup` <span class="note${exitCode === 0 ? '' : ' bad'}">exit ${exitCode}</span>`]),
  ]
  const output = excerpt.trimEnd()
  const shown = output === '' ? undefined : markup`<pre tabindex="0">${output}</pre>`
  return markup`<li>
    <time datetime="${at}">${at.slice(11, 19)}</time> <span class="kind">${kind}</span>
    <code>${plainLine(title)}</code>${notes}${shown}
  </li>`
}
