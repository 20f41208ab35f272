import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readRegularFile } from '../result-log/read-regular-file.ts'
import { filesOf, type SessionRecord } from './sessions/session-record.ts'
import type { SpecRecord } from './spec-record.ts'

const maxBytes = 64 * 1024 * 1024

/** Copies the files of a record from the folder of one report to that of another, both absolute. */
export async function copyKept(
  record: SpecRecord | SessionRecord,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const path of new Set(keptPaths(record))) {
    const target = join(to, path)
    if (existsSync(target)) continue
    const read = readRegularFile(join(from, path), maxBytes)
    if (!read.ok) continue
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, read.bytes)
  }
}

function keptPaths(record: SpecRecord | SessionRecord): readonly string[] {
  if ('chapters' in record) return filesOf(record).flatMap(({ path }) => path ?? [])
  const { steps, runs } = record
  const images = [...steps, ...runs].flatMap((part) => part.images)
  const files = [...steps, ...runs].flatMap((part) => part.files)
  return [...images, ...files].flatMap(({ path }) => path ?? [])
}
