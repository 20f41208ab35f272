import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { MdtestError } from '../../mdtest-error.ts'
import { marksVariable } from '../trees/marks.ts'
import type { TreeRoot } from '../trees/kill-trees.ts'
import { flagsWithoutDebugger, ownFile } from '../../mdtest-package.ts'

export interface LauncherAddress {
  readonly path: string
  readonly token: string
}

/**
 * A small process that starts all programs for mdtest, and ends them if mdtest dies first. It starts programs faster
 * than the main process, because it uses little memory.
 */
export interface Launcher {
  readonly pid: number | undefined
  readonly address: LauncherAddress
  readonly ready: Promise<void>
  hasEnded(): boolean
  adopt(root: TreeRoot): void
  /** Call this when all processes of a program are gone, because the system may give the id to another process. */
  forget(pid: number): void
  guardTerminal(state: TerminalState | undefined): void
  close(): void
}

export interface LauncherSettings {
  readonly runMark: string
  readonly socketPath?: string
  readonly folders: readonly string[]
  readonly token: string
}

/** The launcher ends when its stdin closes, for example when this process dies. It does not keep Node.js running. */
export function startLauncher(options: {
  readonly runMark: string
  readonly socketPath: string
  readonly folders?: readonly string[]
  readonly hasTerminal?: boolean
  readonly program?: string
}): Launcher {
  const { runMark, socketPath, folders = [], hasTerminal = false, program = ownFile('#launcher') } = options
  // Remove the marks: an outer mdtest ends all processes with its marks, but the launcher must still clean up.
  const { [marksVariable]: _marks, NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...env } = process.env
  const child = spawn(process.execPath, [...flagsWithoutDebugger(), program], {
    cwd: '/',
    env,
    detached: true,
    // The fourth entry is `terminalDescriptor`.
    stdio: ['pipe', 'pipe', 'ignore', hasTerminal ? process.stdout.fd : 'ignore'],
  }) as ChildProcessByStdio<Writable, Readable, null> // from the first three entries of `stdio`
  let hasEnded = false
  child.on('error', () => (hasEnded = true))
  child.once('exit', () => (hasEnded = true))
  // Ignore a dead launcher here, because the next request to it fails anyway.
  child.stdin.on('error', () => undefined)
  child.unref()
  unref(child.stdin)
  const token = randomBytes(24).toString('hex')
  const send = (line: string): void => void child.stdin.write(`${line}\n`)
  send(JSON.stringify({ runMark, socketPath, folders, token } satisfies LauncherSettings))
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => {
      unref(child.stdout)
      resolve()
    })
    child.stdout.once('close', () => reject(failedToStart()))
  })
  ready.catch(() => undefined)
  return {
    pid: child.pid,
    address: { path: socketPath, token },
    ready,
    hasEnded: () => hasEnded,
    adopt: (root) => send(`+${JSON.stringify(root)}`),
    forget: (pid) => send(`-${pid}`),
    guardTerminal: (state) => send(`=${JSON.stringify(state ?? null)}`),
    close: () => void child.stdin.end('bye\n'),
  }
}

/** A child's pipe is a socket: it has `unref`, although the type lacks this method. */
function unref(stream: Readable | Writable): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}

function failedToStart(): MdtestError {
  return new MdtestError('EXEC_LAUNCHER_FAILED', 'The process that starts programs for mdtest could not start.', {
    hint: 'Check that the temporary folder (`TMPDIR`) can be written to and that the system has processes and memory to give.',
  })
}

export interface TerminalState {
  readonly saved: string
  readonly undo: string
}

const terminalDescriptor = 3

/** Time to restore the terminal. A terminal stopped with Ctrl-S accepts no output, so there must be a limit. */
const limitMs = 2_000

/** Undoes terminal modes. If `isig` is off, also restores settings. If it is on, a shell already uses the terminal. */
const script = `printf %s "$2"; case "$(stty -a)" in *-isig*) exec stty "$1";; esac`

export function putBackTerminal({ saved, undo }: TerminalState): Promise<void> {
  const child = spawn('sh', ['-c', script, 'sh', saved, undo], {
    stdio: [terminalDescriptor, terminalDescriptor, 'ignore'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve) => child.once('error', () => resolve()).once('exit', () => resolve()))
}
