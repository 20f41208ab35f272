import { basename } from 'node:path'
import { nextSteps, resumeCommand } from '../../commands/fix/session/format-halt.ts'
import { fixReportSchema } from '../../commands/fix/session/fix-report.ts'
import { progressOf } from '../../commands/fix/session/progress.ts'
import { readSessionState } from '../../commands/fix/session/session-store.ts'
import type { SessionState } from '../../commands/fix/session/session-state.ts'
import { noTestResults, type TestResults } from '../../commands/fix/session/test-results.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { failuresOf } from './compare-tests.ts'
import { keepSessionFiles, type KeepFile } from './keep-session-files.ts'
import { openSessionFiles, type SessionFiles } from './session-files.ts'
import type { SessionRecord } from './session-record.ts'
import { tellChapters, type SessionMaterial } from './tell-chapters.ts'

interface SessionContext {
  readonly keepFile: KeepFile
  readonly redactor: Redactor
}

/**
 * Reads all that is known of a session from its folder (absolute); what is missing there is noted.
 *
 * @throws {MdtestError} `OPTION_SESSION` where its state cannot be read
 */
export async function readSession(folder: string, { keepFile, redactor }: SessionContext): Promise<SessionRecord> {
  const state = await readSessionState(folder)
  const files = openSessionFiles(folder)
  const kept = keepSessionFiles(state, { folder, files, keepFile })
  const material: SessionMaterial = {
    results: files.results,
    asked: files.asked(state.state.previous_attempts),
    times: files.times(state.history),
    files: kept.ofActs,
  }
  const record: SessionRecord = {
    ...factsOf(state),
    version: 1,
    id: basename(folder),
    ...endOf(state, files),
    chapters: [...tellChapters(state, material)],
    files: [...kept.ofSession],
    notes: [...files.notes],
  }
  return redactTexts(record, redactor.redact)
}

function factsOf(
  session: SessionState,
): Omit<SessionRecord, 'version' | 'id' | 'failing' | 'next' | 'chapters' | 'files' | 'notes'> {
  const { settings, state, history, session_costs_usd: costs, cost_usd: costUsd } = session
  const untold = session.calls_without_cost.length
  const first = history.find((act) => act.kind === 'tests-ran')
  return {
    feature: session.feature,
    result: session.result,
    reason: session.reason,
    scope: settings.scope,
    runner: progressOf(history).runner ?? null,
    agent: nameOf(settings.agent),
    total: state.total_tests,
    failingFirst: first?.failing.length ?? null,
    failingLast: state.failing_tests,
    startedAt: session.started_at,
    updatedAt: session.updated_at,
    durationMs: session.elapsed_ms,
    ...(costUsd !== null && Object.keys(costs).length > 0 && { costUsd }),
    ...(untold > 0 && { callsWithoutCost: untold }),
  }
}

/** What still fails, and what a person needs to go on. */
function nameOf(agent: SessionState['settings']['agent']): string {
  if (typeof agent === 'string') return agent
  return basename('acp' in agent ? agent.acp[0] : agent.command[0])
}

function endOf(
  session: SessionState,
  files: SessionFiles,
): Pick<SessionRecord, 'failing' | 'next'> & Partial<SessionRecord> {
  const { result } = session
  // A session that is not over has no report, or that of an earlier end.
  const report = result === null ? undefined : files.json('artifacts/report.json', fixReportSchema.partial())
  const parts = {
    ...(report?.branch != null && { branch: report.branch }),
    ...(report?.first_checkpoint != null && { firstCheckpoint: report.first_checkpoint }),
  }
  if (result === 'success') return { failing: [], next: [], ...parts }
  const results = lastResults(session, files)
  const halt = result === null ? undefined : files.text('artifacts/halt.md')
  return {
    failing: failuresOf(session.failing, results),
    next: result === null ? [] : [...nextSteps(session, results ?? nothingKnown)],
    resume: resumeCommand(session),
    ...parts,
    ...(halt !== undefined && { halt }),
  }
}

const nothingKnown: TestResults = { ...noTestResults, is_parsed: false }

/** What tests said of the files as they are, else what they said last. */
function lastResults({ history }: SessionState, files: SessionFiles): TestResults | undefined {
  const lastRun = history.findLast((act) => act.kind === 'tests-ran')
  const file = progressOf(history).accepted?.resultsFile ?? lastRun?.resultsFile
  return file === undefined ? undefined : files.results(file)
}
