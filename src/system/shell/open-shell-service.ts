import type { ShellResult } from './open-shell-result.ts'
import type { ShellSession } from './open-shell-session.ts'

/** Code that runs beside a shell, in a bash of its own that began with the state of that shell. */
export interface ShellService {
  /** Fulfilled when the code has come to an end, by itself or not. */
  readonly ended: Promise<ShellResult>
  /** What it wrote last, both streams in the order they were written; as bytes, because the cut can be in a character. */
  tail(): Buffer
  /** How many bytes it wrote so far. */
  writtenBytes(): number
  /** Process ids of the bash in which it runs. */
  roots(): readonly number[]
  /** Ends it with all it started. */
  close(): Promise<void>
}

export interface ServiceOptions {
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** As for a run. */
  readonly isStrict?: boolean | undefined
}

const tailBytes = 64 * 1024
const maxTimeoutMs = 2 ** 31 - 1

/** Runs code in a session that is used for nothing else. */
export function startService(
  session: ShellSession,
  code: string,
  { cwd, env, isStrict }: ServiceOptions,
): ShellService {
  const chunks: Buffer[] = []
  let keptBytes = 0
  let writtenBytes = 0
  const onOutput = (chunk: Buffer): void => {
    chunks.push(chunk)
    keptBytes += chunk.length
    writtenBytes += chunk.length
    for (let [first] = chunks; first && keptBytes - first.length >= tailBytes; [first] = chunks) {
      keptBytes -= first.length
      chunks.shift()
    }
  }
  return {
    ended: session.run(code, { timeoutMs: maxTimeoutMs, streams: 'merged', cwd, env, isStrict, onOutput }),
    tail: () => Buffer.concat(chunks).subarray(-tailBytes),
    writtenBytes: () => writtenBytes,
    roots: () => session.pids,
    async close() {
      await session.cancel()
      await session.close()
    },
  }
}
