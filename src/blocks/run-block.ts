import type { Shell } from '../exec/open-shell.ts'
import type { Rewrite } from '../output/rewrite-source.ts'
import type { BlockOutcome } from '../shared/block-outcome.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import type { Redact } from '../shared/redact-texts.ts'
import type { Block } from '../spec/spec.ts'
import type { BlockFinding, BlockRun } from './block-finding.ts'
import { resolveBlockCwd } from './resolve-block-cwd.ts'
import { runConsole } from './run-console.ts'
import { runModule, type ModuleRun } from './run-module.ts'
import { runScript } from './run-script.ts'

export interface BlockContext {
  /** The shell of the scenario. */
  readonly shell: Shell
  /** Absolute path of the scenario's directory. */
  readonly cwd: string
  /** Limit of a script or of one transcript command where the block names none, in milliseconds. */
  readonly timeoutMs: number
  /** What earlier blocks of the scenario captured, by name. A block adds to it. */
  readonly captures: Map<string, string>
  /** What executes `ts` and `js` blocks; where there is none they fail. */
  readonly modules?: Pick<ModuleRun, 'execute' | 'isDebugged' | 'signal'> | undefined
  /**
   * Takes secrets out of what is said of a block; what it printed is compared as it came. Default: nothing is taken out.
   */
  readonly redact?: Redact
  /** Present where expected output that differs is rewritten, and the block passes then. */
  readonly update?: OutputUpdate | undefined
}

/** Rewrites expected output, where the user asks for it. */
export interface OutputUpdate {
  /** Why these lines of the block cannot be rewritten, with a way out. */
  refuse(block: Block, rewrite: Rewrite): string | undefined
  /** The block passed, once these lines are rewritten. */
  accept(block: Block, rewrites: readonly Rewrite[]): void
}

/**
 * Executes a block and compares what it did with what the spec says. Every way to go wrong is
 * an outcome.
 * @throws MdtestError `EXEC_SKIPPED_BLOCK` for a block marked `skip`: it has no outcome, the caller leaves it out.
 */
export async function runBlock(block: Block, context: BlockContext): Promise<BlockOutcome> {
  const { attributes, role, line, file } = block
  if (attributes.skip === true) {
    throw new MdtestError('EXEC_SKIPPED_BLOCK', `The block at line ${line} is marked \`skip\` and cannot be run.`)
  }
  const finding = await findOutcome(block, context)
  return { role, line: finding.line ?? line, ...(file !== undefined && { file }), ...finding }
}

async function findOutcome(block: Block, context: BlockContext): Promise<BlockFinding> {
  const { shell, cwd, timeoutMs, redact = asItIs, update } = context
  const { attributes } = block
  const unsupported = findUnsupported(block)
  if (unsupported !== undefined) return fail(unsupported)
  const directory = resolveBlockCwd(cwd, attributes.cwd)
  if (!directory.ok) return fail(directory.message)
  const run: BlockRun = {
    shell,
    timeoutMs: attributes.timeoutMs ?? timeoutMs,
    cwd: directory.path,
    env: attributes.env,
    redact,
    captures: new Map(context.captures),
    update: update && { rewrites: [], refuse: (rewrite) => update.refuse(block, rewrite) },
  }
  const finding = await runKind(block, run, context)
  if (finding.status !== 'pass') return finding
  for (const [name, value] of run.captures) context.captures.set(name, value)
  update?.accept(block, run.update?.rewrites ?? [])
  return finding
}

async function runKind(block: Block, run: BlockRun, { cwd, modules }: BlockContext): Promise<BlockFinding> {
  if (block.kind === 'console') return runConsole(block, run)
  if (block.kind === 'script') return runScript(block, run)
  if (block.kind === 'module' && modules) return runModule(block, { ...run, ...modules, dir: run.cwd ?? cwd })
  return fail(`A \`${block.kind}\` block is not supported yet.`)
}

const asItIs: Redact = (text) => text

/** What would otherwise be passed over in silence. */
function findUnsupported({ attributes, kind }: Block): string | undefined {
  if (attributes.background === true) return 'The attribute `background` is not supported yet. Use `command &`.'
  if (attributes.wait !== undefined) return 'The attribute `wait` is not supported yet.'
  if (attributes.file !== undefined && kind !== 'file') return 'The attribute `file` does not fit a block that is run.'
  return undefined
}

function fail(message: string): BlockFinding {
  return { status: 'fail', message }
}
