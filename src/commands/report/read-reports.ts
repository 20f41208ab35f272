import { join } from 'node:path'
import type { RunRecord } from '../../report/records/run-record.ts'
import type { SessionRecord } from '../../report/sessions/session-record.ts'
import type { SpecRecord } from '../../report/records/spec-record.ts'
import { keyOf, readRecords } from '../../report/records/stored-records.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** A spec or a session as it is stored. */
interface Stored<T> {
  readonly record: T
  /** Absolute path of the report that it is stored in. */
  readonly from: string
}

export type StoredSpec = Stored<SpecRecord>

/** What several reports tell together. */
export interface StoredReports {
  readonly specs: ReadonlyMap<string, StoredSpec>
  readonly runs: readonly RunRecord[]
  /** By their ids. */
  readonly sessions: ReadonlyMap<string, Stored<SessionRecord>>
  readonly unreadable: readonly string[]
}

/**
 * Reads the reports in these folders (absolute); there need be none in the first. Of a spec or session that several know, what
 * ended last counts.
 * @throws {SetUpError} if there is none in another.
 */
export async function readReports(dirs: readonly string[]): Promise<StoredReports> {
  const specs = new Map<string, StoredSpec>()
  const runs = new Map<string, RunRecord>()
  const sessions = new Map<string, Stored<SessionRecord>>()
  const unreadable: string[] = []
  for (const from of dirs) {
    const read = await readRecords(from)
    if (from !== dirs[0] && read.specs.length + read.runs.length + read.sessions.length === 0) {
      throw new SetUpError(`\`--from\`: there is no report in ${from}.`)
    }
    for (const record of read.specs) {
      const known = specs.get(keyOf(record))
      if (known === undefined || known.record.endedAt < record.endedAt) specs.set(keyOf(record), { record, from })
    }
    for (const run of read.runs) runs.set(run.id, run)
    for (const record of read.sessions) {
      const known = sessions.get(record.id)
      if (known === undefined || known.record.updatedAt < record.updatedAt) sessions.set(record.id, { record, from })
    }
    unreadable.push(...read.unreadable.map((name) => join(from, 'data', name)))
  }
  return { specs, runs: [...runs.values()], sessions, unreadable }
}
