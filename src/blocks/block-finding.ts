import type { Shell } from '../system/shell/open-shell.ts'
import type { Rewrite } from './expected-output/rewrite-source.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import type { ScenarioTools } from './tools/scenario-tools.ts'
import type { BlockServices } from './service/block-services.ts'
import type { BlockCaptures } from './captures.ts'
import type { AfterFailure } from '../spec/front-matter/front-matter.ts'
import type { Block } from '../spec/spec.ts'
import type { Redact } from '../system/redaction/redact-texts.ts'

/** What was found, without what every outcome of the block has. */
export type BlockFinding = Omit<BlockOutcome, 'role' | 'line'> & { readonly line?: number }

/** How the commands of a block are run. */
export interface BlockRun {
  readonly shell: Shell
  readonly services: BlockServices
  readonly timeoutMs: number
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly afterFailure: AfterFailure
  /** Ends what is waited for, when the run is canceled. */
  readonly signal: AbortSignal
  /** Values of names of expected output. Kept for later blocks only if this one passes. */
  readonly captures: BlockCaptures
  /** MCP servers whose tools `mcp` blocks call. */
  readonly tools: ScenarioTools | undefined
  /** Absolute path of the scenario's directory. */
  readonly workDir: string
  /** Makes variables of the shell of what was captured since; says why one cannot be. */
  exportCaptures(): Promise<string | undefined>
  /** Names of variables that are set where mdtest runs and that the shell does not get. */
  readonly withheld: ReadonlySet<string>
  /** Takes secrets out of messages. */
  readonly redact: Redact
  /** Present where expected output that differs is rewritten. */
  readonly update: BlockUpdate | undefined
  /** Is told of each command of a transcript that ran to its end, before the next one begins. */
  readonly onCommand: ((ended: EndedCommand) => Promise<void>) | undefined
}

/** A command of a transcript, or a line of a `browser` block, that ran to its end. */
export interface EndedCommand {
  readonly block: Block
  /** Markdown line of the command. */
  readonly line: number
  readonly exitCode: number
  /**
   * As it came; both streams in order, unless the block says otherwise. In a browser the lines of the page that it left.
   */
  readonly printed: string
  /** What stands then in the fields for passwords of a page. */
  readonly passwords?: readonly string[]
  /** All that was captured up to here, by name. */
  readonly captures: ReadonlyMap<string, string>
}

/** What becomes of expected output that differs. */
export interface BlockUpdate {
  /** What is to be rewritten if the block passes. */
  readonly rewrites: Rewrite[]
  /** Why it cannot be rewritten, with a way out. */
  refuse(rewrite: Rewrite): string | undefined
}
