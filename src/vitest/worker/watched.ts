import { threadId } from 'node:worker_threads'
import { connectHost } from '../../host/server/connect-host.ts'
import type { RunningCode } from '../../host/protocol/protocol.ts'
import type { Provided } from '../plugin/provided.ts'

/**
 * Runs code of a spec while the host watches: where it never awaits, no timer of this worker fires any more, and only the
 * main process can end it. That holds as long as the code runs, also once nobody waits for it any more.
 */
export async function watched<T>(
  code: Pick<RunningCode, 'file' | 'line' | 'limitMs'>,
  { address, isDebugged }: Provided,
  run: () => Promise<T>,
): Promise<T> {
  if (isDebugged) return run()
  // A connection of its own: that of the scenario ends with the scenario.
  const host = connectHost(address)
  try {
    await host.codeStarted({ ...code, threadId, pid: process.pid })
    return await run()
  } finally {
    host.close()
  }
}
