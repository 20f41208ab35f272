import { posix } from 'node:path'
import { markup, type Html } from './html.ts'
import { treeOf, element, startLineOf, text, type Tree, type TreeElement, type TreeNode } from './markdown-tree.ts'
import { renderSection, renderStep } from './render-section.ts'
import type { ReportedStep, SpecRecord, ReportedCheck, AgentRun } from '../records/spec-record.ts'
import { isTextSpec } from '../../system/spec-endings.ts'
import { splitSections } from './split-sections.ts'
import { formatTime, toneLabel } from './outcome-words.ts'
import { outcomeWords, toneOf, type Tone } from '../tones.ts'
import { formatSpent } from '../../records/agent-usage.ts'
import { summarizeOutcomes } from '../../verdict/verdict.ts'
import { withoutMarks } from './browser-text.ts'
import { failureOf, isToldBy } from './failure-of.ts'
import { namesFor, renderCalls, renderFiles, renderImages } from './render-evidence.ts'
import { plural } from '../../system/text/wording.ts'

/**
 * A spec as a document, with what became of it. Nothing in it is executed, and nothing of it is loaded from elsewhere.
 *
 * @param toRoot path of the suite root as seen from the folder of the report
 */
export function renderSpec(record: SpecRecord, toRoot: string): Html {
  const { sources, steps, problems, runs } = record
  const shown = new Set<ReportedStep | AgentRun>()
  const documents = sources.map((source) => renderSource(source, { record, toRoot, shown }))
  const rest = steps.filter((step) => !shown.has(step)).map((step) => renderStep(step, { record, depth: 0 }))
  const others = runs.filter((run) => !shown.has(run)).map((run) => renderRun(run, record))
  return markup`${problems.map(renderProblem)}${documents}${rest}${others}`
}

interface SourceContext {
  readonly record: SpecRecord
  readonly toRoot: string
  /** Gets the steps and runs that stand in the document. */
  readonly shown: Set<ReportedStep | AgentRun>
}

function renderSource({ file, text }: SpecRecord['sources'][number], { record, toRoot, shown }: SourceContext): Html {
  const steps = record.steps.filter((step) => step.file === file && step.line !== undefined)
  const path = file ?? record.spec
  const tree = isTextSpec(path) ? treeOfText(text, steps) : treeOf(text, posix.join(toRoot, posix.dirname(path)))
  if (tree === undefined) return inFile(file, markup`<pre tabindex="0">${text}</pre>`)
  const marked = new Set(markChecks(tree, steps))
  // The title of the spec stands above it already.
  const isTold = (title: string, line: number): boolean =>
    title === record.title && !steps.some((step) => step.line === line)
  const sections = splitSections(tree, isTold)
  const scenarios = file === undefined ? (record.scenarios ?? []) : []
  const parts = sections.map((section, index) => {
    const end = sections[index + 1]?.line ?? Number.POSITIVE_INFINITY
    const isHere = ({ line = 0 }: { readonly line?: number }): boolean => line >= section.line && line < end
    const own = steps.filter(isHere)
    for (const step of own) shown.add(step)
    const begun = scenarios.find(isHere)
    // What an agent did for a scenario stands below its last section.
    const ended = scenarios.filter((one, place) => {
      const next = scenarios[place + 1]?.line ?? Number.POSITIVE_INFINITY
      return one.line < end && section.line < next && next <= end
    })
    const runs = ended.flatMap(({ ordinal }) => record.runs.filter((run) => run.ordinal === ordinal))
    for (const run of runs) shown.add(run)
    const facts =
      begun && !own.some(({ line }) => line === begun.line) ? scenarioFacts(begun.ordinal, record) : undefined
    return markup`${renderSection(section, { own, record, marked, facts })}${runs.map((run) => renderRun(run, record))}`
  })
  return inFile(file, markup`${parts}`)
}

/** What became of one of several scenarios, behind its title; nothing where none of its steps is known. */
function scenarioFacts(ordinal: number, { steps }: SpecRecord): Html | undefined {
  const own = steps.filter(({ anchor }) => ordinalOf(anchor) === ordinal)
  if (own.length === 0) return undefined
  const outcome = summarizeOutcomes(own.map((step) => step.outcome))
  const label = toneLabel(
    outcome === 'pass' ? weakest(own.map((step) => toneOf(step.outcome, step.assurance, step.expected))) : outcome,
  )
  const durationMs = own.reduce((sum, step) => sum + step.durationMs, 0)
  return markup`<span class="facts">${label} <span>${plural(own.length, 'step')}</span> <span>${formatTime(durationMs)}</span></span>`
}

/** What passed is worth what the least of it is. */
function weakest(tones: readonly Tone[]): Tone {
  return (['expected', 'claimed'] as const).find((tone) => tones.includes(tone)) ?? 'pass' // tones
}

