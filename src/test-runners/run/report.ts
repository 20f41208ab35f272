import { join } from 'node:path'
import { makeRunFolder, pruneRunFolders } from '../../records/folders/run-folders.ts'
import { groundAt, type Ground } from '../../system/files/ground.ts'
import { createFile, makeFolder } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { checkPath } from './check-scope.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { writeLogFile } from '../../records/folders/write-log-file.ts'
import { type TestRun, formatOutcome } from './test-run.ts'
import type { FailingTest } from '../runner.ts'
import { plainLine, plainText } from '../../system/text/plain-text.ts'

export interface Report {
  readonly dir: string
  readonly path: string
  readonly ground: Ground
}

export const reportFiles = { rawLog: 'raw.log', markdown: 'summary.md', json: 'summary.json' } as const // they are names

export const defaultReportDir = '.cache/mdtest/reports'

interface Reservation {
  readonly root: string
  readonly dir?: string | undefined
  readonly now: Date
  readonly keep: number
}

export function reserveReport({ root, dir = defaultReportDir, now, keep }: Reservation): Report {
  const parent = checkPath({ name: 'report_dir', path: dir }, root)
  const folder = join(root, parent)
  const ground = groundAt(root)
  try {
    makeFolder(ground, folder)
    if (dir === defaultReportDir) createFile(ground, join(folder, '.gitignore'), '*\n')
    const runs = { parent: folder, ground }
    const current = makeRunFolder(runs, now)
    pruneRunFolders({ ...runs, current, keep })
    return { dir: join(parent, current), path: join(folder, current), ground }
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('LOG_FOLDER_UNWRITABLE', `The folder \`${folder}\` for reports cannot be written (${why}).`, {
      hint: 'Make it writable, or name another one as `report_dir`.',
      cause: error,
    })
  }
}

export function writeSummaries(report: Report, testRun: TestRun): void {
  const json = `${JSON.stringify(toSummary(testRun), undefined, 2)}\n`
  writeLogFile(report.ground, join(report.path, reportFiles.json), json)
  writeLogFile(report.ground, join(report.path, reportFiles.markdown), formatSummary(testRun))
}

function toSummary({ request: { runner, run, limits }, ...testRun }: TestRun): object {
  const { template, argv, status, message, startedAt, durationMs, counts, failingTests, blocks, tail } = testRun
  return {
    version: 1,
    runner,
    scope: run.scope,
    target: run.scope === 'all' ? null : run.target,
    ...{ template, argv, status, message },
    exit_code: testRun.exitCode,
    signal: testRun.signal,
    started_at: startedAt,
    duration_ms: durationMs,
    limits: {
      timeout_ms: limits.timeoutMs,
      no_output_timeout_ms: limits.noOutputTimeoutMs,
      max_output_bytes: limits.maxOutputBytes,
    },
    counts,
    failing_tests: failingTests.map(({ standsFor: _standsFor, ...test }) => test),
    output_bytes: testRun.outputBytes,
    ...{ blocks, tail },
    raw_log_error: testRun.rawLogError,
  }
}

function formatSummary(testRun: TestRun): string {
  const { request, argv, template, startedAt, exitCode, signal, failingTests, blocks, tail, rawLogError } = testRun
  const { timeoutMs, noOutputTimeoutMs, maxOutputBytes } = request.limits
  const rows = [
    `- Runner: ${request.runner}: \`${template}\``,
    `- Started: ${startedAt}`,
    `- Exit code: ${exitCode ?? 'none'}`,
    `- Signal: ${signal ?? 'none'}`,
    `- Limits: ${timeoutMs} ms, ${noOutputTimeoutMs} ms without output, ${maxOutputBytes} bytes of output`,
    ...(rawLogError === undefined ? [] : [`- Raw log: ${rawLogError}`]),
  ]
  return [
    `# ${formatOutcome(testRun)}`,
    rows.join('\n'),
    ...(argv.length === 0 ? [] : [fence(JSON.stringify(argv))]),
    ...failingTests.map(formatFailure),
    ...blocks.map((block, index) => `## Block ${index + 1} of ${blocks.length}\n\n${fence(block)}`),
    `## Last lines\n\n${fence(tail)}\n\n`,
  ].join('\n\n')
}

function formatFailure({ name, file, line, message, expected, received }: FailingTest): string {
  const place = [file, line].filter((part) => part !== undefined).join(':')
  const said = [
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
  ]
  return `## Failed: ${plainLine(name)}${place && `, ${place}`}\n\n${fence(plainText(said.join('\n')))}`
}

function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}text\n${text}\n${marks}`
}
