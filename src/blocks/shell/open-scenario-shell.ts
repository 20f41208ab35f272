import { randomUUID } from 'node:crypto'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import { withMarks } from '../../system/process/trees/marks.ts'
import { openShell, type Shell } from '../../system/shell/open-shell.ts'
import { requiredVariables, shellEnvironment } from './shell-environment.ts'

export interface ScenarioShellOptions {
  readonly launcher: LauncherAddress
  readonly cwd: string
  readonly tempDir: string
  /** Absolute path of the spec's folder, or of the same folder in the working copy. */
  readonly specDir: string
  readonly root: string
  /** Environment of this process. The shell gets only a few of its variables. */
  readonly env: NodeJS.ProcessEnv
  readonly requires: readonly string[]
  readonly extraEnv: Readonly<Record<string, string>>
  readonly runMark: string
  /** Adds tracing to `NODE_OPTIONS`. Default: nothing is traced. */
  readonly trace?: ((given: string | undefined) => string) | undefined
  /** Whether a new shell can take over the state of a lost one. */
  readonly canRecover: boolean
  onStart(tree: { readonly pid: number; readonly mark: string }): void
  /** Called when the whole process tree has ended. */
  onEnd(pid: number): void
}

export function openScenarioShell(options: ScenarioShellOptions): Shell {
  const { cwd, tempDir, specDir, root, env, requires, extraEnv, runMark, canRecover, trace } = options
  const mark = randomUUID()
  const required = requiredVariables(requires)
  const started: number[] = []
  const own = shellEnvironment({ env, specDir, root, tempDir, required, extra: extraEnv })
  const traced = trace && { NODE_OPTIONS: trace(own.NODE_OPTIONS) }
  const shell = openShell({
    launcher: options.launcher,
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
