import { dirname, join } from 'node:path'
import { groundAt, type Ground } from '../../system/files/ground.ts'
import { lookAt, readFileIn } from '../../system/files/read-file.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { filesOf, type SessionRecord } from '../sessions/session-record.ts'
import type { SpecRecord } from '../records/spec-record.ts'

const maxBytes = 64 * 1024 * 1024

interface Copying {
  /** Absolute path of a report. */
  readonly from: string
  /** Absolute path of another, that is written. */
  readonly to: string
  /** Of the other one. */
  readonly ground: Ground
}

/** Copies the files of a record from the folder of one report to that of another. */
export function copyKept(record: SpecRecord | SessionRecord, { from, to, ground }: Copying): void {
  const source = groundAt(from)
  for (const path of new Set(keptPaths(record))) {
    const target = join(to, path)
    if (lookAt(ground, target) !== undefined) continue
    const read = readFileIn(source, join(from, path), maxBytes)
    if (!read.ok) continue
    makeFolder(ground, dirname(target))
    replaceFile(ground, target, read.bytes)
  }
}

function keptPaths(record: SpecRecord | SessionRecord): readonly string[] {
  if ('chapters' in record) return filesOf(record).flatMap(({ path }) => path ?? [])
  const { steps, runs } = record
  const images = [...steps, ...runs].flatMap((part) => part.images)
  const files = [...steps, ...runs].flatMap((part) => part.files)
  return [...images, ...files].flatMap(({ path }) => path ?? [])
}
