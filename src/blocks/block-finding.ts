import type { Shell } from '../exec/open-shell.ts'
import type { BlockOutcome } from '../shared/block-outcome.ts'
import type { BlockServices } from './block-services.ts'
import type { Redact } from '../shared/redact-texts.ts'

/** What was found, without what every outcome of the block has. */
export type BlockFinding = Omit<BlockOutcome, 'role' | 'line'> & { readonly line?: number }

/** How the commands of a block are run. */
export interface BlockRun {
  readonly shell: Shell
  readonly services: BlockServices
  readonly timeoutMs: number
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** Ends what is waited for, when the run is canceled. */
  readonly signal: AbortSignal
  /** Values of names of expected output. Kept for later blocks only if this one passes. */
  readonly captures: Map<string, string>
  /** Takes secrets out of messages. */
  readonly redact: Redact
}
