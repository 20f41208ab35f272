import { summarizeOutcomes } from '../../records/outcome.ts'
import { formatSpent } from '../../records/tokens-and-cost.ts'
import { plural } from '../../system/text/wording.ts'
import { failureOf } from '../shown-failure.ts'
import type { Part, Section, ShownSpec, SpecDocument } from '../folder/document.ts'
import type { AgentRun, ReportedCheck, ReportedStep } from '../data/spec-record.ts'
import { toneOf, toneOfAll } from '../outcome-tones.ts'
import { append, element, factList, formatTime, toneLabel, type Child } from './element.ts'
import { callList, fileList, foldedText, imageList, namesFor, saidLines } from './show-evidence.ts'
import { checkLabel, headingAt, stepSection } from './show-step.ts'

export function specContent(spec: ShownSpec): readonly Child[] {
  const { documents, steps, problems, runs } = spec
  const left = new Set<ReportedStep | AgentRun>([...steps, ...runs])
  const shown = documents.map((document) => documentOf(document, spec, left))
  return [
    ...problems.map(problemBox),
    ...shown,
    ...steps.filter((step) => left.has(step)).map((step) => stepSection(step, { spec, depth: 0, marked: new Set() })),
    ...runs.filter((run) => left.has(run)).map((run) => runSection(run, spec)),
  ]
}

function problemBox({ message, line }: ShownSpec['problems'][number]): HTMLElement {
  const place = line === undefined ? undefined : element('span', { class: 'place' }, `line ${line}`)
  return element(
    'div',
    { class: 'failure problem' },
    element('p', {}, 'Outside of any step ', place),
    element('pre', { tabindex: '0' }, message),
  )
}

function documentOf(document: SpecDocument, spec: ShownSpec, left: Set<ReportedStep | AgentRun>): HTMLElement {
  const { file, sections } = document
  const steps = spec.steps.filter((step) => step.file === file && step.line !== undefined)
  const scenarios = file === undefined ? (spec.scenarios ?? []) : []
  const parts = sections.map((section, index) => {
    const end = sections[index + 1]?.line ?? Number.POSITIVE_INFINITY
    const isHere = ({ line = 0 }: { readonly line?: number }): boolean => line >= section.line && line < end
    const own = steps.filter(isHere)
    const begun = scenarios.find(isHere)
    // The work of the agent on a scenario is shown after the last section of the scenario.
    const ended = scenarios.filter((one, place) => {
      const next = scenarios[place + 1]?.line ?? Number.POSITIVE_INFINITY
      return one.line < end && section.line < next && next <= end
    })
    const runs = ended.flatMap(({ ordinal }) => spec.runs.filter((run) => run.ordinal === ordinal))
    for (const one of [...own, ...runs]) left.delete(one)
    const facts = begun && !own.some(({ line }) => line === begun.line) ? scenarioFacts(begun.ordinal, spec) : undefined
    return [sectionParts(section, { own, steps, spec, facts }), ...runs.map((run) => runSection(run, spec))]
  })
  const name = file === undefined ? undefined : element('p', { class: 'lead' }, 'From ', element('code', {}, file))
  return element('div', { class: 'document' }, name, parts)
}

function scenarioFacts(ordinal: number, { steps }: ShownSpec): Child {
  // `2/1-pay` is a step of the second scenario, `1-pay` of the first.
  const own = steps.filter(({ anchor }) => Number(/^(\d+)\//.exec(anchor)?.[1] ?? 1) === ordinal)
  if (own.length === 0) return undefined
  const told = own.map((step) => ({ outcome: step.outcome, tone: toneOf(step) }))
  const tone = toneOfAll(summarizeOutcomes(told.map(({ outcome }) => outcome)), told)
  const durationMs = own.reduce((sum, step) => sum + step.durationMs, 0)
  return factList(toneLabel(tone), plural(own.length, 'step'), formatTime(durationMs))
}

interface SectionContext {
  readonly own: readonly ReportedStep[]
  readonly steps: readonly ReportedStep[]
  readonly spec: ShownSpec
  readonly facts: Child
}

function sectionParts(section: Section, { own, steps, spec, facts }: SectionContext): readonly Child[] {
  const { heading, depth, line, parts } = section
  const marked = new Set<ReportedCheck>()
  const content = parts.map((part) => drawn(part, steps, marked))
  const title = heading?.map((part) => drawn(part, [], marked))
  const step = own.find((one) => one.line === line)
  const rows = own
    .filter((one) => one !== step)
    .map((row) => stepSection(row, { spec, depth: heading ? depth + 1 : depth, marked }))
  if (step) return [stepSection(step, { spec, depth, title, content, marked }), ...rows]
  return [title && headingAt(depth, title, facts && ' ', facts), content, ...rows]
}

function drawn(part: Part, steps: readonly ReportedStep[], marked: Set<ReportedCheck>): Node {
  if (typeof part === 'string') return document.createTextNode(part)
  const { tag, line, attributes, parts } = part
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes ?? {})) made.setAttribute(name, value)
  made.append(...parts.map((inner) => drawn(inner, steps, marked)))
  if (line === undefined) return made
  const found = steps.flatMap((step) =>
    step.checks.filter((check) => check.line === line).map((check) => ({ step, check })),
  )
  const [one, ...others] = found
  // In a table, each check is judged once per row, so there is not just one result to show.
  if (one === undefined || others.length > 0) return made
  const { step, check } = one
  marked.add(check)
  made.prepend(checkLabel(check), ' ')
  append(made, saidLines(check, { outcome: check.status, images: step.images, told: [failureOf(step).seen] }))
  return made
}

function runSection(run: AgentRun, { steps, baseUrl, scenarios = [] }: ShownSpec): HTMLElement {
  const { scenario, ordinal, agent = 'agent', startedAt, attempt = 1, usage, narrative, lastWords, notes } = run
  const nameOf = namesFor(steps)
  const started = startedAt?.slice(0, 19).replace('T', ' ')
  const subject = ordinal !== undefined && scenarios.length > 0 ? '' : ` on “${scenario}”`
  return element(
    'section',
    { class: 'run' },
    element('p', {}, element('b', {}, agent), `${subject} `),
    factList(
      startedAt === undefined ? undefined : element('time', { datetime: startedAt }, `${started} UTC`),
      attempt > 1 ? `attempt ${attempt}` : undefined,
      usage?.model,
      usage && formatSpent(usage),
      usage?.turns === undefined ? undefined : `${usage.turns} turns`,
      usage && formatTime(usage.durationMs),
      baseUrl ? `on ${baseUrl}` : undefined,
    ),
    ...notes.map((note) => element('p', { class: 'note' }, note)),
    lastWords === undefined ? undefined : element('p', { class: 'said' }, element('b', {}, 'It said'), ' ', lastWords),
    callList(run.otherCalls, 'Tool calls outside of the steps'),
    foldedText('What the agent wrote', narrative),
    imageList(run.images, nameOf),
    fileList(run.files, nameOf),
  )
}
