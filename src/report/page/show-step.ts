import { sourceWord } from '../../records/step-source.ts'
import { executorWord } from '../../records/used-executor.ts'
import { failureOf, withoutMarks, type Failure, type ReportedReason } from '../shown-failure.ts'
import { specAnchor, type ReportedCheck, type ReportedStep, type SpecRecord } from '../data/spec-record.ts'
import { toneOf } from '../outcome-tones.ts'
import { addressOf, element, factList, formatTime, separated, toneLabel, type Child } from './element.ts'
import { callList, fileList, findingList, imageList, namesFor, saidLines } from './show-evidence.ts'

interface StepContext {
  readonly spec: Pick<SpecRecord, 'spec' | 'project'>
  readonly depth: number
  readonly title?: Child
  readonly content?: Child
  readonly marked: ReadonlySet<ReportedCheck>
}

export function stepSection(step: ReportedStep, { spec, depth, title, content, marked }: StepContext): HTMLElement {
  const { anchor, titles, checks, outcome, source, expected = [], said, images, findings, files, calls } = step
  const failure = failureOf(step)
  const listed = checks.filter((check) => !marked.has(check) && check.status !== undefined)
  const told = [failure.seen, ...checks.flatMap(({ observed, evidence = [] }) => [observed, ...evidence.map(quoteOf)])]
  const nameOf = namesFor([step])
  return element(
    'section',
    { class: `step ${toneOf(step)}`, 'data-step': anchor, tabindex: '-1' },
    headingAt(depth, title ?? titles.at(-1), ' ', stepFacts(step, addressOf(`${specAnchor(spec)}/${anchor}`))),
    element(
      'div',
      { class: 'account' },
      failureBox(failure),
      content,
      source?.reason && reasonsBelow('Handed over to the agent, because the recording did not fit:', [source.reason]),
      expected.length > 0 && reasonsBelow('What failed:', expected),
      listed.length > 0 && element('ul', { class: 'checks' }, ...listed.map((one) => checkItem(one, step, failure))),
      said && saidLines(said, { outcome, images, told }),
      findingList(findings, outcome === 'fail' || outcome === 'blocked'),
    ),
    imageList(images, nameOf),
    files.length + calls.length > 0 && element('div', { class: 'trail' }, fileList(files, nameOf), callList(calls)),
  )
}

function quoteOf(evidence: NonNullable<ReportedCheck['evidence']>[number]): string {
  return typeof evidence === 'string' ? evidence : evidence.quote
}

/** Headings begin with h3, because report and spec have h1 and h2. A document may skip levels; the page does not. */
export function headingAt(depth: number, ...content: readonly Child[]): HTMLElement {
  const levels = ['h3', 'h4', 'h5'] as const
  return element(levels[Math.max(0, depth)] ?? 'h6', {}, ...content)
}

function stepFacts(step: ReportedStep, address: string): HTMLElement {
  const { assurance, source, executor, durationMs, flaky, rate, change } = step
  const tone = toneOf(step)
  return factList(
    toneLabel(tone),
    tone === 'pass' && assurance ? element('span', { class: `assurance ${assurance}` }, assurance) : undefined,
    source && element('span', { class: `source ${source.kind}` }, sourceWord(source)),
    change === undefined ? undefined : `${tone === 'pass' || tone === 'claimed' ? 'early, ' : ''}change ${change}`,
    executor && `executor ${executorWord(executor)}`,
    rate && `${rate.passed} of ${rate.runs} runs, ${rate.required} required`,
    flaky && 'flaky',
    durationMs > 0 ? formatTime(durationMs) : undefined,
    element('a', { class: 'here', href: address, 'aria-label': 'Link to this step' }, '#'),
  )
}

function failureBox({ seen, told, repeated }: Failure): Child {
  if (seen === undefined && told.length + repeated.length === 0) return undefined
  const codes = repeated.map((reason) => element('span', {}, element('code', {}, reason.code), showPlace(reason)))
  return element(
    'div',
    { class: 'failure' },
    seen === undefined ? undefined : element('p', { class: 'seen' }, withoutMarks(seen)),
    ...told.map(reasonBlock),
    codes.length === 0 ? undefined : element('p', { class: 'codes' }, separated(codes)),
  )
}

function checkItem(check: ReportedCheck, { images }: ReportedStep, failure: Failure): HTMLElement {
  const said = saidLines(check, { outcome: check.status, images, told: [failure.seen] })
  return element('li', {}, checkLabel(check), ' ', check.text, said)
}

export function checkLabel({ status }: Pick<ReportedCheck, 'status'>): HTMLElement {
  return status === undefined ? toneLabel('skipped', 'not reported') : toneLabel(status)
}

function reasonsBelow(lead: string, reasons: readonly ReportedReason[]): readonly Child[] {
  return [element('p', { class: 'lead' }, lead), ...reasons.map(reasonBlock)]
}

function reasonBlock(reason: ReportedReason): HTMLElement {
  const [first = '', ...rest] = withoutMarks(reason.message).split('\n')
  return element(
    'div',
    { class: 'reason' },
    element('p', {}, inlineCode(first), ' ', element('code', {}, reason.code), showPlace(reason)),
    rest.length === 0 ? undefined : element('pre', { tabindex: '0' }, ...rest.map(comparisonLine)),
  )
}

function inlineCode(text: string): readonly Child[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)))
}

function showPlace({ line, file }: ReportedReason): readonly Child[] {
  if (line === undefined) return []
  return [' ', element('span', { class: 'place' }, file ? `${file}:${line}` : `line ${line}`)]
}

function comparisonLine(line: string): readonly Child[] {
  const kind = line.startsWith('-') ? 'diff-expected' : line.startsWith('+') ? 'diff-received' : undefined
  return [kind === undefined ? line : element('span', { class: kind }, line), '\n']
}
