import { type SpecSummary, type SummaryReason, summarizeSpec } from './spec-summary.ts'
import { cutLine, plainLine } from '../../../system/text/plain-text.ts'
import { countSources, describeSources } from '../../../records/step-source.ts'
import { assurances, type Outcome } from '../../../records/outcome.ts'
import { formatCost } from '../../../records/agent-usage.ts'
import { isInside } from '../../../system/files/paths.ts'
import type { IsSpec } from '../../../plan/spec-files.ts'
import type { Reporter, TestProject } from 'vitest/node'
import { join, relative, sep } from 'node:path'
import { appendFileSync } from 'node:fs'

/** Address of a line of a file (relative to the root). */
export type LinkTo = (file: string, line: number) => string | undefined

const worstFirst: readonly Outcome[] = ['fail', 'blocked', 'skipped', 'pass']
const marks: Readonly<Record<Outcome, string>> = { fail: '❌', blocked: '⛔', skipped: '⏭️', pass: '✅' }
const words: Readonly<Record<Outcome, string>> = {
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  pass: 'passed',
}
/** GitHub drops a summary above 1 MiB as a whole. */
const maxRows = 500
const maxReasons = 3
const maxMessageCharacters = 200

/** A markdown table of the specs, the worst first. All its texts are escaped. */
export function formatStepSummary(specs: readonly SpecSummary[], linkTo: LinkTo): string {
  const sorted = worstFirst.flatMap((outcome) =>
    specs.filter((spec) => spec.outcome === outcome).toSorted((one, other) => (one.file < other.file ? -1 : 1)),
  )
  const sources = describeSources(countSources(specs.flatMap((spec) => spec.sources)))
  const rest = sorted.length - maxRows
  return [
    '',
    '## Specs',
    '',
    totals(specs),
    '',
    ...(sources === undefined ? [] : [`steps: ${sources}`, '']),
    '| spec | outcome | assurance | reason | cost | duration |',
    '| --- | --- | --- | --- | --: | --: |',
    ...sorted.slice(0, maxRows).map((spec) => formatRow(spec, linkTo)),
    ...(rest > 0 ? ['', `${rest} more are not shown.`] : []),
    '',
  ].join('\n')
}

function totals(specs: readonly SpecSummary[]): string {
  const counts = worstFirst.toReversed().flatMap((outcome) => {
    const all = specs.filter((spec) => spec.outcome === outcome)
    const claimed = all.filter(isClaimed).length
    return [...counted(all.length - claimed, words[outcome]), ...counted(claimed, 'claimed')]
  })
  const costs = specs.flatMap(({ costUsd }) => costUsd ?? [])
  return [...counts, ...(costs.length > 0 ? [formatCost(costs.reduce((sum, one) => sum + one, 0))] : [])].join(', ')
}

function isClaimed({ outcome, assurances: found }: SpecSummary): boolean {
  return outcome === 'pass' && found.includes('claimed')
}

function counted(count: number, word: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${word}`]
}

function formatRow(spec: SpecSummary, linkTo: LinkTo): string {
  const { file, outcome, reasons, costUsd, durationMs } = spec
  const shown = reasons.slice(0, maxReasons).map((reason) => formatReason(reason, linkTo))
  const rest = reasons.length - maxReasons
  const cells = [
    escapeMarkdown(file),
    isClaimed(spec) ? '❔ claimed' : `${marks[outcome]} ${words[outcome]}`,
    formatAssurances(spec),
    [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('<br>'),
    costUsd === undefined ? '' : formatCost(costUsd),
    `${(durationMs / 1000).toFixed(1)} s`,
  ]
  return `| ${cells.join(' | ')} |`
}

function formatAssurances({ assurances: found, expected = 0 }: SpecSummary): string {
  const backed = assurances
    .toReversed()
    .flatMap((assurance) => counted(found.filter((one) => one === assurance).length, assurance))
  return [...backed, ...counted(expected, 'failed as expected')].join(', ')
}

function formatReason({ code, message, file, line }: SummaryReason, linkTo: LinkTo): string {
  const place = escapeMarkdown(line === undefined ? file : `${file}:${line}`)
  const link = line === undefined ? undefined : linkTo(file, line)
  const text = escapeMarkdown(cutLine(plainLine(message), maxMessageCharacters))
  return [link === undefined ? place : `[${place}](${link})`, ...(code === undefined ? [] : [code]), text].join(' ')
}

/** Escapes all characters that could begin markup or a mention. */
function escapeMarkdown(text: string): string {
  const escaped = plainLine(text).replaceAll(/[\\`*_{}[\]()#+!|~&@]/g, '\\$&')
  return escaped.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Appends a table of the specs to the summary of a GitHub Actions job, once a run. A shard leaves it to the run that
 * merges.
 */
export function stepSummaryReporters(
  project: TestProject,
  { isSpec, env }: { readonly isSpec: IsSpec; readonly env: NodeJS.ProcessEnv },
): readonly Reporter[] {
  const { vitest } = project
  const { GITHUB_STEP_SUMMARY: file } = env
  if (!file || vitest.config.watch) return []
  return [
    {
      onTestRunEnd(modules) {
        if (vitest.config.reporters.some((reporter) => Array.isArray(reporter) && reporter[0] === 'blob')) return
        const specs = modules
          .filter((module) => module.project === project && isSpec(module.moduleId))
          .map(summarizeSpec)
        if (specs.length === 0) return
        try {
          appendFileSync(file, formatStepSummary(specs, linksTo(vitest.config.root, env)))
        } catch (error: unknown) {
          // A summary that cannot be written must not fail the run.
          vitest.logger.warn(`mdtest: the file \`${file}\` that GITHUB_STEP_SUMMARY names cannot be written.`, error)
        }
      },
    },
  ]
}

function linksTo(root: string, env: NodeJS.ProcessEnv): LinkTo {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: sha, GITHUB_WORKSPACE: top } = env
  if (!server || !repository || !sha || !top) return () => undefined
  return (file, line) => {
    const path = join(root, file)
    if (!isInside(path, top)) return undefined
    const way = relative(top, path).split(sep).map(encodePart).join('/')
    // GitHub's plain view has lines; rendered markdown has none.
    return `${server}/${repository}/blob/${sha}/${way}?plain=1#L${line}`
  }
}

/** Brackets would end a link in markdown. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll('(', '%28').replaceAll(')', '%29')
}
