import type { AgentTerminal } from '../host/agent-run/agent-task.ts'
import type { KeptRecording } from '../host/rewrite/recordings.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import type { CommandLine } from './options/spec-settings.ts'

export interface SpecsConfig {
  readonly options: ResolvedOptions
  readonly commandLine: CommandLine
  /** Absolute paths of specs that were chosen by hand, whatever the option `include` says. */
  readonly files?: readonly string[]
  /** How many specs run at once, from 1; absent where that is Vitest's to say. */
  readonly concurrency?: number
  /** Interrupts the run; absent where Vitest's own command is in charge. */
  readonly signal?: AbortSignal
  /** Where agents are shown in their own interface; absent where they work without. */
  readonly terminal?: AgentTerminal
  /** `mdtest record`: recordings are written anew, or, with `check`, only told of. */
  readonly record?: 'write' | 'check'
  /** Is told what became of each recording. */
  readonly onKept?: (kept: KeptRecording) => void
  /** The command line asks for a report, in the folder `dir` (absolute) or that of the options. */
  readonly report?: { readonly dir?: string }
}
