import { randomUUID } from 'node:crypto'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import type { LiveTree } from '../../system/process/launcher/live-trees.ts'
import { withMarks } from '../../system/process/trees/marks.ts'
import { openShell, type Shell } from '../../system/shell/open-shell.ts'
import { shellEnvironment, type ShellEnvironmentOptions } from './shell-environment.ts'

interface ScenarioShellOptions extends ShellEnvironmentOptions {
  readonly launcher: LauncherAddress
  readonly cwd: string
  readonly runMark: string
  /** Adds tracing to the given `NODE_OPTIONS`. */
  readonly trace?: ((given: string | undefined) => string) | undefined
  /** Whether a new shell can take over the state of a lost one. */
  readonly canRecover: boolean
  onStart(tree: LiveTree): void
  /** Called when the whole process tree has ended. */
  onEnd(pid: number): void
}

export function openScenarioShell(options: ScenarioShellOptions): Shell {
  const { launcher, cwd, tempDir, runMark, canRecover, trace } = options
  const mark = randomUUID()
  const started: number[] = []
  const own = shellEnvironment(options)
  const traced = trace && { NODE_OPTIONS: trace(own.NODE_OPTIONS) }
  const shell = openShell({
    launcher,
    cwd,
    tempDir,
    canRecover,
    env: withMarks({ ...own, ...traced }, [runMark, mark]),
    onSpawn: (pid) => {
      started.push(pid)
      options.onStart({ pid, mark })
    },
  })
  return {
    ...shell,
    async close() {
      await shell.close()
      for (const pid of started) options.onEnd(pid)
    },
  }
}
