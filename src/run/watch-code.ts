import { randomUUID } from 'node:crypto'
import { threadId } from 'node:worker_threads'
import type { HostClient } from '../host/connect-host.ts'
import type { RunningCode } from '../host/protocol.ts'

/**
 * Runs code of a spec while the host watches: where it never awaits, no timer of this worker fires any more, and only
 * the main process can end it.
 */
export async function watchCode<T>(
  host: HostClient,
  code: Pick<RunningCode, 'file' | 'line' | 'limitMs'>,
  work: () => Promise<T>,
): Promise<T> {
  const id = randomUUID()
  await host.codeStarted({ ...code, id, threadId, pid: process.pid })
  try {
    return await work()
  } finally {
    host.codeEnded(id)
  }
}
