import type { AgentTerminal } from '../host/agent-run/agent-task.ts'
import type { KeptRecording } from '../host/rewrite/write-recordings.ts'
import type { ResolvedOptions } from './options/option-defaults.ts'
import type { CommandLine } from './options/spec-settings.ts'

export interface SpecsConfig {
  readonly options: ResolvedOptions
  readonly commandLine: CommandLine
  /** Absolute paths of specs that the user chose by hand. These specs need not match the option `include`. */
  readonly files?: readonly string[]
  /** How many specs run at once. Absent: Vitest's choice. */
  readonly concurrency?: number
  readonly signal?: AbortSignal
  /** The terminal in which agents show their own interface. */
  readonly terminal?: AgentTerminal
  /** Set by `mdtest record`: `write` replaces recordings, `check` only reports on them. */
  readonly record?: 'write' | 'check'
  readonly onKept?: (kept: KeptRecording) => void
  /** Set if the command line asks for a report; `dir` is an absolute path. */
  readonly report?: { readonly dir?: string }
}
