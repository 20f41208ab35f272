import { finishSession } from './finish-session.ts'
import type { FixReport } from '../session/fix-report.ts'
import type { FixTools } from './fix-context.ts'
import { runFix } from './run-fix.ts'
import type { SessionState } from '../session/session-state.ts'
import { lockFiles, lockSession, openSessionStore, sessionFolder } from '../session/session-store.ts'

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
 * @throws MdtestError `OPTION_SESSION` while another process works on it, or on the same files; and whatever is wrong with the set-up
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
