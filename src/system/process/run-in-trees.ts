import type { Redactor } from '../redaction/redact.ts'
import type { LiveTrees } from './launcher/live-trees.ts'
import { MdtestError } from '../mdtest-error.ts'
import { startCommandClock } from './wait-for-end.ts'
import type { Command } from './command.ts'
import { createMark } from './trees/marks.ts'
import { runCommand, type CommandResult, type RunOptions } from './run-command.ts'

/** As for `runCommand`, but for what the trees know themselves. */
export interface TreeRunOptions extends Omit<RunOptions, 'launcher' | 'mark' | 'onSpawn'> {
  readonly trees: LiveTrees
}

/** Runs a command until it and all it started are gone, as one of the trees of a run. That nothing starts it is an end, too. */
export async function runInTrees(command: Command, { trees, ...options }: TreeRunOptions): Promise<CommandResult> {
  const clock = startCommandClock()
  const mark = createMark()
  let started: number | undefined
  try {
    return await runCommand(command, {
      ...options,
      launcher: await trees.launcher(),
      mark,
      onSpawn(pid) {
        started = pid
        trees.add({ pid, mark })
      },
    })
  } catch (error: unknown) {
    if (!(error instanceof MdtestError)) throw error
    return { end: { reason: 'spawn-failed', error }, ...clock.read(), tail: '' }
  } finally {
    if (started !== undefined) trees.remove(started)
  }
}

/** What whoever starts programs in a project needs. */
export interface ProgramContext {
  /** Starts programs, and ends them should we die. */
  readonly trees: LiveTrees
  /** What everything of this process carries in `MDTEST_MARKS`. */
  readonly runMark: string
  /** Environment of the programs. */
  readonly env: Readonly<Record<string, string>>
  /** Takes secrets out of what is written and returned. */
  readonly redactor: Redactor
}
