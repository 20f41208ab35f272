import { lineOf, type Block } from '../spec/spec.ts'
import { ownCopy } from '../system/mdtest-package.ts'
import type { BlockOutcome, Comparisons } from '../records/block-outcome.ts'
import { isInside } from '../system/files/paths.ts'
import { resolve } from 'node:path'
import { realpathSync, statSync } from 'node:fs'
import { isStrict, type ScriptBlock } from './shell/failed-line.ts'
import { refuseOpenHereDocuments } from './shell/here-documents.ts'
import { runScript } from './shell/run-script.ts'
import { writeFileBlock } from './write-file-block.ts'
import { runUntilReady } from './service/run-until-ready.ts'
import { runModule, type ModuleRun } from './module/run-module.ts'
import { runConsole } from './shell/run-console.ts'
import type { ScenarioBrowser } from './browser/scenario-browser.ts'
import { browserLimitMs } from '../spec/browser/limits.ts'
import { runBrowser } from './browser/run-browser.ts'
import { fail, type BlockFinding, type BlockRun } from './block-finding.ts'
import { BlockCaptures, type Captures } from './captures.ts'
import { expectationsOf } from '../spec/blocks/expectations-of.ts'
import { countsAsCheck } from './expected-output/counts-as-check.ts'
import { orNothing } from '../system/error-facts.ts'
import type { Rewrite } from './expected-output/rewrite-markdown.ts'
import type { Shell } from '../system/shell/open-shell.ts'

/** A service that ends unexpectedly counts as a failed block. Other failures include the services' recent output. */
export async function runBlocks(blocks: readonly Block[], context: BlockContext): Promise<readonly BlockOutcome[]> {
  const { services, afterFailure } = context
  const outcomes: BlockOutcome[] = []
  for (const block of blocks) {
    const ended = services.drainLost()
    if (ended.length > 0) return [...outcomes, ...ended]
    const mark = services.mark()
    const outcome = await runBlock(block, context)
    const told = outcome.status === 'pass' || outcome.status === 'skipped' ? '' : services.describeSince(mark)
    const message = told === '' ? outcome.message : `${outcome.message}\n\n${told}`
    // Copy the message, because a slice would keep the whole output in memory.
    outcomes.push({ ...outcome, message: ownCopy(message) })
    // Discard ended services, because the outcome already reports them.
    if (outcome.status !== 'pass') services.drainLost()
    if (outcome.status === 'pass' || (outcome.status === 'fail' && afterFailure === 'continue')) continue
    // Stop watching the services: only the teardown may still need them.
    services.release()
    return outcomes
  }
  return [...outcomes, ...services.drainLost()]
}

export interface BlockContext extends Pick<
  BlockRun,
  'shell' | 'services' | 'timeoutMs' | 'afterFailure' | 'signal' | 'withheld' | 'redact' | 'onCommand'
> {
  /** Returns the shell for recorded blocks, or a message on failure. Default: `shell`. */
  readonly forkForRecorded?: () => Promise<Shell | string>
  readonly cwd: string
  readonly limit?: { readonly limitMs: number; leftMs(): number } | undefined
  readonly captures: Captures
  /** If absent, browser blocks fail. */
  readonly browser?: ScenarioBrowser | undefined
  /** Executes `ts` and `js` blocks. If absent, these fail. */
  readonly modules?: Pick<ModuleRun, 'execute' | 'isDebugged'> | undefined
  /** If present, mdtest rewrites expected output that differs, and the block passes. */
  readonly update?: OutputUpdate | undefined
}

export interface OutputUpdate {
  refuse(block: Block, rewrite: Rewrite): string | undefined
  accept(block: Block, rewrites: readonly Rewrite[]): void
}

/** Executes a block and compares the result with the spec. Every failure is returned as an outcome. */
export async function runBlock(block: Block, context: BlockContext): Promise<BlockOutcome> {
  const { isOutputOnly, ...finding } = await findOutcome(block, context)
  const outcome = { role: block.role, ...lineOf(block), ...finding }
  if (block.isRecorded !== true) return outcome
  // A recorded block must not skip the scenario: the agent was able to go on when the block was recorded.
  const status = outcome.status === 'skipped' ? 'fail' : outcome.status
  return { ...outcome, status, isRecorded: true, ...(isOutputOnly && { isOutputOnly }) }
}

