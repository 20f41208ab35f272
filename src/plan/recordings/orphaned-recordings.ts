import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOwnRecording, isRecordingFile, recordingFileOf } from '../../spec/recording/recording.ts'
import { listCopied } from '../../scenario/workspace/copy-root.ts'
import { hasSpecEnding } from '../../system/spec-endings.ts'

/** Absolute paths of recordings without a spec beside them. */
export async function listOrphans(root: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { files } = await listCopied({ folder: root, env })
  // Git lists what was deleted, too.
  const there = files
    .filter(hasSpecEnding)
    .map((file) => join(root, file))
    .filter((file) => existsSync(file))
  const owned = new Set(there.map(recordingFileOf))
  const left = there.filter((file) => isRecordingFile(file) && !owned.has(file))
  const texts = await Promise.all(left.map((file) => readFile(file, 'utf8').catch(() => '')))
  return left.filter((_file, index) => isOwnRecording(texts[index] ?? ''))
}
