import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { TestsRan } from '../../commands/fix/session/history.ts'
import { groundOfSession, sessionsDir } from '../../commands/fix/session/session-store.ts'
import type { SessionState } from '../../commands/fix/session/session-state.ts'
import type { Ground } from '../../system/files/ground.ts'
import { readFolderIfAny } from '../../system/files/list-files.ts'
import type { Source } from '../folder/kept-files.ts'
import type { SessionFile } from './session-record.ts'
import type { SessionFiles } from './session-files.ts'
import { isInside } from '../../system/files/is-inside.ts'

/** Copies a file into the folder of the report; nothing where it is not there. */
export type KeepFile = (source: Source) => Omit<SessionFile, 'title'> | undefined

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

type Named = readonly [title: string, source: Source]

/** Copies what a session has left. Never throws for what is missing. */
export function keepSessionFiles(state: SessionState, context: KeepContext): KeptSession {
  const { folder, keepFile } = context
  const keepAll = (named: readonly Named[]): SessionFile[] =>
    named.flatMap(([title, source]) => {
      const copy = keepFile(source)
      return copy === undefined ? [] : [{ title, ...copy }]
    })
  const ofActs = new Map<number, readonly SessionFile[]>()
  let attempt = 0
  for (const [index, act] of state.history.entries()) {
    if (act.kind === 'attempt-made') {
      attempt += 1
      ofActs.set(index, keepAll(attemptFiles({ attempt, index }, folder)))
    }
    if (act.kind === 'tests-ran') ofActs.set(index, keepAll(testFiles(act, state, context)))
  }
  const ground = groundOfSession(folder)
  const ofSession = keepAll([
    ...sessionFiles.map(([title, name]): Named => [title, { file: join(folder, name), ground }]),
    ...runFolders(state, folder).flatMap(newestOutput),
  ])
  return { ofSession, ofActs }
}

function attemptFiles(
  { attempt, index }: { readonly attempt: number; readonly index: number },
  folder: string,
): readonly Named[] {
  const ground = groundOfSession(folder)
  const own = join(folder, 'artifacts/attempts', String(attempt))
  // Named by the acts before it; two where an answer had to be asked for once more.
  const calls = namesIn({ folder: join(folder, 'calls'), ground })
  return [
    ['prompt', { file: join(own, 'implementer_prompt.json'), ground }],
    ['answer', { file: join(own, 'implementer_status.json'), ground }],
    ...calls
      .filter((name) => name.startsWith(`${index + 1}-implementer-`))
      .map((name): Named => ['agent output', { file: join(folder, 'calls', name, 'raw.log'), ground }]),
  ]
}

function testFiles({ resultsFile }: TestsRan, state: SessionState, { folder, files }: KeepContext): readonly Named[] {
  const path = files.results(resultsFile)?.summary_path
  const isReport = path !== undefined && basename(path) === 'summary.json'
  const raw = isReport
    ? join(dirname(path), 'raw.log')
    : join(folder, 'test-runs', `${basename(resultsFile, '.json')}.raw.log`)
  // A script names its file itself: it must not bring any other file of this machine into a report.
  const within = runFolders(state, folder).find((each) => isReallyInside(raw, each.folder))
  return within === undefined ? [] : [['test output', { file: raw, ground: within.ground }]]
}

interface RunFolder {
  /** Absolute path. */
  readonly folder: string
  readonly ground: Ground
}

/** Where reports of test runs are: in the work tree, which need not be where the session is. */
function runFolders({ session_id: id, settings }: SessionState, folder: string): readonly RunFolder[] {
  const elsewhere = join(settings.root, sessionsDir, id)
  const folders = elsewhere === folder ? [folder] : [folder, elsewhere]
  return folders.map((each) => ({ folder: join(each, 'test-runs'), ground: groundOfSession(each) }))
}

/** Also where tests could not start, which no results tell of. Reports are named by the time. */
function newestOutput(runs: RunFolder): readonly Named[] {
  const newest = namesIn(runs).findLast((name) => /^\d{4}-/.test(name))
  if (newest === undefined) return []
  return [['last test output', { file: join(runs.folder, newest, 'raw.log'), ground: runs.ground }]]
}

function isReallyInside(file: string, folder: string): boolean {
  try {
    return isInside(realpathSync(dirname(file)), realpathSync(folder))
  } catch {
    return false // One of them is not there.
  }
}

function namesIn({ folder, ground }: RunFolder): readonly string[] {
  return readFolderIfAny(ground, folder)
    .map(({ name }) => name)
    .toSorted()
}
