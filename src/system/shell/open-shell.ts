import { maxTimerMs } from '../slots-and-timers.ts'
import type { ShellOptions, ShellResult, ShellRunOptions } from './open-shell-result.ts'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ShellSession } from './open-shell-session.ts'
import { chooseLimit, type InheritedLimit } from '../process/trees/marks.ts'

/** Calls run one after the other. Only `cancel` does not wait for earlier calls. */
export interface Shell {
  start(): Promise<void>
  run(code: string, options: ShellRunOptions): Promise<ShellResult>
  /** Ends the shell at once, even during a run. The current run and later runs are `lost`. */
  cancel(): Promise<void>
  /**
   * After the shell was lost, lets the next run start a new bash. `canRecover` gives it the state before the lost run.
   * The new bash has `set -u`: if the variable `dir` is lost, `rm -rf "$dir"/*` must fail.
   */
  recover(): Promise<void>
  /**
   * Sets variables to values without NUL. A variable with no value, or more than 64 KiB, is unset. Names such as
   * `NODE_OPTIONS` are not exported, because they could control programs. Returns a reason if it failed.
   */
  define(variables: ReadonlyMap<string, string | undefined>): Promise<string | undefined>
  /** Starts code in a copy of this shell, which survives `cancel` of this shell. Returns a reason on failure. */
  startService(code: string, options?: ServiceOptions): Promise<ShellService | string>
  /** Starts another bash with the same state. Closing that bash ends its processes. Returns a reason on failure. */
  fork(): Promise<ShellFork | string>
  /** Lets the shell exit (EXIT traps run), then ends the rest of its processes and services. Later runs are `lost`. */
  close(): Promise<void>
}

export type ShellFork = Shell & Pick<ShellSession, 'trees'>

/**
 * Opens a shell: bash 3.2 or later, found in the PATH of `env`. Bash starts with the first `run`.
 *
 * - Standard input is empty. Job control and history are off, aliases are on. `exec >file` lasts until the run ends.
 * - Output that a background process prints after the run has ended is dropped.
 * - After `exit`, or a failure under `set -e`, the next run gets a new bash with the old variables, functions,
 *   aliases, options, traps (except EXIT), umask and directory. Open files, jobs and `ulimit` are lost; local
 *   variables become global.
 * - After `exec program` or a signal, the state is lost, and so are later runs (`lost`).
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
    return (await session.saveState(stateFile)) ?? openShell({ ...options, stateFile, canRecover: false, limit })
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
  let tail = Buffer.alloc(0)
  let writtenBytes = 0
  const onOutput = (chunk: Buffer): void => {
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes)
    writtenBytes += chunk.length
  }
  return {
    ended: fork.run(code, { timeoutMs: maxTimerMs, streams: 'merged', cwd, env, isStrict, onOutput }),
    tail: () => tail,
    writtenBytes: () => writtenBytes,
    roots: () => fork.trees.roots.map(({ pid }) => pid),
    async close() {
      await fork.cancel()
      await fork.close()
    },
  }
}
