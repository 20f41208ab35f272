import type { BlockContent, PhrasingContent } from 'mdast'
import { z } from 'zod'
import { assurances, outcomes, type Outcome, summarizeOutcomes } from '../records/outcome.ts'
import { failureOf, withoutMarks } from '../report/shown-failure.ts'
import type { ReadReport, ReadSpec, ReadStep } from './read-report.ts'
import { codeBlock, inCode, linkToLine, markdownOf, urlPath, words, type Repository } from './outside-text.ts'

/** The results of one job, which can be one shard or one entry of a matrix. */
export const cellSchema = z.object({
  name: z.string(),
  /** Ids of the workflow run, of its attempt and of the job. */
  run: z.number(),
  attempt: z.number(),
  job: z.string(),
  commit: z.string(),
  outcome: z.enum(outcomes),
  steps: z.record(z.string(), z.number()),
  wallTimeMs: z.number(),
  costUsd: z.number().exactOptional(),
})

export type Cell = Readonly<z.infer<typeof cellSchema>>

/** The number of steps for each label. A label is an outcome, an assurance, or a note such as `flaky`. */
export type Counts = Readonly<Record<string, number>>

const notable = ['failed as expected', 'handed over', 'flaky', 'replayed', 'specs without a result'] as const

export function countSteps({ specs, missing }: Pick<ReadReport, 'specs' | 'missing'>): Counts {
  const counts: Record<string, number> = missing > 0 ? { 'specs without a result': missing } : {}
  const labels = specs.flatMap(({ steps }) => steps.flatMap(labelsOf))
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1
  return counts
}

function labelsOf({ outcome, assurance, expected, source, flaky }: ReadStep): readonly string[] {
  return [
    outcome,
    ...(outcome === 'pass' && expected !== undefined ? ['failed as expected'] : []),
    ...(outcome === 'pass' && expected === undefined && assurance !== undefined ? [assurance] : []),
    ...(source?.kind === 'handed-over' ? ['handed over'] : []),
    ...(source?.kind === 'replayed' ? ['replayed'] : []),
    ...(flaky === undefined ? [] : ['flaky']),
  ]
}

export function outcomeOfCell({ specs, missing, errors }: ReadReport): Outcome {
  if (missing > 0 || errors.length > 0) return 'fail'
  return summarizeOutcomes(specs.map(({ outcome }) => outcome))
}

export const marks: Readonly<Record<Outcome, string>> = { fail: '❌', blocked: '⛔', skipped: '⏭️', pass: '✅' }
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  pass: 'passed',
}

/** For example `2 failed, 40 passed (30 verified, 10 claimed), 3 handed over`. */
export function describeCounts(counts: Counts): string {
  const told = (keys: readonly string[], named = (key: string): string => key): readonly string[] =>
    keys.flatMap((key) => (counts[key] ? [`${counts[key]} ${named(key)}`] : []))
  const backed = told(assurances.toReversed())
  const byOutcome = (['fail', 'blocked', 'pass', 'skipped'] satisfies Outcome[]).flatMap((outcome) => {
    const [text] = told([outcome], (key) => outcomeWords[key as Outcome] ?? key)
    return text === undefined ? [] : [outcome === 'pass' && backed.length > 0 ? `${text} (${backed.join(', ')})` : text]
  })
  return [...byOutcome, ...told(notable)].join(', ') || 'no steps'
}

export interface Place {
  readonly repository: Repository
  /** URL of the report's folder. Absent if the report is not hosted. */
  readonly reportUrl?: string
}

/** Markdown entries for the reviewer of a job, worst first. Each entry ends with a blank line. */
export function jobEntries({ specs, errors }: ReadReport, place: Place): readonly string[] {
  const all = specs.flatMap((spec) => spec.steps.map((step) => ({ spec, step })))
  const bad = outcomes.flatMap((outcome) =>
    outcome === 'fail' || outcome === 'blocked' ? all.filter(({ step }) => step.outcome === outcome) : [],
  )
  return [
    ...errors.map((error) =>
      markdownOf({ type: 'paragraph', children: [words('❌ outside of the specs')] }, codeBlock(error)),
    ),
    ...specs.flatMap((spec) => spec.problems.map((problem) => problemEntry(spec, problem, place))),
    ...bad.map(({ spec, step }) => markdownOf(...stepEntry(spec, step, place))),
    ...notes(all, place),
  ].map((entry) => `${entry}\n`)
}

