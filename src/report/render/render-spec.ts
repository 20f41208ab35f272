import { posix } from 'node:path'
import { markup, type Html } from './html.ts'
import { treeOf, element, startLineOf, text, type Tree, type TreeElement, type TreeNode } from './markdown-tree.ts'
import { renderSection, renderStep } from './render-section.ts'
import type { ReportedStep, SpecRecord, ReportedCheck, AgentRun } from '../records/spec-record.ts'
import { splitSections } from './split-sections.ts'
import { outcomeWords, formatTime } from './outcome-words.ts'
import { formatSpent } from '../../records/agent-usage.ts'
import { renderCalls, renderFiles, renderImages } from './render-evidence.ts'

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

/** Marks list items with what became of the checks that they are. Gives the checks that are marked. */
function markChecks(tree: Tree, checks: readonly ReportedCheck[]): readonly ReportedCheck[] {
  const marked: ReportedCheck[] = []
  const visit = (node: TreeNode): void => {
    if (node.type !== 'element') return
    // A check of a table's section was judged once for each row.
    const [check, ...others] = node.tagName === 'li' ? checks.filter(({ line }) => line === startLineOf(node)) : []
    if (check && others.length === 0) {
      mark(node, check)
      marked.push(check)
    }
    for (const child of node.children) visit(child)
  }
  for (const node of tree.children) visit(node)
  return marked
}

function mark(item: TreeElement, { status, observed, evidence = [] }: ReportedCheck): void {
  const label = element('span', ['label', status ?? 'unknown'], [text(status ? outcomeWords[status] : 'not reported')])
  item.children.unshift(label, text(' '))
  const quotes = evidence.flatMap((each) => (typeof each === 'string' ? [] : [element('q', [], [text(each.quote)])]))
  if (observed === undefined && quotes.length === 0) return
  const said = [text(observed ?? ''), ...quotes.flatMap((quote) => [text(' '), quote])]
  item.children.push(element('span', ['said'], said))
}

/** What an agent did for a scenario apart from its steps: what it used, what it wrote, its files. */
function renderRun(run: AgentRun): Html {
  const { scenario, agent = 'agent', startedAt, attempt = 1, narrative, otherCalls, notes, images, files } = run
  const facts = [
    ...(startedAt === undefined
      ? []
      : [markup`<time datetime="${startedAt}">${startedAt.slice(0, 19).replace('T', ' ')} UTC</time>`]),
    ...(attempt > 1 ? [markup`attempt ${attempt}`] : []),
    ...usedIn(run).map((fact) => markup`${fact}`),
  ]
  return markup`<section class="run">
    <p class="lead"><b>${agent}</b> on “${scenario}”${facts.map((fact) => markup` <span>${fact}</span>`)}</p>
    ${notes.map((note) => markup`<p class="note">${note}</p>`)}
    ${renderCalls(otherCalls, 'Tool calls outside of the steps')}
    ${
      narrative === ''
        ? undefined
        : markup`<details>
            <summary>What the agent wrote</summary>
            <pre tabindex="0">${narrative}</pre>
          </details>`
    }
    ${renderImages(images)} ${renderFiles(files)}
  </section>`
}

function usedIn({ usage }: AgentRun): readonly string[] {
  if (usage === undefined) return []
  const { model, turns, durationMs } = usage
  return [
    ...(model === undefined ? [] : [model]),
    formatSpent(usage),
    ...(turns === undefined ? [] : [`${turns} turns`]),
    formatTime(durationMs),
  ]
}
