import { basename, join } from 'node:path'
import { type Ground, groundAt } from '../../system/files/ground.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { openReport, removeOwn, type ReportFolder } from '../folder/report-folder.ts'
import { readRecords } from '../records/stored-records.ts'
import { filesOf, type SessionRecord } from './session-record.ts'
import { sessionsDir } from '../../commands/fix/session/session-store.ts'
import { readFolderIfAny } from '../../system/files/list-files.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { openKeptFiles } from '../folder/kept-files.ts'
import { readSession } from './read-session.ts'
import type { UnreadableSession } from './session-summary.ts'

interface Place {
  /** Absolute path of the project. */
  readonly root: string
  /** Absolute path of the folder of the report. */
  readonly dir: string
  readonly redactor: Redactor
}

/**
 * Writes the page of sessions in the folder of a report, from what is on disk; those that are stored there and no longer
 * on disk stay. The rest of the report is not touched.
 *
 * @throws {MdtestError} `LOG_UNWRITABLE`, or an error of the file system, where it cannot be written
 * @returns the sessions that could not be read, too
 */
export async function writeSessions(place: Place): Promise<FoundSessions> {
  const stored = await readRecords(place.dir)
  const folder = await openReport(place)
  return await putSessions(folder, { ...place, stored: stored.sessions })
}

/** The same in a report that is open. `stored`: what it and other reports know already, their files in `dir`. */
export async function putSessions(
  folder: ReportFolder,
  { stored, ...place }: Place & { readonly stored: readonly SessionRecord[] },
): Promise<FoundSessions> {
  const found = await findSessions({ ...place, ground: folder.ground })
  const records = [...new Map([...stored, ...found.records].map((record) => [record.id, record])).values()]
  for (const record of records) await folder.putSession(record)
  await folder.writeSessions(found.unreadable)
  removeStale(folder.ground, { dir: place.dir, records })
  return { records, unreadable: found.unreadable }
}

/** Files of a session that went on since have other names now. */
function removeStale(
  ground: Ground,
  { dir, records }: { readonly dir: string; readonly records: readonly SessionRecord[] },
): void {
  const named = new Set(records.flatMap(filesOf).flatMap(({ path }) => (path === undefined ? [] : [basename(path)])))
  removeOwn(ground, join(dir, sessionFilesFolder), (name) => !named.has(name))
}

/** Folder of their files in that of the report: it is not cleared by a run of specs. */
const sessionFilesFolder = 'session-files'

/** What is left of sessions. */
export interface FoundSessions {
  readonly records: readonly SessionRecord[]
  readonly unreadable: readonly UnreadableSession[]
}

interface SearchPlace {
  /** Absolute path of the project. */
  readonly root: string
  /** Absolute path of the report, which gets a copy of their files. */
  readonly dir: string
  readonly redactor: Redactor
  /** Of the report. */
  readonly ground: Ground
}

/** Reads the sessions of a project. Old and broken ones are named. */
async function findSessions({ root, dir, redactor, ground }: SearchPlace): Promise<FoundSessions> {
  const entries = readFolderIfAny(groundAt(root), join(root, sessionsDir))
  const { keepLog } = openKeptFiles({ dir, ground, logFolder: sessionFilesFolder, redact: redactor.redact })
  const records: SessionRecord[] = []
  const unreadable: UnreadableSession[] = []
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    try {
      records.push(await readSession(join(root, sessionsDir, name), { keepFile: keepLog, redactor }))
    } catch (error: unknown) {
      if (!(error instanceof MdtestError)) throw error
      unreadable.push({ id: name, why: withoutHint(error) })
    }
  }
  return { records, unreadable }
}

/** It tells how to list sessions, where a list is. */
function withoutHint({ message, hint }: MdtestError): string {
  return hint === undefined ? message : message.slice(0, -hint.length).trimEnd()
}
