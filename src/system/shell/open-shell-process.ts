import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { launch } from '../process/launcher/launch.ts'
import type { LauncherAddress } from '../process/launcher/launcher.ts'
import type { InheritedLimit } from '../process/trees/inherited-limit.ts'
import { readLines } from '../process/read-lines.ts'

/** How a bash process ended. */
export interface ShellEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Why nothing is known of its end. */
  readonly error?: string
}

export interface ShellListener {
  onReport(words: string): void
  onEnd(end: ShellEnd): void
}

/** A bash process with its control channel: statements in, reports out. */
export interface ShellProcess {
  readonly pid: number
  /** As `readStartTime` gives it. */
  readonly startTime: string | undefined
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
  readonly launcher: LauncherAddress
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly limit?: InheritedLimit | undefined
  /** Called once when it has ended. */
  onExit(pid: number): void
}

/**
 * Starts bash as leader of its own group and session. Does not keep this process alive.
 *
 * @throws what `launch` throws
 */
export async function startShellProcess(
  bash: string,
  driver: string,
  { launcher, cwd, env, limit, onExit }: ShellStart,
): Promise<ShellProcess> {
  const argv = [bash, '--noprofile', '--norc', '-c', driver] as const
  const launched = await launch(launcher, { argv, argv0: 'bash', cwd, env, limit }, [0])
  launched.unref()
  let end: ShellEnd | undefined
  let listener: ShellListener | undefined
  const setEnd = (value: ShellEnd): void => {
    end = value
    onExit(launched.pid)
    listener?.onEnd(value)
  }
  launched.ended.then(setEnd, (error: Error) => setEnd({ exitCode: null, signal: null, error: error.message }))
  const [control] = launched.pipes
  readLines(control, (words) => void listener?.onReport(words))
  // The process is gone: its end tells.
  control.on('error', () => control.destroy())
  control.unref()
  return {
    pid: launched.pid,
    startTime: launched.startTime,
    hasEnded: () => end !== undefined,
    send: (statement) => void control.write(`${statement}\0`),
    listen(value) {
      listener = value
      if (end !== undefined) value.onEnd(end)
    },
    finish: () => void control.end(),
    release: () => void control.destroy(),
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
