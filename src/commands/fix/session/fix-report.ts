import { z } from 'zod'
import { leftOutSchema } from '../../attempt/changes/choose-changes.ts'
import { describeLeftOut } from '../../attempt/changes/judge-changes.ts'
import { attemptsOf } from './attempts.ts'
import { fixResults, type SessionState } from './session-state.ts'

/** What `mdtest fix --json` prints, and `artifacts/report.json` holds. */
export const fixReportSchema = z.strictObject({
  session_id: z.string(),
  feature: z.string(),
  result: z.enum(fixResults),
  /** Why it ended, a sentence. */
  reason: z.string(),
  total_tests: z.int().min(0).nullable(),
  failing_tests: z.int().min(0).nullable(),
  attempts: z.int().min(0),
  /** Paths of what the attempts that were kept changed, relative to the root. */
  changed_files: z.array(z.string()),
  /** Changes of attempts that did not count, and why. */
  left_out: z.array(leftOutSchema.extend({ attempt: z.int().min(1) }).strict()),
  summaries: z.array(
    z.strictObject({ version: z.int(), text: z.string(), created_at: z.string(), reason: z.string() }),
  ),
  /** Paths relative to the project. */
  artifacts: z.array(z.string()),
  /** `null` where nothing is known. */
  cost_usd: z.number().min(0).nullable(),
  /** Calls of agents that were cut off, or whose program does not tell: they may have cost more. */
  calls_without_cost: z.int().min(0),
  duration_ms: z.number().min(0),
  /** The files as they were before the first attempt: a ref of git, or a file. `null` without an attempt. */
  first_checkpoint: z.string().nullable(),
  /** Branch that holds the work, where it was done in a work tree of its own. */
  branch: z.string().nullable(),
})

export type FixReport = z.infer<typeof fixReportSchema>

interface ReportParts {
  readonly artifacts: readonly string[]
  readonly firstCheckpoint: string | null
  readonly branch: string | null
}

/** The report of a session that ended. Pure. */
export function fixReport(session: SessionState, { artifacts, firstCheckpoint, branch }: ReportParts): FixReport {
  const { state } = session
  const attempts = attemptsOf(session.history)
  const kept = attempts.filter(({ failing_after: failing }) => failing !== null)
  return {
    session_id: session.session_id,
    feature: session.feature,
    result: session.result ?? 'error',
    reason: session.reason ?? 'It was interrupted.',
    total_tests: state.total_tests,
    failing_tests: state.failing_tests,
    attempts: state.previous_attempts,
    changed_files: [...new Set(kept.flatMap((attempt) => attempt.changed_files))].toSorted(),
    left_out: attempts.flatMap(({ attempt, left_out: leftOut = [] }) => leftOut.map((each) => ({ ...each, attempt }))),
    summaries: state.summaries,
    artifacts: [...artifacts],
    cost_usd: session.cost_usd,
    calls_without_cost: session.calls_without_cost.length,
    duration_ms: Math.round(session.elapsed_ms),
    first_checkpoint: state.previous_attempts === 0 ? null : firstCheckpoint,
    branch,
  }
}

/** The same in a few lines. */
export function formatFixReport(report: FixReport, folder: string): string {
  const { result, reason, failing_tests: failing, total_tests: total, attempts, first_checkpoint: checkpoint } = report
  const { left_out: leftOut } = report
  const seconds = (report.duration_ms / 1000).toFixed(1)
  return [
    `${report.feature}: ${result}. ${reason}`,
    `  tests: ${total === null ? 'never ran' : `${failing} of ${total} fail`}; attempts: ${attempts}; cost: ${formatCost(report)}; ${seconds} s`,
    ...(leftOut.length === 0 ? [] : [`  left out: ${describeLeftOut(leftOut)}`]),
    `  session: ${report.session_id} in ${folder}`,
    ...(report.branch === null ? [] : [`  branch: ${report.branch} (nothing is merged)`]),
    ...(checkpoint === null ? [] : [`  your files before the first attempt: ${checkpoint}`]),
    result === 'success' ? `  report: ${folder}/artifacts/report.md` : `  what now: ${folder}/artifacts/halt.md`,
    '',
  ].join('\n')
}

function formatCost({ cost_usd: costUsd, calls_without_cost: untold }: FixReport): string {
  if (costUsd === null) return 'unknown'
  return `${costUsd.toFixed(2)} USD${untold === 0 ? '' : ` and what ${untold} calls did not tell`}`
}
