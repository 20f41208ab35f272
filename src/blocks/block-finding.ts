import type { Shell } from '../system/shell/open-shell.ts'
import type { Rewrite } from './expected-output/rewrite-markdown.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import type { BlockServices } from './service/block-services.ts'
import type { BlockCaptures } from './captures.ts'
import type { AfterFailure } from '../spec/front-matter/front-matter.ts'
import type { Block } from '../spec/spec.ts'
import type { Redact } from '../system/redaction/redact-texts.ts'

export type BlockFinding = Omit<BlockOutcome, 'role' | 'line'> & { readonly line?: number }

/** Returns a failure of the block itself, which says nothing about the product. */
export function fail(message: string): BlockFinding {
  return { status: 'fail', message, isBroken: true }
}

export interface BlockRun {
  readonly shell: Shell
  readonly services: BlockServices
  /** Time limit of a script or of one transcript command, unless the block sets its own. */
  readonly timeoutMs: number
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly afterFailure: AfterFailure
  /** Ends a `wait` when the run is canceled, but does not end `shell`. */
  readonly signal: AbortSignal
  readonly captures: BlockCaptures
  readonly workDir: string
  exportCaptures(): Promise<string | undefined>
  /** Variables of mdtest's environment that the shell does not get. */
  readonly withheld: ReadonlySet<string>
  /** Redacts messages about a block. The block's output is compared unredacted. */
  readonly redact: Redact
  readonly update: BlockUpdate | undefined
  /** Called for each command that ran to its end, before the next command begins. */
  readonly onCommand?: ((ended: EndedCommand) => Promise<void>) | undefined
}

/** A transcript command, or a line of a browser block, that ran to its end. */
export interface EndedCommand {
  readonly block: Block
  readonly line: number
  readonly exitCode: number
  /** Raw output of the block's stream, or of both streams in order. In a browser block: lines of the page. */
  readonly printed: string
  readonly passwords?: readonly string[]
  readonly captures: ReadonlyMap<string, string>
}

export interface BlockUpdate {
  readonly rewrites: Rewrite[]
  refuse(rewrite: Rewrite): string | undefined
}