/** `2/1-pay` → 2, `1-pay` → 1 */
function ordinalOf(anchor: string): number {
  return Number(/^(\d+)\//.exec(anchor)?.[1] ?? 1)
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
function markChecks(tree: Tree, steps: readonly ReportedStep[]): readonly ReportedCheck[] {
  const checks = steps.flatMap((step) => step.checks)
  const seen = new Map(steps.flatMap((step) => step.checks.map((check) => [check, failureOf(step).seen] as const))) // pairs
  const marked: ReportedCheck[] = []
  const visit = (node: TreeNode): void => {
    if (node.type !== 'element') return
    // A check of a table's section was judged once for each row.
    const [check, ...others] = node.tagName === 'li' ? checks.filter(({ line }) => line === startLineOf(node)) : []
    if (check && others.length === 0) {
      mark(node, check, seen.get(check))
      marked.push(check)
    }
    for (const child of node.children) visit(child)
  }
  for (const node of tree.children) visit(node)
  return marked
}

/** @param told what stands above it already */
function mark(item: TreeElement, { status, observed, evidence = [] }: ReportedCheck, told: string | undefined): void {
  const label = element('span', ['label', status ?? 'unknown'], [text(status ? outcomeWords[status] : 'not reported')])
  item.children.unshift(label, text(' '))
  const quotes = evidence.flatMap((each) =>
    typeof each === 'string' ? [] : [element('q', [], [text(withoutMarks(each.quote))])],
  )
  const words = isToldBy(observed, told) ? '' : withoutMarks(observed ?? '')
  if (words === '' && quotes.length === 0) return
  const said = [text(words), ...quotes.flatMap((quote) => [text(' '), quote])]
  item.children.push(element('span', ['said'], said))
}

/** What an agent did for a scenario apart from its steps: what it used, what it wrote, its files. */
function renderRun(run: AgentRun, { steps, baseUrl, scenarios = [] }: SpecRecord): Html {
  const { scenario, ordinal, agent = 'agent', startedAt, attempt = 1, narrative, lastWords, otherCalls, notes } = run
  const nameOf = namesFor(steps)
  const facts = [
    ...(startedAt === undefined
      ? []
      : [markup`<time datetime="${startedAt}">${startedAt.slice(0, 19).replace('T', ' ')} UTC</time>`]),
    ...(attempt > 1 ? [markup`attempt ${attempt}`] : []),
    ...usedIn(run).map((fact) => markup`${fact}`),
    ...(baseUrl ? [markup`on ${baseUrl}`] : []),
  ]
  // Below its scenario its title is not needed.
  const subject = ordinal !== undefined && scenarios.length > 0 ? '' : ` on “${scenario}”`
  return markup`<section class="run">
    <p class="lead"><b>${agent}</b>${subject}${facts.map((fact) => markup` <span>${fact}</span>`)}</p>
    ${notes.map((note) => markup`<p class="note">${note}</p>`)}
    ${lastWords === undefined ? undefined : markup`<p class="said"><b>It said</b> ${lastWords}</p>`}
    ${renderCalls(otherCalls, 'Tool calls outside of the steps')}
    ${
      narrative === ''
        ? undefined
        : markup`<details>
            <summary>What the agent wrote</summary>
            <pre tabindex="0">${narrative}</pre>
          </details>`
    }
    ${renderImages(run.images, nameOf)} ${renderFiles(run.files, nameOf)}
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

interface TitledLine {
  readonly line?: number
  /** The last one is its own. */
  readonly titles: readonly string[]
}

/** A spec that is no markdown as a tree: its lines as they are, and a heading at the line of each step. */
function treeOfText(source: string, steps: readonly TitledLine[]): Tree {
  const lines = source.split(/\r\n|\r|\n/)
  const headings = new Map(steps.map(({ line = 1, titles }) => [line, titles.at(-1) ?? '']))
  const places = [...headings.keys()].toSorted((one, other) => one - other)
  const parts = places.map((line, index) => [
    at(line, element('h2', [], [text(headings.get(line) ?? '')])),
    ...codeOf(lines.slice(line, (places[index + 1] ?? Number.POSITIVE_INFINITY) - 1)),
  ])
  return {
    type: 'root',
    children: [...codeOf(lines.slice(0, (places[0] ?? Number.POSITIVE_INFINITY) - 1)), ...parts.flat()],
  }
}

/** Without the blank lines around it; nothing where there is no other. */
function codeOf(lines: readonly string[]): readonly TreeElement[] {
  const code = lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (code === '') return []
  const block = element('pre', [], [element('code', [], [text(code)])])
  block.properties.tabIndex = 0
  return [element('div', ['block'], [block])]
}

function at(line: number, node: TreeElement): TreeElement {
  const point = { line, column: 1 }
  return { ...node, position: { start: point, end: point } }
}
