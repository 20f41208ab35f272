import type { Block } from '../spec/spec.ts'
import { ownCopy } from '../system/own-package.ts'
import type { BlockOutcome, Comparisons } from '../records/block-outcome.ts'
import { isInside } from '../system/files/paths.ts'
import { resolve } from 'node:path'
import { realpathSync, statSync } from 'node:fs'
import { isStrict, type ScriptBlock } from './shell/failed-line.ts'
import { runScript } from './shell/run-script.ts'
import { unixLines } from './expected-output/output-lines.ts'
import { writeFileBlock } from './write-file-block.ts'
import { runUntilReady } from './service/run-until-ready.ts'
import { runModule, type ModuleRun } from './module/run-module.ts'
import { runConsole } from './shell/run-console.ts'
import type { ScenarioBrowser } from './browser/scenario-browser.ts'
import { browserLimitMs } from '../spec/browser/limits.ts'
import { runBrowser } from './browser/run-browser.ts'
import { fail, type BlockFinding, type BlockRun } from './block-finding.ts'
import { BlockCaptures, type Captures } from './captures.ts'
import type { BlockServices } from './service/block-services.ts'
import type { AfterFailure } from '../spec/front-matter/front-matter.ts'
import { expectationsOf, isTelling } from '../spec/blocks/expectations-of.ts'
import type { Redact } from '../system/redaction/redact-texts.ts'
import { orNothing } from '../system/error-facts.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import type { Rewrite } from './expected-output/rewrite-source.ts'
import type { Shell } from '../system/shell/open-shell.ts'

/**
 * Runs blocks in order up to the first that does not pass, or all of them where `afterFailure` says so. A service that
 * has ended although it should not counts as a block that failed, and with any other failure stands what the services
 * wrote meanwhile.
 */
export async function runBlocks(blocks: readonly Block[], context: BlockContext): Promise<readonly BlockOutcome[]> {
  const { services, afterFailure } = context
  const outcomes: BlockOutcome[] = []
  for (const block of blocks) {
    const ended = services.drainLost()
    if (ended) return [...outcomes, ended]
    const mark = services.mark()
    const outcome = await runBlock(block, context)
    const told = outcome.status === 'pass' || outcome.status === 'skipped' ? '' : services.describeSince(mark)
    const message = told === '' ? outcome.message : `${outcome.message}\n\n${told}`
    // A slice would keep the whole output in memory.
    outcomes.push({ ...outcome, message: ownCopy(message) })
    // The outcome tells of a service that has ended.
    if (outcome.status !== 'pass') services.drainLost()
    if (outcome.status === 'pass' || (outcome.status === 'fail' && afterFailure === 'continue')) continue
    // Only the tear-down may still need the services.
    services.release()
    return outcomes
  }
  const ended = services.drainLost()
  return ended ? [...outcomes, ended] : outcomes
}

export interface BlockContext {
  readonly shell: Shell
  /** The shell of recorded blocks; a text says why there is none. Default: that of all others. */
  readonly forkForRecorded?: () => Promise<Shell | string>
  readonly cwd: string
  /** Limit of a script or of one transcript command where the block names none, in milliseconds. */
  readonly timeoutMs: number
  /** Whether the commands and blocks behind a failed one are run as well. Default: `stop`. */
  readonly afterFailure?: AfterFailure
  readonly limit?: { readonly limitMs: number; leftMs(): number } | undefined
  readonly services: BlockServices
  /** Ends a `wait` when the run is canceled; `shell` has to be ended besides. */
  readonly signal: AbortSignal
  readonly captures: Captures
  /** Names of variables that are set where mdtest runs and that the shell does not get. Default: none. */
  readonly withheld?: ReadonlySet<string> | undefined
  /** The browser of the scenario; where there is none browser blocks fail. */
  readonly browser?: ScenarioBrowser | undefined
  /** What executes `ts` and `js` blocks; where there is none they fail. */
  readonly modules?: Pick<ModuleRun, 'execute' | 'isDebugged'> | undefined
  /** Takes secrets out of what is said of a block; what it printed is compared as it came. Default: none. */
  readonly redact?: Redact
  /** Present where expected output that differs is rewritten, and the block passes then. */
  readonly update?: OutputUpdate | undefined
  /** Is told of each command of a transcript that ran to its end, before the next one begins. */
  readonly onCommand?: BlockRun['onCommand']
}

export interface OutputUpdate {
  refuse(block: Block, rewrite: Rewrite): string | undefined
  accept(block: Block, rewrites: readonly Rewrite[]): void
}

/**
 * Executes a block and compares what it did with what the spec says. Every way to go wrong is an outcome.
 * @throws MdtestError `EXEC_SKIPPED_BLOCK` for a block marked `skip`: it has no outcome, the caller leaves it out.
 */
export async function runBlock(block: Block, context: BlockContext): Promise<BlockOutcome> {
  const { attributes, role, line, file } = block
  if (attributes.skip === true) {
    throw new MdtestError('EXEC_SKIPPED_BLOCK', `The block at line ${line} is marked \`skip\` and cannot be run.`)
  }
  const { isOutputOnly, ...finding } = await findOutcome(block, context)
  const outcome = { role, line: finding.line ?? line, ...(file !== undefined && { file }), ...finding }
  if (block.isRecorded !== true) return outcome
  // The agent was not asked to skip: where it could go on, a replay has to.
  const status = outcome.status === 'skipped' ? 'fail' : outcome.status
  return { ...outcome, status, isRecorded: true, ...(isOutputOnly && { isOutputOnly }) }
}

