import type { Shell } from '../exec/open-shell.ts'
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
  /** The limit of its step, with what is left of it, in milliseconds. */
  readonly limit?: { readonly limitMs: number; leftMs(): number } | undefined
  /** What earlier blocks of the scenario captured, by name. A block adds to it. */
  readonly captures: Map<string, string>
  /** What executes `ts` and `js` blocks; where there is none they fail. */
  readonly modules?: Pick<ModuleRun, 'execute' | 'isDebugged' | 'signal'> | undefined
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
  const { attributes, role, line, file } = block
  if (attributes.skip === true) {
    throw new MdtestError('EXEC_SKIPPED_BLOCK', `The block at line ${line} is marked \`skip\` and cannot be run.`)
  }
  const finding = await findOutcome(block, context)
  return { role, line: finding.line ?? line, ...(file !== undefined && { file }), ...finding }
}

async function findOutcome(block: Block, context: BlockContext): Promise<BlockFinding> {
  const { shell, cwd, timeoutMs, limit, redact = asItIs } = context
  const { attributes } = block
  const unsupported = findUnsupported(block)
  if (unsupported !== undefined) return fail(unsupported)
  const directory = resolveBlockCwd(cwd, attributes.cwd)
  if (!directory.ok) return fail(directory.message)
  const run: BlockRun = {
    shell,
    // Asked for anew by each command of a transcript.
    get timeoutMs() {
      return withinStep(attributes.timeoutMs ?? timeoutMs, limit)
    },
    cwd: directory.path,
    env: attributes.env,
    redact,
    captures: new Map(context.captures),
  }
  const finding = sayWhoseLimit(await runKind(block, run, context), limit)
  if (finding.status === 'pass') for (const [name, value] of run.captures) context.captures.set(name, value)
  return finding
}

async function runKind(block: Block, run: BlockRun, { cwd, modules }: BlockContext): Promise<BlockFinding> {
  if (block.kind === 'console') return runConsole(block, run)
  if (block.kind === 'script') return runScript(block, run)
  if (block.kind === 'module' && modules) return runModule(block, { ...run, ...modules, dir: run.cwd ?? cwd })
  return fail(`A \`${block.kind}\` block is not supported yet.`)
}

/** A timer takes whole milliseconds, from 1. */
function withinStep(ownMs: number, limit: BlockContext['limit']): number {
  return limit === undefined ? ownMs : Math.max(1, Math.min(ownMs, Math.ceil(limit.leftMs())))
}

function sayWhoseLimit(finding: BlockFinding, limit: BlockContext['limit']): BlockFinding {
  if (limit === undefined || finding.status !== 'timeout' || limit.leftMs() > 0) return finding
  const whose = `The \`timeout\` of the step, ${limit.limitMs} ms for all that it does, is over.`
  return { ...finding, message: `${whose} ${finding.message}` }
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
