import { posix } from 'node:path'
import { markup, type Html } from './html.ts'
import { markChecks } from './mark-checks.ts'
import { treeOf } from './markdown-tree.ts'
import { renderRun } from './render-run.ts'
import { renderSection, renderStep } from './render-section.ts'
import type { ReportedStep, SpecRecord } from '../records/spec-record.ts'
import { splitSections } from './split-sections.ts'

/**
 * A spec as a document, with what became of it. Nothing in it is executed, and nothing of it is loaded from elsewhere.
 *
 * @param toRoot path of the suite root as seen from the folder of the report
 */
export function renderSpec(record: SpecRecord, toRoot: string): Html {
  const { sources, steps, problems, runs } = record
  const shown = new Set<ReportedStep>()
  const documents = sources.map((source) => renderSource(source, { record, toRoot, shown }))
  const rest = steps.filter((step) => !shown.has(step)).map((step) => renderStep(step, { record, depth: 0 }))
  return markup`${problems.map(renderProblem)}${documents}${rest}${runs.map(renderRun)}`
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
  const checks = steps.flatMap((step) => step.checks)
  const marked = new Set(markChecks(tree, checks))
  // The title of the spec stands above it already.
  const isTold = (title: string, line: number): boolean =>
    title === record.title && !steps.some((step) => step.line === line)
  const sections = splitSections(tree, isTold)
  const parts = sections.map((section, index) => {
    const end = sections[index + 1]?.line ?? Number.POSITIVE_INFINITY
    const own = steps.filter(({ line = 0 }) => line >= section.line && line < end)
    for (const step of own) shown.add(step)
    return renderSection(section, { own, record, marked })
  })
  return inFile(file, markup`${parts}`)
}

function inFile(file: string | undefined, content: Html): Html {
  const name = file === undefined ? undefined : markup`<p class="lead">From <code>${file}</code></p>`
  return markup`<div class="document">${name}${content}</div>`
}

function renderProblem({ message, line }: SpecRecord['problems'][number]): Html {
  const place = line === undefined ? undefined : markup`<span class="place">line ${line}</span>`
  return markup`<div class="reason problem">
    <p>Outside of any step ${place}</p>
    <pre tabindex="0">${message}</pre>
  </div>`
}
