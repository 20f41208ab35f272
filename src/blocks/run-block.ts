import type { Shell } from '../exec/open-shell.ts'
import type { BlockOutcome } from '../shared/block-outcome.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import type { Redact } from '../shared/redact-texts.ts'
import type { Block } from '../spec/spec.ts'
import type { BlockServices } from './block-services.ts'
import type { BlockFinding, BlockRun } from './block-finding.ts'
import { resolveBlockCwd } from './resolve-block-cwd.ts'
import { runConsole } from './run-console.ts'
import { runScript } from './run-script.ts'
import { runService } from './run-service.ts'
import { runUntilReady } from './run-until-ready.ts'
import { writeFileBlock } from './write-file-block.ts'

export interface BlockContext {
  /** The shell of the scenario. */
  readonly shell: Shell
  /** Absolute path of the scenario's directory. */
  readonly cwd: string
  /** Limit of a script or of one transcript command where the block names none, in milliseconds. */
  readonly timeoutMs: number
  /** Services that earlier blocks of the scenario started. A block adds to it. */
  readonly services: BlockServices
  /** Ends a `wait` when the run is canceled; `shell` has to be ended besides. */
  readonly signal: AbortSignal
  /** What earlier blocks of the scenario captured, by name. A block adds to it. */
  readonly captures: Map<string, string>
  /**
   * Takes secrets out of what is said of a block; what it printed is compared as it came. Default: nothing is taken out.
   */
  readonly redact?: Redact
}

/**
 * Executes a block and compares what it did with what the spec says. Every way to go wrong is
 * an outcome.
 * @throws MdtestError `EXEC_SKIPPED_BLOCK` for a block marked `skip`: it has no outcome, the caller leaves it out.
 */
export async function runBlock(block: Block, context: BlockContext): Promise<BlockOutcome> {
  const { attributes, role, line } = block
  if (attributes.skip === true) {
    throw new MdtestError('EXEC_SKIPPED_BLOCK', `The block at line ${line} is marked \`skip\` and cannot be run.`)
  }
  const finding = await findOutcome(block, context)
  return { role, line: finding.line ?? line, ...finding }
}

async function findOutcome(
  block: Block,
  { shell, services, cwd, timeoutMs, signal, redact = asItIs }: BlockContext,
): Promise<BlockFinding> {
  const { attributes } = block
  if (block.kind === 'file') return writeFileBlock(block, cwd)
  const directory = resolveBlockCwd(cwd, attributes.cwd)
  if (!directory.ok) return fail(directory.message)
  const run: BlockRun = {
    shell,
    services,
    signal,
    timeoutMs: attributes.timeoutMs ?? timeoutMs,
    cwd: directory.path,
    env: attributes.env,
    redact,
  }
  const { wait } = attributes
  if (wait === undefined) return runKind(block, run)
  return runUntilReady(block, run, { wait, workDir: cwd, runBlock: () => runKind(block, run) })
}

async function runKind(block: Block, run: BlockRun): Promise<BlockFinding> {
  if (block.kind === 'console') return runConsole(block, run)
  if (block.kind !== 'script') return fail(`A \`${block.kind}\` block is not supported yet.`)
  return block.attributes.background === true ? runService(block, run) : runScript(block, run)
}

const asItIs: Redact = (text) => text

function fail(message: string): BlockFinding {
  return { status: 'fail', message }
}
