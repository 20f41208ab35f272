import type { AgentTerminal } from '../host/agent-run/agent-task.ts'
import type { KeptRecording } from '../host/rewrite/recordings.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import type { CommandLine } from './options/spec-settings.ts'

export interface SpecsConfig {
  readonly options: ResolvedOptions
  readonly commandLine: CommandLine
  /** Absolute paths of specs that were chosen by hand, whatever the option `include` says. */
  readonly files?: readonly string[]
  /** How many specs run at once. Absent: Vitest's choice. */
  readonly concurrency?: number
  /** Interrupts the run. */
  readonly signal?: AbortSignal
  /** Where agents show their own interface. */
  readonly terminal?: AgentTerminal
  /** `mdtest record`: recordings are written anew, or, with `check`, only told of. */
  readonly record?: 'write' | 'check'
  readonly onKept?: (kept: KeptRecording) => void
  /** Asked for by the command line; `dir` is absolute. */
  readonly report?: { readonly dir?: string }
}