async function findOutcome(block: Block, context: BlockContext): Promise<BlockFinding> {
  const { cwd, timeoutMs, limit, update, redact } = context
  const { attributes } = block
  if (block.kind === 'file') return writeFileBlock(block, cwd)
  const blockCwd = attributes.cwd === undefined ? undefined : resolve(cwd, attributes.cwd)
  const cwdProblem = blockCwd && problemOfCwd(blockCwd, cwd)
  if (cwdProblem !== undefined) return fail(`The block's \`cwd=${attributes.cwd}\` ${cwdProblem}`)
  const ownMs = block.kind === 'browser' ? browserLimitMs(block) : (attributes.timeoutMs ?? timeoutMs)
  const shell = (block.isRecorded === true && (await context.forkForRecorded?.())) || context.shell
  if (typeof shell === 'string') return fail(redact(shell))
  const run: BlockRun = {
    ...context,
    shell: refuseOpenHereDocuments(shell),
    // A getter, because each command of a transcript has less time left.
    get timeoutMs() {
      // Timers take whole milliseconds, at least 1.
      return limit === undefined ? ownMs : Math.max(1, Math.min(ownMs, Math.ceil(limit.leftMs())))
    },
    cwd: blockCwd,
    env: attributes.env,
    captures: new BlockCaptures(context.captures.values),
    workDir: cwd,
    async exportCaptures() {
      return context.captures.export(this.captures.drainAdded(), shell)
    },
    update: update && { rewrites: [], refuse: (rewrite) => update.refuse(block, rewrite) },
  }
  const runBlock = (): Promise<BlockFinding> => runKind(block, run, context)
  const finding = await (attributes.wait === undefined ? runBlock() : runUntilReady(block, run, runBlock))
  if (finding.status !== 'pass') return sayWhoseLimit(finding, limit)
  const problem = (await run.exportCaptures()) ?? context.captures.keep(run.captures)
  if (problem !== undefined) return fail(redact(problem))
  if (!update || !run.update) return finding
  const { rewrites } = run.update
  update.accept(block, rewrites)
  return { comparisons: countComparisons(block, rewrites), ...finding }
}

async function runKind(block: Block, run: BlockRun, { modules, browser }: BlockContext): Promise<BlockFinding> {
  if (block.kind === 'console') return runConsole(block, run)
  if (block.kind === 'script' && block.attributes.background === true) return runService(block, run)
  if (block.kind === 'script') return runScript(block, run)
  if (block.kind === 'browser' && browser) return runBrowser(block, { ...run, browser })
  if (block.kind === 'module' && modules) return runModule(block, { ...run, ...modules })
  return fail(`A \`${block.kind}\` block is not supported yet.`)
}

function sayWhoseLimit(finding: BlockFinding, limit: BlockContext['limit']): BlockFinding {
  if (limit === undefined || finding.status !== 'timeout' || limit.leftMs() > 0) return finding
  const whose = `The \`timeout\` of the step, ${limit.limitMs} ms for all that it does, is over.`
  return { ...finding, message: `${whose} ${finding.message}` }
}

async function runService(block: ScriptBlock, run: BlockRun): Promise<BlockFinding> {
  const { shell, services, cwd, env } = run
  const service = await shell.startService(block.code, { cwd, env, isStrict: isStrict(block) })
  if (typeof service === 'string') return fail(`The service could not be started. ${run.redact(service)}`)
  services.add(block, service)
  return { status: 'pass', message: '' }
}

/** Counts the comparisons of a passed block. Exit code 0 and lines that match any output prove too little to count. */
function countComparisons(block: Block, rewrites: readonly Rewrite[]): Comparisons {
  const written = new Set(rewrites.map(({ line }) => line))
  const held = expectationsOf(block).filter(
    ({ line, exitCode, lines }) => !written.has(line) && (exitCode !== undefined || lines.some(countsAsCheck)),
  )
  return { written: rewrites.length, held: held.length }
}

function problemOfCwd(path: string, scenarioCwd: string): string | undefined {
  const isIn = isInside(path, resolve(scenarioCwd))
  const stats = isIn ? orNothing(() => statSync(path)) : undefined
  if (!isIn || (stats && !isInside(realpathSync(path), realpathSync(scenarioCwd))))
    return "leads out of the scenario's directory."
  return stats?.isDirectory() ? undefined : 'is no directory. Create it in an earlier block.'
}