function problemEntry(spec: ReadSpec, { message, line }: ReadSpec['problems'][number], place: Place): string {
  const head: PhrasingContent[] = [words('❌ '), linkTo(spec.spec, line, place)]
  return markdownOf({ type: 'paragraph', children: head }, codeBlock(message))
}

/** Eight reasons of at most 3,000 characters fit into one comment on GitHub. */
const maxReasons = 8

/** Shows where and why a step did not pass, with the expected and the observed text. */
export function stepEntry(spec: ReadSpec, step: ReadStep, place: Place): readonly BlockContent[] {
  const { outcome, titles, line, file = spec.spec, checks, images } = step
  const { seen, told } = failureOf(step)
  const codes = [...new Set(step.reasons.map(({ code }) => code))]
  const broken = checks.filter(({ status }) => status === 'fail' || status === 'blocked')
  const [image] = images.toReversed()
  const head: PhrasingContent[] = [
    words(`${marks[outcome]} `),
    linkTo(file, line, place),
    words(' '),
    inCode(titles.join(' › ')),
    ...codes.slice(0, maxReasons).flatMap((code) => [words(' '), inCode(code)]),
    ...broken
      .slice(0, maxReasons)
      .flatMap(({ text }) => [{ type: 'break' as const }, words('expected: '), inCode(text, 500)]),
    ...(seen === undefined ? [] : [{ type: 'break' as const }, words('seen: '), inCode(withoutMarks(seen), 500)]),
  ]
  const shown = told
    .slice(0, maxReasons)
    .map(({ message }) => codeBlock(message, { lang: /^[+-]/m.test(message) ? 'diff' : null }))
  const hidden = Math.max(broken.length, told.length) - maxReasons
  const more: readonly BlockContent[] =
    hidden > 0 ? [{ type: 'paragraph', children: [words(`${hidden} more reasons are not shown here.`)] }] : []
  return [{ type: 'paragraph', children: head }, ...shown, ...more, ...picturesOf(image?.path, place.reportUrl)]
}

function picturesOf(path: string | undefined, reportUrl: string | undefined): readonly BlockContent[] {
  const below = path === undefined ? undefined : urlPath(path)
  if (below === undefined || reportUrl === undefined) return []
  const url = `${reportUrl.replace(/\/$/, '')}/${below}`
  return [{ type: 'paragraph', children: [{ type: 'image', url, alt: 'screenshot' }] }]
}

function linkTo(file: string, line: number | undefined, { repository }: Place): PhrasingContent {
  const text = inCode(line === undefined ? file : `${file}:${line}`)
  const url = linkToLine(repository, file, line)
  return url === undefined ? text : { type: 'link', url, children: [text] }
}

const maxNamed = 20

/** Lists passes that need attention: only claimed, handed over to the agent, or flaky. */
function notes(all: readonly { spec: ReadSpec; step: ReadStep }[], place: Place): readonly string[] {
  const passed = all.filter(({ step }) => step.outcome === 'pass')
  const kinds: readonly (readonly [string, (step: ReadStep) => boolean])[] = [
    ['❔ only claimed', ({ assurance, expected }) => assurance === 'claimed' && expected === undefined],
    ['↪️ handed over to the agent: a recording does not fit', ({ source }) => source?.kind === 'handed-over'],
    ['⚠️ flaky', ({ flaky }) => flaky !== undefined],
  ]
  return kinds.flatMap(([title, isOne]) => {
    const found = passed.filter(({ step }) => isOne(step))
    if (found.length === 0) return []
    const rest = found.length - maxNamed
    const named = found
      .slice(0, maxNamed)
      .flatMap(({ spec, step }) => [words(', '), linkTo(step.file ?? spec.spec, step.line, place)])
    const more = rest > 0 ? [words(`, and ${rest} more`)] : []
    return [markdownOf({ type: 'paragraph', children: [words(`${title}: `), ...named.slice(1), ...more] })]
  })
}
