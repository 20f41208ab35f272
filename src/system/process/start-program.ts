import type { Socket } from 'node:net'
import type { MdtestError } from '../mdtest-error.ts'
import type { Command } from './command.ts'
import { launch, type Launched } from './launcher/launch.ts'
import type { LauncherAddress } from './launcher/launcher.ts'
import { toSpawnError } from './spawn-error.ts'
import { chooseLimit, type InheritedLimit } from './trees/inherited-limit.ts'
import { withMarks } from './trees/marks.ts'

/** The program of a command that runs, and waits for the second part of its input where the command has one. */
export interface StartedProgram extends Omit<Launched, 'pipes'> {
  /** What it and all that comes from it are known by. */
  readonly limit: InheritedLimit | undefined
  readonly stdout: Socket
  readonly stderr: Socket
  /** Absent for a command without input. */
  readonly stdin?: Socket
}

interface StartOptions {
  /** Who starts it. */
  readonly launcher: LauncherAddress
  /** What this program, and nothing else, carries in `MDTEST_MARKS`. */
  readonly mark: string
  /** What everything of this run carries besides. */
  readonly runMark?: string | undefined
}

/** Starts the program of a command and gives it the first part of its input. Never throws. */
export async function startProgram(
  { input, ...program }: Command,
  { launcher, mark, runMark }: StartOptions,
): Promise<StartedProgram | MdtestError> {
  const limit = chooseLimit()
  try {
    const env = withMarks(program.env, runMark === undefined ? [mark] : [runMark, mark])
    const marked = { ...program, env, limit }
    if (input === undefined) {
      const { pipes, ...launched } = await launch(launcher, marked, [1, 2])
      const [stdout, stderr] = pipes
      return { ...launched, limit, stdout, stderr }
    }
    const { pipes, ...launched } = await launch(launcher, marked, [0, 1, 2])
    const [stdin, stdout, stderr] = pipes
    return { ...launched, limit, stdin, stdout, stderr }
  } catch (error: unknown) {
    return toSpawnError(program, error)
  }
}
