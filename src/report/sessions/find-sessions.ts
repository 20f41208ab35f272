import { join } from 'node:path'
import { sessionsDir } from '../../commands/fix/session/session-store.ts'
import { groundAt, type Ground } from '../../system/files/ground.ts'
import { readFolderIfAny } from '../../system/files/list-files.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { openKeptFiles } from '../folder/kept-files.ts'
import { readSession } from './read-session.ts'
import type { SessionRecord } from './session-record.ts'
import type { UnreadableSession } from './session-summary.ts'

/** Folder of their files in that of the report: it is not cleared by a run of specs. */
export const sessionFilesFolder = 'session-files'

/** What is left of sessions. */
export interface FoundSessions {
  readonly records: readonly SessionRecord[]
  readonly unreadable: readonly UnreadableSession[]
}

interface Place {
  /** Absolute path of the project. */
  readonly root: string
  /** Absolute path of the report, which gets a copy of their files. */
  readonly dir: string
  readonly redactor: Redactor
  /** Of the report. */
  readonly ground: Ground
}

/** Reads the sessions of a project. Old and broken ones are named. */
export async function findSessions({ root, dir, redactor, ground }: Place): Promise<FoundSessions> {
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
