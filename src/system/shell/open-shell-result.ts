import type { LauncherAddress } from '../process/launcher/launcher.ts'
import type { InheritedLimit } from '../process/trees/marks.ts'

export interface ShellOptions {
  readonly launcher: LauncherAddress
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  readonly tempDir: string
  readonly onSpawn?: ((pid: number) => void) | undefined
  /** Keeps the state before each run, for `recover`: about a millisecond each. Default: false. */
  readonly canRecover?: boolean | undefined
  readonly stateFile?: string | undefined
  readonly limit?: InheritedLimit | undefined
  readonly onExit?: ((pid: number) => void) | undefined
}

export type ShellResult = ShellStatus & { readonly stdout: string; readonly stderr: string }

export type ShellStatus =
  | { readonly status: 'done'; readonly exitCode: number; readonly failedLine?: number }
  | { readonly status: 'timeout'; readonly timeoutMs: number }
  | { readonly status: 'too-much-output'; readonly limitBytes: number }
  | { readonly status: 'lost'; readonly message: string; readonly signal?: NodeJS.Signals }
  | { readonly status: 'refused'; readonly message: string }

export interface ShellRunOptions {
  readonly timeoutMs: number
  /** `merged`: both streams in the order they were written, in `stdout`. */
  readonly streams: 'merged' | 'separate'
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly continues?: boolean
  /** As `bash -eo pipefail`. Options that the code has not set are afterwards as before. Default: false. */
  readonly isStrict?: boolean | undefined
  readonly onOutput?: ((chunk: Buffer) => void) | undefined
}
