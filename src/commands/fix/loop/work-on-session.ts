import { type FixReport, fixReport } from '../session/fix-report.ts'
import type { FixTools } from './fix-context.ts'
import { runFix, type FixEnd } from './run-fix.ts'
import type { SessionState } from '../session/session-state.ts'
import { lockFiles, lockSession, openSessionStore, sessionFolder } from '../session/session-store.ts'
import { join, relative } from 'node:path'
import { listFiles } from '../../../system/files/list-files.ts'
import { acceptedResults } from '../session/test-results.ts'
import { formatReport } from '../session/format-report.ts'
import { progressOf } from '../session/progress.ts'

/** How the work on a session went. */
export type SessionEnd =
  | { readonly isInterrupted: false; readonly report: FixReport }
  | { readonly isInterrupted: true; readonly sessionId: string }

interface Work {
  readonly state: SessionState
  /** Absolute path of the project, in which the session is kept. */
  readonly root: string
  readonly branch?: string | undefined
}

/**
 * Works on a session until it ends, alone.
 *
 * @throws MdtestError `OPTION_SESSION` while another process works on it, or on the same files; others for a wrong set-up
 */
export async function workOnSession({ state, root, branch }: Work, tools: FixTools): Promise<SessionEnd> {
  const folder = sessionFolder(root, state.session_id)
  await openSessionStore(folder) // The lock is in it.
  const locks = [lockSession(folder, tools.pid)]
  try {
    // Two sessions in the same files would undo each other's work.
    if (state.settings.root === root) locks.push(lockFiles(root, tools.pid))
    const end = await runFix(state, folder, tools)
    if (end.isInterrupted) return { isInterrupted: true, sessionId: state.session_id }
    return { isInterrupted: false, report: await finishSession(end, { root, branch: branch ?? null }) }
  } finally {
    for (const release of locks) release()
  }
}

interface FinishParts {
  readonly root: string
  readonly branch: string | null
}

/** More than a report can name. */
const maxFiles = 10_000

/** Writes what stays of a session that ended: its report, which is where it halted what a person needs to go on. */
async function finishSession(end: FixEnd, { root, branch }: FinishParts): Promise<FixReport> {
  const { state, checkpoints, store } = end
  const firstCheckpoint = checkpoints.place('attempt-1')
  const results = await acceptedResults({ progress: progressOf(state.history), store })
  const text = formatReport(state, { results, firstCheckpoint })
  store.write('artifacts/report.md', text)
  // One may be left of an earlier halt.
  if (state.result === 'success') store.remove('artifacts/halt.md')
  else store.write('artifacts/halt.md', text)
  const { files } = listFiles(store.ground, join(store.folder, 'artifacts'), { maxFiles })
  const artifacts = files
    .filter(({ stats }) => stats.isFile())
    .map(({ path }) => relative(root, path))
    .filter((path) => !path.endsWith('/artifacts/report.json'))
    .toSorted()
  const report = fixReport(state, { artifacts, firstCheckpoint, branch })
  store.write('artifacts/report.json', report)
  return report
}
