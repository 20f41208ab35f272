import type { Block, TranscriptCommand } from '../../spec/spec.ts'
import { advise } from '../command-result/failure-advice.ts'
import { compareOutput } from '../command-result/compare-output.ts'
import { describeShellEnd, quoteCommand, asksForSkip, skippedBy } from './shell-end.ts'
import { fail, type BlockFinding, type BlockRun } from '../block-finding.ts'

type ConsoleBlock = Extract<Block, { kind: 'console' }>

/** Runs the commands of a transcript in turn. Stops at the first failure unless `afterFailure` is `continue`. */
export async function runConsole(block: ConsoleBlock, run: BlockRun): Promise<BlockFinding> {
  const found: BlockFinding[] = []
  for (const [index, command] of block.commands.entries()) {
    const finding = await runConsoleCommand(command, { block, run, isFirst: index === 0 })
    if (finding === undefined) continue
    found.push(finding)
    if (finding.status !== 'fail' || run.afterFailure === 'stop') break
  }
  return joined(found)
}

/** Joins the findings of all failed commands. The last finding says how the block ended. */
function joined(found: readonly BlockFinding[]): BlockFinding {
  const [first, ...rest] = found
  const last = found.at(-1)
  if (first === undefined || last === undefined) return { status: 'pass', message: '' }
  if (found.length === 1 || last.status === 'skipped') return last
  const { isOutputOnly: _isOutputOnly, isBroken: _isBroken, ...ending } = last
  return {
    ...ending,
    ...(first.line !== undefined && { line: first.line }),
    message: [first.message, ...rest.map(({ line, message }) => `Line ${line}: ${message}`)].join('\n\n'),
    ...(found.every(({ isOutputOnly }) => isOutputOnly) && { isOutputOnly: true }),
    ...(found.some((each) => each.isBroken) && { isBroken: true }),
  }
}

async function runConsoleCommand(
  command: TranscriptCommand,
  { block, run, isFirst }: { readonly block: ConsoleBlock; readonly run: BlockRun; readonly isFirst: boolean },
): Promise<BlockFinding | undefined> {
  const { stream = 'both' } = block.attributes
  const { command: code, line, exitCode: expectedExitCode } = command
  const what = quoteCommand(run.redact(code))
  const result = await run.shell.run(code, {
    timeoutMs: run.timeoutMs,
    streams: stream === 'both' ? 'merged' : 'separate',
    cwd: run.cwd,
    env: run.env,
    continues: !isFirst,
  })
  const failed = { code, command: code, expectedExitCode, result }
  if (result.status !== 'done')
    return advise({ ...describeShellEnd(result, { what, redact: run.redact }), line }, failed, run)
  if (asksForSkip(result.exitCode, expectedExitCode)) return { ...skippedBy(what, result, run.redact), line }
  const printed = stream === 'stderr' ? result.stderr : result.stdout
  const difference = compareOutput({
    ...run,
    ...{ what, line, expectedExitCode },
    actualExitCode: result.exitCode,
    printed: result,
    streams: [
      {
        name: stream === 'both' ? 'output' : stream,
        expected: command.expected,
        printed,
        form: 'transcript',
        line: firstLineBelow(command),
        fenceLine: block.line,
        source: linesBelow(command, block),
      },
    ],
  })
  await run.onCommand?.({ block, line, exitCode: result.exitCode, printed, captures: new Map(run.captures) })
  if (difference !== undefined) return advise({ status: 'fail', ...difference }, failed, run)
  const problem = await run.exportCaptures()
  return problem === undefined ? undefined : { ...fail(run.redact(problem)), line }
}

function firstLineBelow({ line, command }: TranscriptCommand): number {
  return line + command.split('\n').length
}

function linesBelow(command: TranscriptCommand, { code, codeLine, commands }: ConsoleBlock): readonly string[] {
  const next = commands[commands.indexOf(command) + 1]
  return code.split('\n').slice(firstLineBelow(command) - codeLine, next && next.line - codeLine)
}
