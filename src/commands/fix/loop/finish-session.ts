import { join, relative } from 'node:path'
import { listFiles } from '../../../system/files/list-files.ts'
import { acceptedResults } from '../acts/accepted-results.ts'
import { fixReport, type FixReport } from '../session/fix-report.ts'
import { formatHalt } from '../session/format-halt.ts'
import { progressOf } from '../session/progress.ts'
import type { FixEnd } from './run-fix.ts'
import { openSessionStore, sessionFolder } from '../session/session-store.ts'

interface FinishParts {
  /** Absolute path of the project. */
  readonly root: string
  readonly branch: string | null
}

/** More than a report can name. */
const maxFiles = 10_000

/** Writes what stays of a session that ended: its report, and what a person needs where it did not succeed. */
export async function finishSession(end: FixEnd, { root, branch }: FinishParts): Promise<FixReport> {
  const { state, checkpoints, store } = end
  const firstCheckpoint = checkpoints.place('attempt-1')
  if (state.result === 'success') {
    // Of a halt that somebody went on after.
    store.remove('artifacts/halt.md')
  } else {
    const results = await acceptedResults({ progress: progressOf(state.history), store })
    store.write('artifacts/halt.md', formatHalt(state, { results, firstCheckpoint }))
  }
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

/** Names a file that was made of a session after its end; `path` is relative to the project, `root` its absolute path. */
export async function addArtifact(
  report: FixReport,
  { root, path }: { readonly root: string; readonly path: string },
): Promise<FixReport> {
  const store = await openSessionStore(sessionFolder(root, report.session_id))
  const named = { ...report, artifacts: [...report.artifacts, path] }
  store.write('artifacts/report.json', named)
  return named
}
