import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Duplex } from 'node:stream'

/** How a bash process ended. */
export interface ShellEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started. */
  readonly error?: string
}

export interface ShellListener {
  onReport(words: string): void
  onEnd(end: ShellEnd): void
}

/** A bash process with its control channel: statements in, reports out. */
export interface ShellProcess {
  readonly pid: number | undefined
  hasEnded(): boolean
  send(statement: string): void
  /** Who hears reports and the end from now on; an end that has been is told at once. */
  listen(listener: ShellListener): void
  /** Lets it run to its end: there are no more statements. */
  finish(): void
  /** Lets go of the control channel. */
  release(): void
}

export interface ShellStart {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Called once when it has ended. */
  onExit(): void
}

/** Starts bash as leader of its own group and session. Does not keep this process alive. Never throws. */
export function startShellProcess(bash: string, driver: string, { cwd, env, onExit }: ShellStart): ShellProcess {
  const child = spawn(bash, ['--noprofile', '--norc', '-c', driver], {
    argv0: 'bash',
    cwd,
    env: { ...env },
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  child.unref()
  let end: ShellEnd | undefined
  let listener: ShellListener | undefined
  const setEnd = (value: ShellEnd): void => {
    if (end !== undefined) return
    end = value
    onExit()
    listener?.onEnd(value)
  }
  child.once('error', (error) => setEnd({ exitCode: null, signal: null, error: error.message }))
  child.once('exit', (exitCode, signal) => setEnd({ exitCode, signal }))
  const control = openControl(child, (words) => listener?.onReport(words))
  return {
    pid: child.pid,
    hasEnded: () => end !== undefined,
    send: (statement) => void control?.write(`${statement}\0`),
    listen(value) {
      listener = value
      if (end !== undefined) value.onEnd(end)
    },
    finish: () => void control?.end(),
    release: () => void control?.destroy(),
  }
}

/** Absolute path of `bash` on the PATH of `env`. */
export function findBash(env: Readonly<Record<string, string>>): string | undefined {
  const candidates = (env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'bash'))
  return candidates.find((path) => path.startsWith('/') && isExecutable(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not there, or not for us.
    return false
  }
}

/** A child's extra pipe is a socket pair: one channel for both directions. */
function openControl(child: ChildProcess, onReport: (words: string) => void): Duplex | undefined {
  const control = child.stdio[3]
  if (!(control instanceof Duplex)) return undefined
  let rest = ''
  control.setEncoding('utf8')
  control.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onReport(line)
  })
  // The process is gone: its end tells.
  control.on('error', () => control.destroy())
  if ('unref' in control && typeof control.unref === 'function') control.unref()
  return control
}
