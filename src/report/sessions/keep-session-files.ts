import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { TestsRan } from '../../fix/history.ts'
import { sessionsDir } from '../../fix/session-store.ts'
import type { SessionState } from '../../fix/session-state.ts'
import type { SessionFile } from './session-record.ts'
import type { SessionFiles } from './session-files.ts'

/** Copies a file (absolute path) into the folder of the report; nothing where it is not there. */
export type KeepFile = (file: string) => Promise<Omit<SessionFile, 'title'> | undefined>

/** Files of a session that a reader may want, copied. */
export interface KeptSession {
  readonly ofSession: readonly SessionFile[]
  /** Of acts, by their places in the history. */
  readonly ofActs: ReadonlyMap<number, readonly SessionFile[]>
}

interface KeepContext {
  /** Absolute path of the session's folder. */
  readonly folder: string
  readonly files: SessionFiles
  readonly keepFile: KeepFile
}

const sessionFiles: readonly (readonly [title: string, name: string])[] = [
  ['halt.md', 'artifacts/halt.md'],
  ['state', 'state.json'],
  ['events', 'events.jsonl'],
  ['how the tests run', 'artifacts/test_config.json'],
  ['script of the tests', 'artifacts/run-tests'],
  ['last results', 'artifacts/test_results.json'],
  ['last summary', 'artifacts/summary.json'],
]

/** Copies what a session has left. Never throws for what is missing. */
export async function keepSessionFiles(state: SessionState, context: KeepContext): Promise<KeptSession> {
  const { folder, keepFile } = context
  const keepAll = async (named: readonly (readonly [title: string, file: string])[]): Promise<SessionFile[]> => {
    const kept = await Promise.all(named.map(async ([title, file]) => ({ title, copy: await keepFile(file) })))
    return kept.flatMap(({ title, copy }) => (copy === undefined ? [] : [{ title, ...copy }]))
  }
  const ofActs = new Map<number, readonly SessionFile[]>()
  let attempt = 0
  for (const [index, act] of state.history.entries()) {
    if (act.kind === 'attempt-made') {
      attempt += 1
      ofActs.set(index, await keepAll(attemptFiles({ attempt, index }, folder)))
    }
    if (act.kind === 'tests-ran') ofActs.set(index, await keepAll(testFiles(act, state, context)))
  }
  const ofSession = await keepAll([
    ...sessionFiles.map(([title, name]): readonly [string, string] => [title, join(folder, name)]),
    ...runFolders(state, folder).flatMap(newestOutput),
  ])
  return { ofSession, ofActs }
}

function attemptFiles(
  { attempt, index }: { readonly attempt: number; readonly index: number },
  folder: string,
): readonly (readonly [string, string])[] {
  const own = join(folder, 'artifacts/attempts', String(attempt))
  // Named by the acts before it; two where an answer had to be asked for once more.
  const calls = namesIn(join(folder, 'calls')).filter((name) => name.startsWith(`${index + 1}-implementer-`))
  return [
    ['prompt', join(own, 'implementer_prompt.json')],
    ['answer', join(own, 'implementer_status.json')],
    ...calls.map((name): readonly [string, string] => ['agent output', join(folder, 'calls', name, 'raw.log')]),
  ]
}

function testFiles(
  { resultsFile }: TestsRan,
  state: SessionState,
  { folder, files }: KeepContext,
): readonly (readonly [string, string])[] {
  const path = files.results(resultsFile)?.summary_path
  const isReport = path !== undefined && basename(path) === 'summary.json'
  const raw = isReport
    ? join(dirname(path), 'raw.log')
    : join(folder, 'test-runs', `${basename(resultsFile, '.json')}.raw.log`)
  // A script names its file itself: it must not bring any other file of this machine into a report.
  return runFolders(state, folder).some((each) => isInside(raw, each)) ? [['test output', raw]] : []
}

/** Where reports of test runs are: in the work tree, which need not be where the session is. */
function runFolders({ session_id: id, settings }: SessionState, folder: string): readonly string[] {
  const folders = [folder, join(settings.root, sessionsDir, id)].map((each) => join(each, 'test-runs'))
  return [...new Set(folders)]
}

/** Also where tests could not start, which no results tell of. Reports are named by the time. */
function newestOutput(folder: string): readonly (readonly [string, string])[] {
  const newest = namesIn(folder).findLast((name) => /^\d{4}-/.test(name))
  if (newest === undefined) return []
  const raw = join(folder, newest, 'raw.log')
  return isInside(raw, folder) ? [['last test output', raw]] : []
}

function isInside(file: string, folder: string): boolean {
  try {
    return `${realpathSync(dirname(file))}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)
  } catch {
    return false // One of them is not there.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
