import { inlineCode, markup, type Html, type HtmlPart } from './html.ts'
import { toHtml } from './markdown-tree.ts'
import { specAnchor, type ReportedCheck, type ReportedStep, type SpecRecord } from '../records/spec-record.ts'
import type { Section } from './split-sections.ts'
import { formatTime, outcomeLabel, toneLabel } from './outcome-words.ts'
import { toneOf } from '../tones.ts'
import { executorWord } from '../../records/used-executor.ts'
import { sourceWord } from '../../records/step-source.ts'
import { withoutMarks } from './browser-text.ts'
import { failureOf, isToldBy, type Failure } from './failure-of.ts'
import { namesFor, renderCalls, renderFiles, renderFindings, renderImages, renderSaid } from './render-evidence.ts'

interface SectionContext {
  /** The steps that begin in it. */
  readonly own: readonly ReportedStep[]
  readonly record: SpecRecord
  /** Checks that are marked where they stand. */
  readonly marked: ReadonlySet<ReportedCheck>
  /** What stands behind its heading, where that is no step. */
  readonly facts?: Html | undefined
}

/** A part of a document: a step with what became of it, or text with the steps of its table behind it. */
export function renderSection(
  { heading, depth, line, content }: Section,
  { own, record, marked, facts }: SectionContext,
): Html {
  const step = own.find((one) => one.line === line)
  const title = heading && toHtml(heading.children)
  const text = toHtml([...content])
  const rows = own
    .filter((one) => one !== step)
    .map((row) => renderStep(row, { record, depth: heading ? depth + 1 : depth, marked }))
  if (step) return markup`${renderStep(step, { record, depth, title, content: text, marked })}${rows}`
  return markup`${title && headingAt(depth, facts ? markup`${title} ${facts}` : title)}${text}${rows}`
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
  const { anchor, outcome, assurance, expected, titles, checks } = step
  const address = encodePath(`${specAnchor(record)}/${anchor}`)
  const head = markup`${title ?? titles.at(-1)} ${renderStepFacts(step, address)}`
  const failure = failureOf(step)
  const listed = checks.filter((check) => !marked?.has(check) && check.status !== undefined)
  const images = renderImages(step.images, namesFor([step]))
  return markup`<section class="step ${toneOf(outcome, assurance, expected)}" data-step="${anchor}" tabindex="-1">
    ${headingAt(depth, head)}
    <div class="account">${renderFailure(failure)}${content}${renderStepResult(step, { listed, failure })}</div>
    ${images}${renderTrail(step)}
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
  const { outcome, assurance, expected, source, executor, durationMs, flaky, rate, change } = step
  const tone = toneOf(outcome, assurance, expected)
  const facts = [
    ...(change === undefined ? [] : [`${tone === 'pass' || tone === 'claimed' ? 'early, ' : ''}change ${change}`]),
    ...(executor ? [`executor ${executorWord(executor)}`] : []),
    ...(rate ? [`${rate.passed} of ${rate.runs} runs, ${rate.required} required`] : []),
    ...(flaky ? ['flaky'] : []),
    ...(durationMs > 0 ? [formatTime(durationMs)] : []),
  ]
  const shown = facts.map((fact) => markup` <span>${fact}</span>`)
  const link = markup`<a class="here" href="#${address}" aria-label="Link to this step">#</a>`
  const badge = source && markup` <span class="source ${source.kind}">${sourceWord(source)}</span>`
  const backed =
    tone === 'pass' && assurance ? markup` <span class="assurance ${assurance}">${assurance}</span>` : undefined
  return markup`<span class="facts">${toneLabel(tone)}${backed}${badge}${shown} ${link}</span>`
}

/** Why it did not pass: what was seen first, then what says more, then the codes of what says the same. */
function renderFailure({ seen, told, repeated }: Failure): Html | undefined {
  if (seen === undefined && told.length + repeated.length === 0) return undefined
  const codes = repeated.map((reason) => markup`<span><code>${reason.code}</code>${renderPlace(reason)}</span> `)
  return markup`<div class="result failure">
    ${seen === undefined ? undefined : markup`<p class="seen">${withoutMarks(seen)}</p>`}
    ${told.map(renderReason)}
    ${codes.length === 0 ? undefined : markup`<p class="codes">${codes}</p>`}
  </div>`
}

interface ResultContext {
  /** Checks that are not marked in the text of the step. */
  readonly listed: readonly ReportedCheck[]
  readonly failure: Failure
}

/** What became of a step besides why it failed: what the agent and the browser said and did. */
function renderStepResult(step: ReportedStep, { listed, failure }: ResultContext): Html | undefined {
  const { source, outcome, expected = [], said, images, findings, checks } = step
  const above = [failure.seen, ...checks.map(({ observed }) => observed)]
  const quoted = checks.flatMap(({ evidence = [] }) =>
    evidence.map((each) => (typeof each === 'string' ? each : each.quote)),
  )
  const isTold = (words: string): boolean => [...above, ...quoted].some((one) => isToldBy(words, one))
  const parts = [
    ...(source?.reason
      ? [
          markup`<p class="lead">Handed over to the agent, because the recording did not fit:</p>`,
          renderReason(source.reason),
        ]
      : []),
    ...(expected.length > 0 ? [markup`<p class="lead">What failed:</p>`, ...expected.map(renderReason)] : []),
    ...(listed.length > 0
      ? [
          markup`<ul class="checks">
            ${listed.map((check) => renderCheck(check, { step, failure }))}
          </ul>`,
        ]
      : []),
    ...(said ? [renderSaid(said, { outcome, images, isTold })] : []),
    ...renderFindings(findings, outcome === 'fail' || outcome === 'blocked'),
  ]
  return parts.length === 0 ? undefined : markup`<div class="result">${parts}</div>`
}

/** What was kept of it, to be looked up. */
function renderTrail(step: ReportedStep): Html | undefined {
  const { files, calls } = step
  if (files.length + calls.length === 0) return undefined
  return markup`<div class="result trail">${renderFiles(files, namesFor([step]))}${renderCalls(calls)}</div>`
}

interface CheckContext extends Pick<ResultContext, 'failure'> {
  readonly step: ReportedStep
}

function renderCheck(check: ReportedCheck, { step: { images }, failure: { seen } }: CheckContext): Html {
  const label =
    check.status === undefined ? markup`<span class="label">not reported</span>` : outcomeLabel(check.status)
  return markup`<li>${label} ${check.text}${renderSaid(check, { outcome: check.status, images, isTold: (words) => isToldBy(words, seen) })}</li>`
}

function renderReason(reason: ReportedReason): Html {
  const [first = '', ...rest] = withoutMarks(reason.message).split('\n')
  const more = rest.length === 0 ? undefined : markup`<pre tabindex="0">${rest.map(renderLine)}</pre>`
  return markup`<div class="reason">
    <p>${inlineCode(first)} <code>${reason.code}</code>${renderPlace(reason)}</p>
    ${more}
  </div>`
}

type ReportedReason = ReportedStep['reasons'][number]

function renderPlace({ line, file }: ReportedReason): Html | undefined {
  if (line === undefined) return undefined
  return markup` <span class="place">${file ?? 'line'}${file ? ':' : ' '}${line}</span>`
}

/** A line of a comparison: what was expected is green and what was received red, as in Vitest. */
function renderLine(line: string): Html {
  const kind = line.startsWith('-') ? 'diff-expected' : line.startsWith('+') ? 'diff-received' : undefined
  return kind === undefined ? markup`${line}\n` : markup`<span class="${kind}">${line}</span>\n`
}
