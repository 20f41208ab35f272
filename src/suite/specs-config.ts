import type { ResolvedOptions } from '../options/resolve-options.ts'
import type { CommandLine } from '../options/spec-settings.ts'

/** What decides how specs are read and run. */
export interface SpecsConfig {
  readonly options: ResolvedOptions
  readonly commandLine: CommandLine
  /** Interrupts the run; absent where Vitest's own command is in charge. */
  readonly signal?: AbortSignal
}
