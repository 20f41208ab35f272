import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Comparisons } from '../../records/block-outcome.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import { describeTakenName } from '../expected-output/parse-template.ts'
import type { Block } from '../../spec/spec.ts'
import { fail, type BlockFinding, type BlockRun } from '../block-finding.ts'
import { openCommands, type Commands } from '../command-tag.ts'
import type { ModuleScope } from './module-scope.ts'
import { alignLines } from '../expected-output/align-lines.ts'
import { formatLineDiff, type DiffLine } from '../expected-output/format-diff.ts'
import { limitTime, maxTimerMs } from '../../system/slots-and-timers.ts'

export type ModuleBlock = Extract<Block, { kind: 'module' }>

export interface ModuleFailure {
  readonly message: string
  /** Line in the markdown; `undefined` if it is unknown. */
  readonly line?: number | undefined
  readonly expected?: string | undefined
  readonly actual?: string | undefined
  readonly isBroken?: boolean
}

export type ModuleRunner = (
  block: ModuleBlock,
  scope: ModuleScope,
  run: { readonly over: AbortSignal; onCompared(comparisons: Comparisons): void },
) => Promise<readonly ModuleFailure[]>

export interface ModuleRun extends BlockRun {
  readonly execute: ModuleRunner
  /** Whether a debugger may stop the code. If so, there is no time limit. */
  readonly isDebugged: boolean
}

/** Runs the code of a block within its time limit. Nothing can stop code that exceeds the limit: it keeps running. */
export async function runModule(block: ModuleBlock, run: ModuleRun): Promise<BlockFinding> {
  const { signal, captures, execute, redact } = run
  const timeoutMs = run.isDebugged ? maxTimerMs : run.timeoutMs
  if (signal.aborted) return canceled
  const deadlineMs = performance.now() + timeoutMs
  const commands = openCommands(run, () => deadlineMs - performance.now())
  const dir = run.cwd ?? run.workDir
  const scope: ModuleScope = {
    $: commands.$,
    // Without `await`, an error of `node:fs` would not contain the caller's line.
    readFile: async (path, encoding = 'utf8') => await readFile(resolve(dir, path), encoding),
    captures,
    dir,
  }
  const over = new AbortController()
  let comparisons: Comparisons | undefined
  const work = execute(block, scope, { over: over.signal, onCompared: (found) => (comparisons = found) })
  const end = await endInTime(work, { timeoutMs, signal })
  over.abort()
  commands.close()
  if (end === 'canceled') return canceled
  // Check the clock, too, because code that never awaits keeps the timer from firing.
  if (end === 'timeout' || performance.now() > deadlineMs) {
    const running = commands.running().map((what) => ` ${what} was still running.`)
    return { status: 'timeout', message: `The block took longer than ${timeoutMs} ms.${running.join('')}` }
  }
  const failures = end.length > 0 ? end : [...findUnfinished(commands), ...findBadCaptures(captures)]
  if (failures.length > 0)
    return { ...describeFailures(failures, redact), ...(commands.wasBroken() && { isBroken: true }) }
  return { status: 'pass', message: '', ...(comparisons && { comparisons }) }
}

const canceled = fail('The block did not run to its end. The run was canceled.')

type End = readonly ModuleFailure[] | 'timeout' | 'canceled'

async function endInTime(
  work: Promise<End>,
  { timeoutMs, signal }: Pick<BlockRun, 'timeoutMs' | 'signal'>,
): Promise<End> {
  using limit = limitTime(timeoutMs, signal)
  const over = new Promise<End>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(signal.aborted ? 'canceled' : 'timeout'))
  })
  return await Promise.race([work, over])
}

/** Reports commands that still run, because nobody would see their output and errors. */
function findUnfinished(commands: Commands): readonly ModuleFailure[] {
  return commands.running().map((what) => ({
    message: `${what} was still running when the block ended. Write \`await\` before its \`$\`.`,
  }))
}

function findBadCaptures(captures: ReadonlyMap<string, unknown>): readonly ModuleFailure[] {
  return [...captures].flatMap(([name, value]) => {
    const taken = /^[A-Za-z_]\w*$/.test(name) ? describeTakenName(name) : undefined
    const bad = `The capture \`${name}\` has to be a string, got a value of type \`${typeof value}\`. Use \`String(…)\`.`
    return [typeof value === 'string' ? undefined : bad, taken].flatMap((message) => (message ? [{ message }] : []))
  })
}

function describeFailures(failures: readonly ModuleFailure[], redact: Redact): BlockFinding {
  const [first] = failures
  const messages = failures.map(({ message, line, expected, actual }) => {
    const place = failures.length > 1 && line !== undefined ? `Line ${line}: ` : ''
    // Redact before cutting and comparing, because half a secret would not be recognized.
    const diff = expected === undefined || actual === undefined ? '' : formatDiff(redact(expected), redact(actual))
    return `${place}${redact(message)}${diff}`
  })
  return {
    status: 'fail',
    message: messages.join('\n\n'),
    ...(first?.line !== undefined && { line: first.line }),
    ...(failures.some((failure) => failure.isBroken) && { isBroken: true }),
  }
}

function formatDiff(expected: string, actual: string): string {
  if (expected === actual) return ''
  const written = expected.split('\n')
  const alignment = alignLines({
    patterns: written.map((text) => ({ kind: 'text', text, times: 'once' })),
    lines: actual.split('\n'),
    captures: new Map(),
  })
  const lines = alignment.map((part): DiffLine => {
    if (part.kind === 'extra') return { mark: '+', text: part.line }
    return { mark: part.kind === 'lost' ? '-' : ' ', text: written[part.index] ?? '' }
  })
  return ` (- expected, + actual):\n${formatLineDiff(lines)}`
}
