import { maxTimerMs } from '../concurrency.ts'
import type { ShellOptions, ShellResult, ShellRunOptions } from './open-shell-result.ts'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ShellSession } from './open-shell-session.ts'
import { chooseLimit, type InheritedLimit } from '../process/trees/marks.ts'

export interface Shell {
  start(): Promise<void>
  /** A call waits for the calls before it. */
  run(code: string, options: ShellRunOptions): Promise<ShellResult>
  /** Ends the shell at once, in the middle of a run, too; that run and later ones are `lost`. */
  cancel(): Promise<void>
  /**
   * Has the next run of a lost shell begin in a new bash, with `canRecover` in the state before the run that lost it. The
   * new bash has `set -u`: variables of that run must not read as empty, as in `rm -rf "$dir"/*`.
   */
  recover(): Promise<void>
  /**
   * Sets variables from now on; one without a value, or with one above 64 KiB, is unset. Names in capitals are not
   * exported: they could steer programs. Says why one could not be set.
   *
   * @param variables by name; a value holds no NUL
   */
  define(variables: ReadonlyMap<string, string | undefined>): Promise<string | undefined>
  /** Starts code in a fork of this shell, which outlives `cancel` and loss. A text says why it could not be started. */
  startService(code: string, options?: ServiceOptions): Promise<ShellService | string>
  /**
   * Starts a bash with the state of this one. The caller closes it, and with it all that it started, daemons included. A
   * text says why it could not be started.
   */
  fork(): Promise<ShellFork | string>
  /** Lets the shell exit (an EXIT trap runs) and ends all it has left running, services last. Later runs are `lost`. */
  close(): Promise<void>
}

export type ShellFork = Shell & Pick<ShellSession, 'trees'>

/**
 * Opens a shell. bash (3.2 or later, from the PATH of `env`) is started by the first `run`.
 *
 * - Standard input is empty. Job control and history are off, aliases are on. `exec >file` lasts to the end of the run.
 * - Output of a background process after the end of the run is dropped.
 * - After `exit`, or a failure under `set -e`, the next run gets a new bash with variables, functions, aliases, options,
 *   traps (but EXIT), umask and directory. Open files, jobs and `ulimit` are gone; local variables are global.
 * - After `exec program` and after a signal there is no state to go on with: later runs are `lost`.
 */
export function openShell(options: ShellOptions): ShellFork {
  const mark = randomUUID()
  const session = new ShellSession(options, { mark, prefix: join(options.tempDir, mark.slice(0, 8)) })
  const services: ShellService[] = []
  let last: Promise<unknown> = Promise.resolve()
  const enqueue = <T>(action: () => Promise<T>): Promise<T> => {
    const next = last.then(action)
    last = next.catch(() => undefined)
    return next
  }
  const fork = async (limit?: InheritedLimit): Promise<ShellFork | string> => {
    const stateFile = join(options.tempDir, `${randomUUID().slice(0, 8)}-fork`)
    const problem = await session.saveState(stateFile)
    return problem ?? openShell({ ...options, stateFile, canRecover: false, limit })
  }
  return {
    get trees() {
      return session.trees
    },
    start: () => enqueue(() => session.start()),
    run: (code, runOptions) => enqueue(() => session.run(code, runOptions)),
    cancel: () => session.cancel(),
    recover: () => enqueue(() => session.recover()),
    define: (variables) => enqueue(() => session.define(variables)),
    startService: (code, serviceOptions = {}) =>
      enqueue(async () => {
        const forked = await fork()
        if (typeof forked === 'string') return forked
        const service = startService(forked, code, serviceOptions)
        services.push(service)
        return service
      }),
    fork: () => enqueue(() => fork(chooseLimit())),
    close: () =>
      enqueue(async () => {
        await session.close()
        await Promise.all(services.splice(0).map((service) => service.close()))
      }),
  }
}

export interface ShellService {
  readonly ended: Promise<ShellResult>
  tail(): Buffer
  writtenBytes(): number
  roots(): readonly number[]
  close(): Promise<void>
}

export type ServiceOptions = Pick<ShellRunOptions, 'cwd' | 'env' | 'isStrict'>

const tailBytes = 64 * 1024

function startService(fork: ShellFork, code: string, { cwd, env, isStrict }: ServiceOptions): ShellService {
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
    ended: fork.run(code, { timeoutMs: maxTimerMs, streams: 'merged', cwd, env, isStrict, onOutput }),
    tail: () => Buffer.concat(chunks).subarray(-tailBytes),
    writtenBytes: () => writtenBytes,
    roots: () => fork.trees.roots.map(({ pid }) => pid),
    async close() {
      await fork.cancel()
      await fork.close()
    },
  }
}
