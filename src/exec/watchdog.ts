import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { marksVariable } from './marks.ts'

/** A process beside ours that ends what we started, should we die without doing so. */
export interface Watchdog {
  readonly pid: number | undefined
  /** Registers the root of a tree: a process that was started detached. */
  add(pid: number): void
  /** To be called once the tree is gone: its id may be given to another process. */
  remove(pid: number): void
  /** We end in good order: it ends, too, and kills nothing. */
  close(): void
}

interface WatchdogOptions {
  /** Whatever carries it in `MDTEST_MARKS` is ended, too (Linux). */
  readonly runMark: string
  /** Absolute path of the folder of the run, which is removed as well; see `run-folder.ts`. */
  readonly folder?: string
  /** Absolute path of the program. Default: the built `watchdog-main.js` of this package. */
  readonly program?: string
}

/**
 * Starts the watchdog. It notices our death, also by SIGKILL, by the end of a pipe, and then has everything gone
 * within 3 s. It keeps nobody alive: neither our process nor itself.
 */
export function startWatchdog({ runMark, folder = '', program = defaultProgram() }: WatchdogOptions): Watchdog {
  const child = spawn(process.execPath, [program, runMark, folder], {
    cwd: '/',
    env: cleanEnvironment(process.env),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without it we are as well off as before: nothing to do about its end, or about writing to one that ended.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  ;(child.stdin as Socket).unref() // A pipe of a child is a socket; only the type does not say so.
  const send = (line: string): void => void child.stdin.write(`${line}\n`)
  return {
    pid: child.pid,
    add: (pid) => send(`+${pid}`),
    remove: (pid) => send(`-${pid}`),
    close: () => void child.stdin.end('bye\n'),
  }
}

/** By its name in package.json: always the built one, wherever this module was bundled to. */
function defaultProgram(): string {
  return createRequire(import.meta.url).resolve('#watchdog')
}

/**
 * Without marks, or an outer mdtest would sweep it up before it did its work; without what makes Node wait for a
 * debugger or load more.
 */
function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [marksVariable]: _marks, NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...rest } = env
  return rest
}
