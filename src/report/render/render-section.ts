import { markup, type Html, type HtmlPart } from './html.ts'
import { toHtml } from './markdown-tree.ts'
import { renderStepFacts, renderStepResult } from './render-step.ts'
import { specAnchor, type ReportedCheck, type ReportedStep, type SpecRecord } from '../records/spec-record.ts'
import type { Section } from './split-sections.ts'

interface SectionContext {
  /** The steps that begin in it. */
  readonly own: readonly ReportedStep[]
  readonly record: SpecRecord
  /** Checks that are marked where they stand. */
  readonly marked: ReadonlySet<ReportedCheck>
}

/** A part of a document: a step with what became of it, or text with the steps of its table behind it. */
export function renderSection(
  { heading, depth, line, content }: Section,
  { own, record, marked }: SectionContext,
): Html {
  const step = own.find((one) => one.line === line)
  const title = heading && toHtml(heading.children)
  const text = toHtml([...content])
  const rows = own
    .filter((one) => one !== step)
    .map((row) => renderStep(row, { record, depth: heading ? depth + 1 : depth, marked }))
  if (step) return markup`${renderStep(step, { record, depth, title, content: text, marked })}${rows}`
  return markup`${title && headingAt(depth, title)}${text}${rows}`
}

interface StepContext {
  readonly record: SpecRecord
  /** How many headings it stands below. */
  readonly depth: number
  /** Its title as it stands in the document. */
  readonly title?: Html | undefined
  readonly content?: Html
  readonly marked?: ReadonlySet<ReportedCheck>
}

/** A step with what became of it. */
export function renderStep(step: ReportedStep, { record, depth, title, content, marked }: StepContext): Html {
  const { anchor, outcome, titles, checks } = step
  const address = encodePath(`${specAnchor(record)}/${anchor}`)
  const head = markup`${title ?? titles.at(-1)} ${renderStepFacts(step, address)}`
  const listed = checks.filter((check) => !marked?.has(check) && check.status !== undefined)
  return markup`<section class="step ${outcome}" data-step="${anchor}" tabindex="-1">
    ${headingAt(depth, head)}${content}${renderStepResult(step, listed)}
  </section>`
}

/** Halves of surrogate pairs cannot be part of an address. */
function encodePath(path: string): string {
  return path
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
}

/** The report and each spec have a heading already. No level is left out, whatever the document does. */
function headingAt(depth: number, content: HtmlPart): Html {
  if (depth <= 0) return markup`<h3>${content}</h3>`
  if (depth === 1) return markup`<h4>${content}</h4>`
  return depth === 2 ? markup`<h5>${content}</h5>` : markup`<h6>${content}</h6>`
}
