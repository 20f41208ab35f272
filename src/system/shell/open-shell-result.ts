import type { LauncherAddress } from '../process/launcher/launcher.ts'
import type { InheritedLimit } from '../process/trees/marks.ts'

export interface ShellOptions {
  /** Who starts it. */
  readonly launcher: LauncherAddress
  /** Absolute path of the directory it starts in. */
  readonly cwd: string
  /** The whole environment. `MDTEST_MARKS` is added to, so that children are found at the end. */
  readonly env: Readonly<Record<string, string>>
  /** Existing directory for pipes and saved state; what the shell leaves there goes with it. */
  readonly tempDir: string
  /** A bash process was started: it leads a process group. */
  readonly onSpawn?: ((pid: number) => void) | undefined
  /** Keeps the state before each run, for `recover`; costs about a millisecond each. Default: false. */
  readonly canRecover?: boolean | undefined
  /** File with the state to begin with, in place of `env`. It is removed at the end. */
  readonly stateFile?: string | undefined
  /** What it and all that comes from it carry, so that what leaves its session and environment is found, too. */
  readonly limit?: InheritedLimit | undefined
  /** It has ended; processes that it started may still be there until `close`. */
  readonly onExit?: ((pid: number) => void) | undefined
}

/** What became of one `run`, with its output. Never thrown. */
export type ShellResult = ShellStatus & { readonly stdout: string; readonly stderr: string }

export type ShellStatus =
  | {
      readonly status: 'done'
      readonly exitCode: number
      /** Where the code stopped at a command that failed: its line, from 1. */
      readonly failedLine?: number
    }
  /** Took longer than `timeoutMs`: the shell and all it had started were ended. */
  | { readonly status: 'timeout'; readonly timeoutMs: number }
  /** Wrote more than `limitBytes`: the shell was ended; the output is cut there. */
  | { readonly status: 'too-much-output'; readonly limitBytes: number }
  /** The shell is gone, now or since an earlier command; `message` says why. */
  | { readonly status: 'lost'; readonly message: string; readonly signal?: NodeJS.Signals }
  /** The code cannot be run as it is; `message` says why. The shell lives on. */
  | { readonly status: 'refused'; readonly message: string }

export interface ShellRunOptions {
  /** Limit in milliseconds, 1 to 2 147 483 647. */
  readonly timeoutMs: number
  /** `merged`: both streams in the order they were written, in `stdout`. */
  readonly streams: 'merged' | 'separate'
  /** Directory for this run only (absolute); afterwards the shell is where it was before. */
  readonly cwd?: string | undefined
  /** Variables exported for this run only. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Keeps `cwd` and `env` of the run before for this run, too; has none of its own then. */
  readonly continues?: boolean
  /**
   * Stops at the first command that fails, pipes included, as `bash -eo pipefail` does; the options are as before
   * afterwards, except those that the code has set itself.
   * @default false
   */
  readonly isStrict?: boolean | undefined
  /** Takes all output as it comes; it is neither limited then nor part of the result. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined
}
