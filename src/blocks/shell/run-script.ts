import type { ExpectedOutput } from '../../spec/spec.ts'
import { advise } from '../command-result/failure-advice.ts'
import type { ComparedStream } from '../command-result/comparison.ts'
import { compareOutput } from '../command-result/compare-output.ts'
import { describeFailedLine, failedLineOf, isStrict, type ScriptBlock } from './failed-line.ts'
import { describeShellEnd, asksForSkip, skippedBy } from './shell-end.ts'
import { expectedLines } from '../expected-output/output-lines.ts'
import type { BlockFinding, BlockRun } from '../block-finding.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'

/** Runs a script and compares the streams that the spec expects. Without expected output, the exit code decides. */
export async function runScript(block: ScriptBlock, run: BlockRun): Promise<BlockFinding> {
  const { exit = 0, stream = 'both' } = block.attributes
  const isMerged = stream === 'both' && block.expected.some((expected) => expected.stream === 'output')
  const result = await run.shell.run(block.code, {
    timeoutMs: run.timeoutMs,
    streams: isMerged ? 'merged' : 'separate',
    cwd: run.cwd,
    env: run.env,
    isStrict: isStrict(block),
  })
  const failed = { code: block.code, command: block.code, expectedExitCode: exit, result }
  if (result.status !== 'done') {
    const line = 'failedLine' in result ? block.codeLine + result.failedLine - 1 : block.line
    return advise({ ...describeShellEnd(result, { what: 'The script', redact: run.redact }), line }, failed, run)
  }
  if (asksForSkip(result.exitCode, exit)) return skippedBy('The script', result, run.redact)
  const failedLine = failedLineOf(block, result)
  const difference = compareOutput({
    ...run,
    what: 'The script',
    line: failedLine ?? block.line,
    failure: describeFailedLine(block, failedLine, run.redact),
    expectedExitCode: exit,
    actualExitCode: result.exitCode,
    streams: block.expected.map((expected) => toStream(expected, result, stream)),
    printed: result,
  })
  if (difference === undefined) return { status: 'pass', message: '' }
  const command = failedLine === undefined ? block.code : (block.code.split('\n')[failedLine - block.codeLine] ?? '')
  return advise({ status: 'fail', ...difference }, { ...failed, command }, run)
}

function toStream(
  { stream: name, text, line }: ExpectedOutput,
  { stdout, stderr }: ShellResult,
  stream: 'stdout' | 'stderr' | 'both',
): ComparedStream {
  const from = name === 'output' ? stream : name
  const expected = expectedLines(text)
  return {
    name: from === 'both' ? 'output' : from,
    expected,
    printed: from === 'stderr' ? stderr : stdout,
    form: 'fence',
    line,
    fenceLine: line - 1,
    source: expected,
  }
}
