import { counted } from '../system/text/wording.ts'
import type { PhrasingContent } from 'mdast'
import { formatCost } from '../records/tokens-and-cost.ts'
import { assurances, type Assurance, type Outcome } from '../records/outcome.ts'
import { countSources, describeSources, type StepSource } from '../records/step-source.ts'
import { marks, outcomeWords } from './job-results.ts'
import { inCode, linkToLine, markdownOf, words, type Repository } from './outside-text.ts'

export interface SummaryReason {
  readonly code: string | undefined
  readonly message: string
  /** Relative to the root, with slashes. */
  readonly file: string
  readonly line: number | undefined
}

export interface SummarizedSpec {
  /** Relative to the root, with slashes. */
  readonly file: string
  readonly outcome: Outcome
  /** Assurance of each passed step. */
  readonly assurances: readonly Assurance[]
  /** Number of steps that failed as expected. */
  readonly expected?: number
  /** How each step for an agent was carried out. Skipped steps are left out. */
  readonly sources: readonly StepSource[]
  readonly reasons: readonly SummaryReason[]
  /** Cost of all tries; `undefined` if no agent reported a cost. */
  readonly costUsd?: number
  readonly durationMs: number
}

/** Returns the URL of a line, if it has one. `file` is relative to the root. */
export type LinkTo = (file: string, line: number) => string | undefined

const worstFirst: readonly Outcome[] = ['fail', 'blocked', 'skipped', 'pass']
/** GitHub drops a summary of more than 1 MiB completely, so limit its rows. */
const maxRows = 500
const maxReasons = 3

/** Formats a markdown table of the specs, worst first. Untrusted text is put into code spans. */
export function formatStepSummary(specs: readonly SummarizedSpec[], linkTo: LinkTo): string {
  const sorted = worstFirst.flatMap((outcome) =>
    specs.filter((spec) => spec.outcome === outcome).toSorted((one, other) => (one.file < other.file ? -1 : 1)),
  )
  const sources = describeSources(countSources(specs.flatMap((spec) => spec.sources)))
  const rest = sorted.length - maxRows
  const head = ['spec', 'outcome', 'assurance', 'reason', 'cost', 'duration'].map((title) => [words(title)])
  const rows = [head, ...sorted.slice(0, maxRows).map((spec) => cellsOf(spec, linkTo))]
  const table = markdownOf({
    type: 'table',
    align: [null, null, null, null, 'right', 'right'],
    children: rows.map((cells) => ({
      type: 'tableRow',
      children: cells.map((children) => ({ type: 'tableCell', children: [...children] })),
    })),
  })
  const lines = [
    ...['', '## Specs', '', totals(specs), ''],
    ...(sources === undefined ? [] : [`steps: ${sources}`, '']),
    ...[table.trimEnd(), ...(rest > 0 ? ['', `${rest} more are not shown.`] : []), ''],
  ]
  return lines.join('\n')
}

function totals(specs: readonly SummarizedSpec[]): string {
  const counts = worstFirst.toReversed().flatMap((outcome) => {
    const all = specs.filter((spec) => spec.outcome === outcome)
    const claimed = all.filter(isClaimed).length
    return [...counted(all.length - claimed, outcomeWords[outcome]), ...counted(claimed, 'claimed')]
  })
  const costs = specs.flatMap(({ costUsd }) => costUsd ?? [])
  return [...counts, ...(costs.length > 0 ? [formatCost(costs.reduce((sum, one) => sum + one, 0))] : [])].join(', ')
}

function isClaimed({ outcome, assurances: found }: SummarizedSpec): boolean {
  return outcome === 'pass' && found.includes('claimed')
}

function cellsOf(spec: SummarizedSpec, linkTo: LinkTo): readonly (readonly PhrasingContent[])[] {
  const { file, outcome, reasons, costUsd, durationMs } = spec
  const shown = reasons.slice(0, maxReasons).map((reason) => reasonParts(reason, linkTo))
  const rest = reasons.length - maxReasons
  const told = [...shown, ...(rest > 0 ? [[words(`and ${rest} more`)]] : [])]
  const lineEnd: PhrasingContent = { type: 'html', value: '<br>' }
  return [
    [inCode(file)],
    [words(isClaimed(spec) ? '❔ claimed' : `${marks[outcome]} ${outcomeWords[outcome]}`)],
    [words(formatAssurances(spec))],
    told.flatMap((parts, index) => (index === 0 ? parts : [lineEnd, ...parts])),
    [words(costUsd === undefined ? '' : formatCost(costUsd))],
    [words(`${(durationMs / 1000).toFixed(1)} s`)],
  ]
}

function formatAssurances({ assurances: found, expected = 0 }: SummarizedSpec): string {
  const backed = assurances
    .toReversed()
    .flatMap((assurance) => counted(found.filter((one) => one === assurance).length, assurance))
  return [...backed, ...counted(expected, 'failed as expected')].join(', ')
}

function reasonParts({ code, message, file, line }: SummaryReason, linkTo: LinkTo): readonly PhrasingContent[] {
  const place = inCode(line === undefined ? file : `${file}:${line}`)
  const url = line === undefined ? undefined : linkTo(file, line)
  const linked: PhrasingContent = url === undefined ? place : { type: 'link', url, children: [place] }
  return [linked, words(code === undefined ? ' ' : ` ${code} `), inCode(message)]
}

/** Links lines of files to GitHub if the repository is known. */
export function linksOf(repository: Repository | undefined): LinkTo {
  return (file, line) => (repository === undefined ? undefined : linkToLine(repository, file, line))
}
