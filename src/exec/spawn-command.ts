import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import type { MdtestError } from '../shared/mdtest-error.ts'
import type { Command } from './command.ts'
import { toSpawnError } from './spawn-error.ts'

/** A started program. The object is held in a field: execa's is a promise, too, and must not be awaited by accident. */
export type Spawned =
  | {
      readonly ok: true
      readonly pid: number
      readonly child: ChildProcess
      readonly stdout: Readable
      readonly stderr: Readable
    }
  | { readonly ok: false; readonly error: Promise<MdtestError> }

/** Starts a program as the leader of a group and session of its own, without standard input. Never throws. */
export function spawnCommand(command: Command, env: Readonly<Record<string, string>>): Spawned {
  const [file, ...args] = command.argv
  try {
    const child = execa(file, args, {
      cwd: command.cwd,
      env,
      extendEnv: false,
      detached: true,
      stdin: 'ignore',
      buffer: false,
      reject: false,
      cleanup: false,
    })
    const { pid, stdout, stderr } = child
    if (pid !== undefined) return { ok: true, pid, child, stdout, stderr }
    return { ok: false, error: child.then((result) => toSpawnError(command, result.cause ?? result)) }
  } catch (error: unknown) {
    return { ok: false, error: Promise.resolve(toSpawnError(command, error)) }
  }
}
