import { randomUUID } from 'node:crypto'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import { withMarks } from '../../system/process/trees/marks.ts'
import { openShell, type Shell } from '../../system/shell/open-shell.ts'
import { requiredVariables, shellEnvironment } from './shell-environment.ts'

/** The root of a process tree that was started for a scenario, and the mark that only this tree carries. */
export interface ShellTree {
  readonly pid: number
  readonly mark: string
}

export interface ScenarioShellOptions {
  /** Who starts it. */
  readonly launcher: LauncherAddress
  /** Absolute path of the directory it starts in. */
  readonly cwd: string
  /** Existing private directory. */
  readonly tempDir: string
  /** Absolute path of the folder of the spec, or of its place in the copy that is worked in. */
  readonly specDir: string
  /** Absolute path of the suite root, or of the copy that is worked in. */
  readonly root: string
  /** Environment of this process, of which little is passed on. */
  readonly env: NodeJS.ProcessEnv
  /** What the spec's front matter requires, as written. */
  readonly requires: readonly string[]
  /** What the spec's front matter adds to the environment. */
  readonly extraEnv: Readonly<Record<string, string>>
  /** Mark of the whole run. */
  readonly runMark: string
  /** Whether its state is kept for a tear-down after the shell is lost. */
  readonly canRecover: boolean
  onStart(tree: ShellTree): void
  /** The whole tree is gone. */
  onEnd(pid: number): void
}

/** Opens the one shell of a scenario in its clean environment. */
export function openScenarioShell(options: ScenarioShellOptions): Shell {
  const { cwd, tempDir, specDir, root, env, requires, extraEnv, runMark, canRecover } = options
  const mark = randomUUID()
  const required = requiredVariables(requires)
  const started: number[] = []
  const shell = openShell({
    launcher: options.launcher,
    cwd,
    tempDir,
    canRecover,
    env: withMarks(shellEnvironment({ env, specDir, root, tempDir, required, extra: extraEnv }), [runMark, mark]),
    onSpawn: (pid) => {
      started.push(pid)
      options.onStart({ pid, mark })
    },
  })
  return {
    start: shell.start,
    run: shell.run,
    cancel: shell.cancel,
    recover: shell.recover,
    define: shell.define,
    startService: shell.startService,
    fork: shell.fork,
    async close() {
      await shell.close()
      for (const pid of started) options.onEnd(pid)
    },
  }
}