async function findOutcome(block: Block, context: BlockContext): Promise<BlockFinding> {
  const { services, cwd, timeoutMs, limit, signal, update } = context
  const { redact = (text) => text, withheld = new Set(), afterFailure = 'stop' } = context
  const { attributes } = block
  if (block.kind === 'file') return writeFileBlock(block, cwd)
  const blockCwd = attributes.cwd === undefined ? undefined : resolve(cwd, attributes.cwd)
  const cwdProblem = blockCwd && problemOfCwd(blockCwd, cwd)
  if (cwdProblem !== undefined) return fail(`The block's \`cwd=${attributes.cwd}\` ${cwdProblem}`)
  const ownMs = block.kind === 'browser' ? browserLimitMs(block) : (attributes.timeoutMs ?? timeoutMs)
  const shell = (block.isRecorded === true && (await context.forkForRecorded?.())) || context.shell
  if (typeof shell === 'string') return fail(redact(shell))
  const run: BlockRun = {
    shell,
    services,
    signal,
    // Asked for anew by each command of a transcript.
    get timeoutMs() {
      // A timer takes whole milliseconds, from 1.
      return limit === undefined ? ownMs : Math.max(1, Math.min(ownMs, Math.ceil(limit.leftMs())))
    },
    cwd: blockCwd,
    env: attributes.env,
    redact,
    withheld,
    afterFailure,
    captures: new BlockCaptures(context.captures.values),
    workDir: cwd,
    async exportCaptures() {
      return context.captures.export(this.captures.drainAdded(), shell)
    },
    onCommand: context.onCommand,
    update: update && { rewrites: [], refuse: (rewrite) => update.refuse(block, rewrite) },
  }
  const { wait } = attributes
  const runBlock = (): Promise<BlockFinding> => runKind(block, run, context)
  const finding = await (wait === undefined ? runBlock() : runUntilReady(block, run, { wait, workDir: cwd, runBlock }))
  if (finding.status !== 'pass') return sayWhoseLimit(finding, limit)
  const problem = (await run.exportCaptures()) ?? context.captures.keep(run.captures)
  if (problem !== undefined) return fail(redact(problem))
  if (!update || !run.update) return finding
  const { rewrites } = run.update
  update.accept(block, rewrites)
  return { comparisons: countComparisons(block, rewrites), ...finding }
}

async function runKind(block: Block, run: BlockRun, { cwd, modules, browser }: BlockContext): Promise<BlockFinding> {
  if (block.kind === 'console') return runConsole(block, run)
  if (block.kind === 'script' && block.attributes.background === true) return runService(block, run)
  if (block.kind === 'script') return runScript(block, run)
  if (block.kind === 'browser' && browser) return runBrowser(block, { ...run, browser })
  if (block.kind === 'module' && modules) return runModule(block, { ...run, ...modules, dir: run.cwd ?? cwd })
  return fail(`A \`${block.kind}\` block is not supported yet.`)
}

function sayWhoseLimit(finding: BlockFinding, limit: BlockContext['limit']): BlockFinding {
  if (limit === undefined || finding.status !== 'timeout' || limit.leftMs() > 0) return finding
  const whose = `The \`timeout\` of the step, ${limit.limitMs} ms for all that it does, is over.`
  return { ...finding, message: `${whose} ${finding.message}` }
}

async function runService(block: ScriptBlock, run: BlockRun): Promise<BlockFinding> {
  const { shell, services, cwd, env } = run
  const service = await shell.startService(unixLines(block.code), { cwd, env, isStrict: isStrict(block) })
  if (typeof service === 'string') return fail(`The service could not be started. ${run.redact(service)}`)
  services.add(block, service)
  return { status: 'pass', message: '' }
}

/**
 * What a block that passed was compared with; a module itself knows better. An exit code of 0 does not count, nor a line that
 * whatever is printed would match: most programs are silent and end with 0.
 */
function countComparisons(block: Block, rewrites: readonly Rewrite[]): Comparisons {
  const written = new Set(rewrites.map(({ line }) => line))
  const held = expectationsOf(block).filter(
    ({ line, exitCode, lines }) => !written.has(line) && (exitCode !== undefined || lines.some(isTelling)),
  )
  return { written: rewrites.length, held: held.length }
}

/** Says why a block's `cwd` is no directory inside of the scenario's, also once links are followed. */
function problemOfCwd(path: string, scenarioCwd: string): string | undefined {
  const isIn = isInside(path, resolve(scenarioCwd))
  const stats = isIn ? orNothing(() => statSync(path)) : undefined
  if (!isIn || (stats && !isInside(realpathSync(path), realpathSync(scenarioCwd))))
    return "leads out of the scenario's directory."
  return stats?.isDirectory() ? undefined : 'is no directory. Create it in an earlier block.'
}
