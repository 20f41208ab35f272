import { openReport, type ReportPlace } from './folder/report-folder.ts'
import type { ReportedStep, SpecRecord } from './data/spec-record.ts'

interface EndedSession extends ReportPlace, Pick<SpecRecord, 'title' | 'startedAt' | 'durationMs'> {
  readonly text: string
  readonly isSuccess: boolean
  readonly attempts: readonly { readonly heading: string; readonly isKept: boolean }[]
}

/** Writes the report of a `mdtest fix` session. Its attempts are shown like the steps of a spec. */
export function writeSessionPage({ dir, root, title, text, isSuccess, attempts, ...session }: EndedSession): void {
  const { startedAt, durationMs } = session
  const report = openReport({ dir, root })
  const lines = text.split('\n')
  const steps = attempts.map(({ heading, isKept }, index): ReportedStep => ({
    anchor: String(index + 1),
    titles: [heading],
    line: lines.indexOf(`### ${heading}`) + 1,
    outcome: isKept ? 'pass' : 'fail',
    ...{ durationMs: 0, reasons: [], checks: [], calls: [], images: [], files: [] },
  }))
  const endedAt = new Date(Date.parse(startedAt) + durationMs).toISOString()
  const times = { startedAt, endedAt, durationMs }
  const outcome = isSuccess ? 'pass' : 'fail'
  const rest = { sources: [{ text }], problems: [], runs: [] }
  report.putSpec({ spec: 'artifacts/report.md', title, outcome, steps, ...times, ...rest })
  const otherTests = { pass: 0, fail: 0, skipped: 0 }
  report.writeSummary({ name: 'Session', startedAt, endedAt, wallTimeMs: durationMs, specs: 1, otherTests, errors: [] })
}
