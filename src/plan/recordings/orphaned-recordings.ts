import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isOwnRecording, isRecordingFile, recordingFileOf } from '../../spec/recording/recording.ts'
import { listCopied } from '../../scenario/workspace/copy-root.ts'
import { hasSpecEnding } from '../../system/spec-endings.ts'

/** Absolute paths of recordings beside which no spec stands that they could be of. */
export async function listOrphans(root: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { files } = await listCopied({ folder: root, env })
  const recordings = files.filter(isRecordingFile).map((file) => join(root, file))
  const isOrphan = await Promise.all(recordings.map(async (file) => !hasSpec(file) && (await isMarked(file))))
  return recordings.filter((_file, index) => isOrphan[index])
}

function hasSpec(recording: string): boolean {
  const folder = dirname(recording)
  return namesIn(folder).some((name) => hasSpecEnding(name) && recordingFileOf(join(folder, name)) === recording)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const maxHeadBytes = 1024

async function isMarked(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined)
  try {
    const { buffer, bytesRead = 0 } = (await handle?.read(Buffer.alloc(maxHeadBytes), 0, maxHeadBytes, 0)) ?? {}
    return isOwnRecording(buffer?.toString('utf8', 0, bytesRead) ?? '')
  } catch {
    // A folder of that name.
    return false
  } finally {
    await handle?.close()
  }
}
