import { z } from 'zod'
import { plural } from '../../../system/text/wording.ts'
import { describeLeftOut, leftOutSchema } from '../../attempt/changes/judge-changes.ts'
import { attemptsOf, describeFiles, implementerAnswerForm } from './finished-acts.ts'
import { fixResults, type SessionState } from './session-state.ts'
import { formatPlace } from '../../../test-runners/runner.ts'
import { formatFailure, type TestResults } from './test-results.ts'

export const fixReportSchema = z.strictObject({
  session_id: z.string(),
  feature: z.string(),
  result: z.enum(fixResults),
  reason: z.string(),
  total_tests: z.int().min(0).nullable(),
  failing_tests: z.int().min(0).nullable(),
  attempts: z.int().min(0),
  changed_files: z.array(z.string()),
  left_out: z.array(leftOutSchema.extend({ attempt: z.int().min(1) }).strict()),
  summaries: z.array(
    z.strictObject({ version: z.int(), text: z.string(), created_at: z.string(), reason: z.string() }),
  ),
  artifacts: z.array(z.string()),
  cost_usd: z.number().min(0).nullable(),
  /** Agent calls whose cost is unknown, because they were interrupted or the agent reports no cost. */
  calls_without_cost: z.int().min(0),
  duration_ms: z.number().min(0),
  /** Checkpoint before the first attempt: a git ref, or the file of the ref. `null` if there was no attempt. */
  first_checkpoint: z.string().nullable(),
  branch: z.string().nullable(),
})

export type FixReport = z.infer<typeof fixReportSchema>

interface ReportParts {
  readonly artifacts: readonly string[]
  readonly firstCheckpoint: string | null
  readonly branch: string | null
}

export function fixReport(session: SessionState, { artifacts, firstCheckpoint, branch }: ReportParts): FixReport {
  const { session_id, feature, cost_usd, state } = session
  const attempts = attemptsOf(session.history)
  const kept = attempts.filter(({ failing_after: failing }) => failing !== null)
  return {
    ...{ session_id, feature, result: session.result ?? 'error', reason: session.reason ?? 'It was interrupted.' },
    ...{ total_tests: state.total_tests, failing_tests: state.failing_tests, attempts: state.previous_attempts },
    changed_files: [...new Set(kept.flatMap((attempt) => attempt.changed_files))].toSorted(),
    left_out: attempts.flatMap(({ attempt, left_out: leftOut = [] }) => leftOut.map((each) => ({ ...each, attempt }))),
    ...{ summaries: state.summaries, artifacts: [...artifacts], cost_usd },
    calls_without_cost: session.calls_without_cost.length,
    duration_ms: Math.round(session.elapsed_ms),
    ...{ first_checkpoint: state.previous_attempts === 0 ? null : firstCheckpoint, branch },
  }
}

export function formatFixReport(report: FixReport, folder: string): string {
  const { result, reason, failing_tests: failing, total_tests: total, attempts, first_checkpoint: checkpoint } = report
  const { left_out: leftOut, branch } = report
  const seconds = (report.duration_ms / 1000).toFixed(1)
  return [
    `${report.feature}: ${result}. ${reason}`,
    `  tests: ${total === null ? 'never ran' : `${failing} of ${total} fail`}; attempts: ${attempts}; cost: ${formatCost(report)}; ${seconds} s`,
    ...(leftOut.length === 0 ? [] : [`  left out: ${describeLeftOut(leftOut)}`]),
    `  session: ${report.session_id} in ${folder}`,
    ...(branch === null ? [] : [`  branch: ${branch} (nothing is merged)`]),
    ...(checkpoint === null ? [] : [`  your files before the first attempt: ${checkpoint}`]),
    result === 'success' ? `  report: ${folder}/artifacts/report.md` : `  what now: ${folder}/artifacts/halt.md`,
    '',
  ].join('\n')
}

function formatCost({ cost_usd: costUsd, calls_without_cost: untold }: FixReport): string {
  if (costUsd === null) return 'unknown'
  return `${costUsd.toFixed(2)} USD${untold === 0 ? '' : ` plus the unknown cost of ${untold} calls`}`
}

