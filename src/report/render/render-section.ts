import { markup, type Html, type HtmlPart } from './html.ts'
import { toHtml } from './markdown-tree.ts'
import { specAnchor, type ReportedCheck, type ReportedStep, type SpecRecord } from '../records/spec-record.ts'
import type { Section } from './split-sections.ts'
import { claimedLabel, formatTime, outcomeLabel, toneOf } from './outcome-words.ts'
import { handsWord } from '../../records/used-hands.ts'
import { sourceWord } from '../../records/step-source.ts'
import { renderCalls, renderFiles, renderImages, renderSaid } from './render-evidence.ts'

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

/** The report and each spec have a heading already. No level is left out, even where the document does so. */
function headingAt(depth: number, content: HtmlPart): Html {
  if (depth <= 0) return markup`<h3>${content}</h3>`
  if (depth === 1) return markup`<h4>${content}</h4>`
  return depth === 2 ? markup`<h5>${content}</h5>` : markup`<h6>${content}</h6>`
}

/** What stands right behind the title of a step. */
function renderStepFacts(step: ReportedStep, address: string): Html {
  const { outcome, assurance, source, hands, durationMs, flaky, rate } = step
  const facts = [
    ...(outcome === 'pass' && assurance && assurance !== 'claimed' ? [assurance] : []),
    ...(hands ? [`hands ${handsWord(hands)}`] : []),
    ...(rate ? [`${rate.passed} of ${rate.runs} runs, ${rate.required} required`] : []),
    ...(flaky ? ['flaky'] : []),
    ...(durationMs > 0 ? [formatTime(durationMs)] : []),
  ]
  const shown = facts.map((fact) => markup` <span>${fact}</span>`)
  const label = toneOf(outcome, assurance) === 'claimed' ? claimedLabel : outcomeLabel(outcome)
  const link = markup`<a class="here" href="#${address}" aria-label="Link to this step">#</a>`
  const badge = source && markup` <span class="source ${source.kind}">${sourceWord(source)}</span>`
  return markup`<span class="facts">${label}${badge}${shown} ${link}</span>`
}

/**
 * What became of a step: why, what the agent said and did.
 *
 * @param listed checks that are not marked in the text of the step
 */
function renderStepResult(step: ReportedStep, listed: readonly ReportedCheck[]): Html | undefined {
  const { source, reasons, expected = [], said, calls, images, files } = step
  const parts = [
    ...reasons.map(renderReason),
    ...(source?.reason
      ? [
          markup`<p class="lead">Handed over to the agent, because the recording did not fit:</p>`,
          renderReason(source.reason),
        ]
      : []),
    ...(source?.refusal ? [markup`<p class="lead">Not recorded:</p>`, renderReason(source.refusal)] : []),
    ...(expected.length > 0 ? [markup`<p class="lead">Failed as expected:</p>`, ...expected.map(renderReason)] : []),
    ...(said ? [renderSaid(said, { outcome: step.outcome, images })] : []),
    ...(listed.length > 0
      ? [
          markup`<ul class="checks">
            ${listed.map((check) => renderCheck(check, step))}
          </ul>`,
        ]
      : []),
    ...renderImages(images),
    ...(files.length > 0 ? [renderFiles(files)] : []),
    ...renderCalls(calls),
  ]
  return parts.length === 0 ? undefined : markup`<div class="result">${parts}</div>`
}

function renderCheck(check: ReportedCheck, { images }: ReportedStep): Html {
  const label =
    check.status === undefined ? markup`<span class="label">not reported</span>` : outcomeLabel(check.status)
  return markup`<li>${label} ${check.text}${renderSaid(check, { outcome: check.status, images })}</li>`
}

function renderReason({ code, message, line, file }: ReportedStep['reasons'][number]): Html {
  const place =
    line === undefined ? undefined : markup` <span class="place">${file ?? 'line'}${file ? ':' : ' '}${line}</span>`
  const [first = '', ...rest] = message.split('\n')
  const more = rest.length === 0 ? undefined : markup`<pre tabindex="0">${rest.map(renderLine)}</pre>`
  return markup`<div class="reason">
    <p><code>${code}</code>${place} ${first}</p>
    ${more}
  </div>`
}

/** Lines of a comparison begin with what became of them. */
function renderLine(line: string): Html {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined
  return kind === undefined ? markup`${line}\n` : markup`<span class="${kind}">${line}</span>\n`
}
