import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { CommandEnd } from '../exec/command.ts'
import { runCommand, type CommandResult } from '../exec/run-command.ts'
import { readPlainResults } from '../runners/read-plain-results.ts'
import type { RunnerResults } from '../runners/runner.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import { createOutputTail } from '../test-run/output-tail.ts'
import { testEnvironment } from '../test-run/test-environment.ts'
import type { GateCommand } from './gate-config.ts'
import type { GateContext } from './gate-context.ts'
import type { GateName } from './gate-results.ts'

/** How the command of a gate went. */
export interface GateRun {
  readonly command: string
  readonly isPass: boolean
  /** `null` where it did not come to its end. */
  readonly exitCode: number | null
  /** Why it is not a pass, where the exit code does not say it; a sentence. */
  readonly reason?: string
  /** The beginning and the end of what it printed, without secrets. */
  readonly head: string
  readonly tail: string
  readonly results: RunnerResults
  readonly durationMs: number
}

/** What a command may still do after SIGTERM, in milliseconds. */
const graceMs = 1_000
const maxHeadChars = 64 * 1024
/** Beyond that a line says nothing to anybody (UTF-16 units). */
const maxLineChars = 16 * 1024
/** How much of the end is read for results. */
const maxReadBytes = 4 * 1024 * 1024
/** How much of the end is shown. */
const maxTailChars = 8 * 1024

/** Runs the command of a gate within its limits. How it went is a value, also that it could not be started. */
export async function runGate(
  name: GateName,
  { command, run, context }: { readonly command: GateCommand; readonly run: number; readonly context: GateContext },
): Promise<GateRun> {
  const output = createOutputTail(maxReadBytes)
  let head = ''
  const { end, durationMs } = await start(command, {
    context,
    rawLogFile: join(context.folder, `${name}-${run}.log`),
    onLine(line) {
      if (head.length < maxHeadChars) head += `${line}\n`
      output.add(line)
    },
  })
  const results: RunnerResults = name === 'test' ? readPlainResults(output.text) : { counts: null, failingTests: [] }
  const { redact } = context.redactor
  const reason = reasonOf(end, results)
  return {
    command: redact(command.shown),
    isPass: end.reason === 'exit' && end.exitCode === 0 && reason === undefined,
    exitCode: end.reason === 'exit' ? end.exitCode : null,
    ...(reason !== undefined && { reason: redact(reason) }),
    head: redact(head),
    tail: redact(output.text).slice(-maxTailChars),
    results,
    durationMs,
  }
}

interface Start {
  readonly context: GateContext
  readonly rawLogFile: string
  readonly onLine: (line: string) => void
}

async function start(
  { argv, timeoutMs, noOutputTimeoutMs }: GateCommand,
  { context, rawLogFile, onLine }: Start,
): Promise<Pick<CommandResult, 'durationMs'> & { readonly end: CommandEnd }> {
  const { root, env, trees, runMark, redactor, signal } = context
  const mark = `mdtest-${randomBytes(8).toString('hex')}`
  let started: number | undefined
  try {
    return await runCommand(
      { argv, cwd: root, env: testEnvironment(env) },
      {
        launcher: await trees.launcher(),
        hardTimeoutMs: timeoutMs,
        silenceTimeoutMs: noOutputTimeoutMs,
        graceMs,
        mark,
        runMark,
        signal,
        rawLogFile,
        redactor,
        maxLineChars,
        onLine: (_stream, line) => onLine(line),
        onSpawn(pid) {
          started = pid
          trees.add({ pid, mark })
        },
      },
    )
  } catch (error: unknown) {
    if (!(error instanceof MdtestError)) throw error
    return { end: { reason: 'spawn-failed', error }, durationMs: 0 }
  } finally {
    if (started !== undefined) trees.remove(started)
  }
}

function reasonOf(end: CommandEnd, { counts }: RunnerResults): string | undefined {
  switch (end.reason) {
    case 'exit':
      // As in `npm test | tee log`: a shell gives the exit code of the last program.
      return end.exitCode === 0 && counts !== null && counts.failed > 0
        ? `The command ended with exit code 0, but its output tells of ${counts.failed} failed.`
        : undefined
    case 'signal':
      return `It was ended by ${end.signal}.`
    case 'hard-timeout':
      return `It took longer than ${end.limitMs} ms and was ended.`
    case 'silence-timeout':
      return `It printed nothing for ${end.limitMs} ms and was ended.`
    case 'canceled':
      return 'It was canceled and ended.'
    case 'spawn-failed':
    case 'lost':
      return end.error.message
    default:
      return end satisfies never
  }
}