export function formatReport(
  session: SessionState,
  { results, restoreCommand }: { results: TestResults; restoreCommand: string },
): string {
  const { feature, result, reason } = session
  const tried = attemptsOf(session.history).map((made) =>
    `### Attempt ${made.attempt} (session ${made.session})\n\n${made.summary}\n\n${describeFiles(made)}`.trimEnd(),
  )
  const failing = results.failing.length === 0 ? 'Nothing is known.' : results.failing.map(formatFailure).join('\n\n')
  const looks = nextSteps(session, results)
    .map((step) => `- ${step}`)
    .join('\n')
  const before = `The files are as the last attempt that was kept left them. To bring back your files from before the first one: \`${restoreCommand}\`.`
  const isOver = result === 'success'
  return [
    `# ${feature}: ${result}`,
    reason ?? '',
    ...(isOver ? [] : [`## What still fails\n\n${failing}`]),
    `## What was tried\n\n${tried.length === 0 ? 'Nothing.' : tried.join('\n\n')}`,
    ...(isOver ? [] : [`## What to look at next\n\n${looks}`]),
    ...(tried.length === 0 ? [] : [before]),
    ...(isOver ? [] : [`## Go on\n\n    ${resumeCommand(session)}`]),
    '',
  ].join('\n\n')
}

export function nextSteps({ history, result }: SessionState, results: TestResults): readonly string[] {
  const attempts = attemptsOf(history)
  const undone = history.flatMap((act) => (act.kind === 'rolled-back' ? [act] : []))
  const wanted = undone.filter(({ reason }) => reason === 'protected-files')
  const worse = undone.length - wanted.length
  const files = attempts.flatMap((attempt) => attempt.changed_files)
  const left = attempts.flatMap(({ left_out: leftOut = [] }) => leftOut.map(({ path }) => path))
  const broken = attempts.filter(({ outcome }) => outcome === 'broke-off').length
  const [first] = results.failing
  const { blocked, summary_path: output } = results
  const steps: readonly (readonly [isNeeded: boolean, sentence: string])[] = [
    [result === 'error', 'First solve the problem named above: no attempt can do that.'],
    [
      broken > 0,
      `${plural(broken, 'attempt')} broke off. Look at the agent first: it has to print \`${implementerAnswerForm}\` last. Its output is in \`calls/\`.`,
    ],
    [
      first !== undefined,
      `The first failure: ${first?.file === undefined ? 'see above' : `\`${formatPlace(first)}\``}. Is its expectation right?`,
    ],
    [
      wanted.length > 0,
      `${plural(wanted.length, 'attempt')} changed protected files, ${codeList(wanted.flatMap(({ names }) => names))}: are they right as they are? \`--allow-test-edits\` permits such changes.`,
    ],
    [
      left.length > 0,
      `Changes were left out, because these judge the product: ${codeList(left)}. \`--may-change GLOB\` lets them count.`,
    ],
    [worse > 0, `${plural(worse, 'attempt')} made it worse: do the tests contradict each other?`],
    [files.length > 0, `Files that attempts changed: ${codeList(files)}.`],
    [blocked.length > 0, `${blocked.length} tests could not be tried: what do they need to start?`],
    [output !== '', `The whole output of the last run: \`${output}\`.`],
  ]
  return steps.flatMap(([isNeeded, sentence]) => (isNeeded ? [sentence] : []))
}

function codeList(names: readonly string[]): string {
  return Array.from(new Set(names), (name) => `\`${name}\``)
    .slice(0, 10)
    .join(', ')
}

export function resumeCommand({ session_id: id, settings, state, ...used }: SessionState): string {
  const { max_attempts: attempts, max_minutes: minutes, max_cost_usd: cost } = settings
  return [
    `npx vitest-mdtest fix --resume ${id}`,
    ...(state.previous_attempts >= attempts ? [`--max-attempts ${2 * attempts}`] : []),
    ...(minutes !== null && used.elapsed_ms >= minutes * 60_000 ? [`--max-minutes ${2 * minutes}`] : []),
    ...(cost !== null && (used.cost_usd ?? 0) >= cost ? [`--max-cost-usd ${2 * cost}`] : []),
  ].join(' ')
}
