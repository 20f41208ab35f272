import { posix } from 'node:path'
import { markup, type Html, type HtmlPart } from './html.ts'
import { markChecks } from './mark-checks.ts'
import { toHtml, treeOf } from './markdown-tree.ts'
import { renderRun } from './render-run.ts'
import { renderStepFacts, renderStepResult } from './render-step.ts'
import { specAnchor, type ReportedCheck, type ReportedStep, type SpecRecord } from './spec-record.ts'
import { levelOf, splitSections, type Section } from './split-sections.ts'

/** Headings of a spec stand below that of the report and its own. */
const levelsAbove = 2

/**
 * A spec as a document, with what became of it. Nothing in it is executed, and nothing of it is loaded from elsewhere.
 *
 * @param toRoot path of the suite root as seen from the folder of the report
 */
export function renderSpec(record: SpecRecord, toRoot: string): Html {
  const { sources, problems, runs } = record
  const shown = new Set<ReportedStep>()
  const documents = sources.map((source) => renderSource(source, { record, toRoot, shown }))
  const rest = record.steps.filter((step) => !shown.has(step))
  return markup`${problems.map(renderProblem)}${documents}${rest.map((step) => renderStep(step, { record }))}${runs.map(renderRun)}`
}

interface SourceContext {
  readonly record: SpecRecord
  readonly toRoot: string
  /** Gets the steps that stand in the document. */
  readonly shown: Set<ReportedStep>
}

function renderSource({ file, text }: SpecRecord['sources'][number], { record, toRoot, shown }: SourceContext): Html {
  const steps = record.steps.filter((step) => step.file === file && step.line !== undefined)
  const tree = treeOf(text, posix.join(toRoot, posix.dirname(file ?? record.spec)))
  if (tree === undefined) return inFile(file, markup`<pre tabindex="0">${text}</pre>`)
  const marked = new Set(
    markChecks(
      tree,
      steps.flatMap(({ checks }) => checks),
    ),
  )
  const sections = splitSections(tree)
  const parts = sections.map((section, index) => {
    const end = sections[index + 1]?.line ?? Number.POSITIVE_INFINITY
    const own = steps.filter(({ line = 0 }) => line >= section.line && line < end)
    for (const step of own) shown.add(step)
    return renderSection(section, { own, record, marked })
  })
  return inFile(file, markup`${parts}`)
}

function inFile(file: string | undefined, content: Html): Html {
  if (file === undefined) return markup`<div class="document">${content}</div>`
  return markup`<div class="document">
    <p class="lead">From <code>${file}</code></p>
    ${content}
  </div>`
}

interface SectionContext {
  /** The steps that begin in it. */
  readonly own: readonly ReportedStep[]
  readonly record: SpecRecord
  /** Checks that are marked where they stand. */
  readonly marked: ReadonlySet<ReportedCheck>
}

function renderSection({ heading, line, content }: Section, { own, record, marked }: SectionContext): Html {
  const step = own.find((one) => one.line === line)
  const level = heading && Math.min(6, levelOf(heading) + levelsAbove)
  const title = heading && toHtml(heading.children)
  const rows = own.filter((one) => one !== step)
  if (step)
    return markup`${renderStep(step, { record, level, title, content: toHtml([...content]), marked })}${rows.map((row) => renderStep(row, { record, marked }))}`
  const head = heading ? headingOf(level, title) : undefined
  return markup`${head}${toHtml([...content])}${rows.map((row) => renderStep(row, { record, level, marked }))}`
}

interface StepContext {
  readonly record: SpecRecord
  readonly level?: number | undefined
  /** Its title as it stands in the document. */
  readonly title?: Html | undefined
  readonly content?: Html
  readonly marked?: ReadonlySet<ReportedCheck>
}

function renderStep(step: ReportedStep, { record, level, title, content, marked }: StepContext): Html {
  const { anchor, outcome, titles, checks } = step
  const address = `${specAnchor(record)}/${anchor}`
  const head = markup`${title ?? titles.at(-1)} ${renderStepFacts(step, encodePath(address))}`
  const listed = checks.filter((check) => !marked?.has(check) && check.status !== undefined)
  return markup`<section class="step ${outcome}" data-step="${anchor}" tabindex="-1">
    ${headingOf(level, head)}${content}${renderStepResult(step, listed)}
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

function headingOf(level: number | undefined, content: HtmlPart): Html {
  switch (level) {
    case 4:
      return markup`<h4>${content}</h4>`
    case 5:
      return markup`<h5>${content}</h5>`
    case 6:
      return markup`<h6>${content}</h6>`
    default:
      return markup`<h3>${content}</h3>`
  }
}

function renderProblem({ message, line }: SpecRecord['problems'][number]): Html {
  const place = line === undefined ? undefined : markup`<span class="place">line ${line}</span>`
  return markup`<div class="reason problem">
    <p>Outside of any step ${place}</p>
    <pre tabindex="0">${message}</pre>
  </div>`
}
