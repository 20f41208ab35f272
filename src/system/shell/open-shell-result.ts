import type { LauncherAddress } from '../process/launcher/launcher.ts'
import type { InheritedLimit } from '../process/trees/marks.ts'

export interface ShellOptions {
  readonly launcher: LauncherAddress
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly tempDir: string
  readonly onSpawn?: ((pid: number) => void) | undefined
  /** Whether to save the state for `recover` before each run (takes about a millisecond). Default: false */
  readonly canRecover?: boolean | undefined
  readonly stateFile?: string | undefined
  readonly limit?: InheritedLimit | undefined
}

export type ShellResult = ShellStatus & {
  readonly stdout: string
  readonly stderr: string
  /** A command before a `|` ended with 126 or 127: its program is missing or is none. */
  readonly isPartUnstarted?: boolean
}

export type ShellStatus =
  | { readonly status: 'done'; readonly exitCode: number; readonly failedLine?: number }
  | { readonly status: 'timeout'; readonly timeoutMs: number }
  | { readonly status: 'too-much-output'; readonly limitBytes: number }
  | { readonly status: 'lost'; readonly message: string; readonly signal?: NodeJS.Signals }
  | { readonly status: 'refused'; readonly message: string; readonly failedLine?: number }

export interface ShellRunOptions {
  readonly timeoutMs: number
  /** `merged`: `stdout` contains both streams in the order in which they were written. */
  readonly streams: 'merged' | 'separate'
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly continues?: boolean
  /** Whether to run like `bash -eo pipefail`. After the run, these options end, unless the code itself set them. */
  readonly isStrict?: boolean | undefined
  readonly onOutput?: ((chunk: Buffer) => void) | undefined
}
