import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { z } from 'zod'
import { groundAt, type Ground } from '../../system/files/ground.ts'
import { readFolderIfAny } from '../../system/files/list-files.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { sessionRecordSchema, type SessionRecord } from '../sessions/session-record.ts'
import { runRecordSchema, type RunRecord } from './run-record.ts'
import { specAnchor, specRecordSchema, type SpecRecord } from './spec-record.ts'

/** Folder of the records in that of the report. */
export const dataFolder = 'data'

const maxRecordBytes = 256 * 1024 * 1024
const names = /^(spec|run|session)-[\w-]+\.json$/

/** What is stored in the folder of a report. */
export interface StoredRecords {
  readonly specs: readonly SpecRecord[]
  readonly runs: readonly RunRecord[]
  readonly sessions: readonly SessionRecord[]
  /** Names of files that this version of mdtest does not understand. */
  readonly unreadable: readonly string[]
}

/** Reads all records in the folder of a report (absolute); there may be none. */
export async function readRecords(dir: string): Promise<StoredRecords> {
  const ground = groundAt(dir)
  const entries = readFolderIfAny(ground, join(dir, dataFolder)).map(({ name }) => name)
  const found = entries.filter((name) => names.test(name)).toSorted()
  const readRecord = recordsIn(ground)
  const specs: SpecRecord[] = []
  const runs: RunRecord[] = []
  const sessions: SessionRecord[] = []
  const unreadable: string[] = []
  for (const name of found) {
    const file = join(dir, dataFolder, name)
    const spec = name.startsWith('spec-') ? readRecord(file, specRecordSchema) : undefined
    const run = name.startsWith('run-') ? readRecord(file, runRecordSchema) : undefined
    const session = name.startsWith('session-') ? readRecord(file, sessionRecordSchema) : undefined
    if (spec) specs.push(spec)
    else if (run) runs.push(run)
    else if (session) sessions.push(session)
    else unreadable.push(name)
  }
  return { specs, runs, sessions, unreadable }
}

/** The name under which all of a spec is kept. */
export function keyOf(record: Pick<SpecRecord, 'spec' | 'project'>): string {
  return hash(specAnchor(record))
}

/** The same for a session. */
export function keyOfSession({ id }: Pick<SessionRecord, 'id'>): string {
  return hash(id)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

type ReadRecord = <Schema extends z.ZodType>(file: string, schema: Schema) => z.infer<Schema> | undefined

function recordsIn(ground: Ground): ReadRecord {
  return (file, schema) => {
    const read = readFileIn(ground, file, maxRecordBytes)
    if (!read.ok) return undefined
    try {
      return schema.safeParse(JSON.parse(read.bytes.toString('utf8'))).data
    } catch {
      // No version of mdtest wrote this.
      return undefined
    }
  }
}
