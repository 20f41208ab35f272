import { posix } from 'node:path'
import type { Outcome } from '../../records/outcome.ts'
import { markup, type Html } from './html.ts'
import { outcomeWords } from './outcome-words.ts'
import type { ReportedCheck, ReportedStep } from '../records/spec-record.ts'

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
