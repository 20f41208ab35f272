import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandEnd } from '../../../system/process/command.ts'
import type { ExecutedTests } from '../../../test-runners/executed-tests.ts'
import type { NamedTest, RunnerResults } from '../../../test-runners/runner.ts'
import { redactTexts } from '../../../system/redaction/redact-texts.ts'
import { type GateCommand, type GateName, type GateConfig, gateNames } from '../../project-config/gate-config.ts'
import type { Ground } from '../../../system/files/ground.ts'
import { nameTests, type NamedResults } from './test-names.ts'
import { plainLine } from '../../../system/text/plain-text.ts'
import { createOutputTail, testEnvironment } from '../../../test-runners/run/start-runner.ts'
import { runInTrees, type ProgramContext } from '../../../system/process/run-command.ts'
import { describeEnd, describeExit, formatElapsed } from '../../../system/text/wording.ts'

/** Where gates are run. */
export interface GateContext extends ProgramContext {
  /** Absolute, real path of the project: the working directory. */
  readonly root: string
  /** Absolute path of a folder for what commands print. */
  readonly folder: string
  /** The project: below it no link on the way to that folder is followed. */
  readonly ground: Ground
  /** Called with a line about what is being done. */
  readonly onProgress: (line: string) => void
  readonly signal: AbortSignal
}

/** How the command of a gate went. */
export interface GateRun {
  readonly command: string
  readonly isPass: boolean
  /** `null` where it did not come to its end. */
  readonly exitCode: number | null
  /** Why it is not a pass, where the exit code does not say it; a sentence. */
  readonly reason?: string
  /** Whether it is red for nothing but that no test was seen to run. Default: it is not. */
  readonly isIdle?: boolean
  /** What a person should look at although it is a pass. */
  readonly concerns: readonly string[]
  /** The beginning and the end of what it printed, without secrets. */
  readonly head: string
  readonly tail: string
  readonly results: RunnerResults
  /** Tests by name, of this run. */
  readonly executed: ExecutedTests
  /** Tests that are known to have been executed, in this run or before an attempt. */
  readonly known?: readonly NamedTest[]
  /** Whether these are all. */
  readonly areAllKnown?: boolean
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
async function runGate(
  name: GateName,
  { command, run, context }: { readonly command: GateCommand; readonly run: number; readonly context: GateContext },
): Promise<GateRun> {
  const output = createOutputTail(maxReadBytes)
  let head = ''
  const { root, env, trees, runMark, redactor, signal } = context
  const resultsDir = trees.makeTempDir()
  const started = name === 'test' ? await nameTests(command, { root, resultsDir }) : { argv: command.argv, env: {} }
  // By the clock of the file system, as the times of reports are.
  const startedAtMs = statSync(resultsDir).mtimeMs
  const { end, durationMs } = await runInTrees(
    { argv: started.argv, cwd: root, env: withOptions(testEnvironment(env), started.env) },
    {
      trees,
      hardTimeoutMs: command.timeoutMs,
      silenceTimeoutMs: command.noOutputTimeoutMs,
      graceMs,
      runMark,
      signal,
      rawLogFile: join(context.folder, `${name}-${run}.log`),
      rawLogGround: context.ground,
      redactor,
      maxLineChars,
      onLine(_stream, line) {
        if (head.length < maxHeadChars) head += `${line}\n`
        output.add(line)
      },
    },
  )
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const left = { stdout: output.text, stderr: '', resultsDir, root, exitCode, startedAtMs }
  const { results, executed, problem } = 'read' in started ? await started.read(left) : noNames
  const { redact } = redactor
  const seen = name === 'test' ? lookForTests(command, results, output.text) : { concerns: [] }
  const failure = reasonOf(end, results) ?? (exitCode === 0 ? problem : undefined)
  const reason = failure ?? (exitCode === 0 ? seen.reason : undefined)
  return {
    command: redact(command.shown),
    isPass: end.reason === 'exit' && end.exitCode === 0 && reason === undefined,
    exitCode,
    ...(reason !== undefined && { reason: redact(reason) }),
    isIdle: failure === undefined && reason !== undefined,
    concerns: exitCode === 0 && reason === undefined ? seen.concerns : [],
    head: redact(head),
    tail: redact(output.text).slice(-maxTailChars),
    results: redactTexts(results, redact),
    executed: redactTexts(executed, redact),
    durationMs,
  }
}

const noNames: NamedResults = { results: { counts: null, failingTests: [] }, executed: { tests: [], areAll: false } }

/** Options that are there stay. */
function withOptions(env: Readonly<Record<string, string>>, added: Readonly<Record<string, string>>) {
  const longer = Object.entries(added).map(([name, value]) => [name, [env[name], value].filter(Boolean).join(' ')])
  return { ...env, ...(Object.fromEntries(longer) as Record<string, string>) } // of these pairs
}

function reasonOf(end: CommandEnd, { counts, failingTests }: RunnerResults): string | undefined {
  if ('error' in end) return end.error.message
  if (end.reason !== 'exit') return `It ${describeEnd(end)}.`
  // As in `npm test | tee log`: a shell gives the exit code of the last program.
  const failed = counts?.failed ?? failingTests.length
  return end.exitCode === 0 && failed > 0
    ? `The command ${describeExit(0)}, but its output tells of ${failed} failed.`
    : undefined
}

/** What programs print that have run nothing. */
const idle = /^.*(?:\bis up to date\b|Nothing to be done for|\[no tests to run\]|FULL TURBO).*$/m

/** What an exit code of 0 does not say: whether a test was executed at all. */
function lookForTests(
  { hasNames = true, needsTests = false }: GateCommand,
  { counts }: RunnerResults,
  output: string,
): { readonly reason?: string; readonly concerns: readonly string[] } {
  const cached = /^ok\s.*\(cached\)$/m.test(output) ? ['results of an earlier run were shown again: `(cached)`'] : []
  if (counts !== null) {
    const isNone = counts.total - counts.skipped <= 0
    return isNone ? { reason: 'By its output no test was executed.', concerns: [] } : { concerns: cached }
  }
  const [line] = idle.exec(output) ?? []
  if (line !== undefined) return { reason: `By its output nothing was run: \`${plainLine(line)}\`.`, concerns: [] }
  if (needsTests) return { reason: `${unseen} (\`"tests": "required"\`).`, concerns: [] }
  return { concerns: hasNames ? [unseen] : [] }
}

/** Of a pass that rests on an exit code alone. */
export const unseen = 'no test was seen to run; name `runner` or `junit`'

/** How the gates went; without those that have no command. */
export type GateRuns = Readonly<Partial<Record<GateName, GateRun>>>

/**
 * Runs all gates in order. One that fails does not keep the next from running: what does not compile can still be
 * linted, and a fix needs to know all.
 *
 * @param options.run 1 for the first time
 */
export async function runGates(
  commands: GateConfig['commands'],
  { run, context }: { readonly run: number; readonly context: GateContext },
): Promise<GateRuns> {
  const runs: Partial<Record<GateName, GateRun>> = {}
  for (const name of gateNames) {
    const command = commands[name]
    if (command === undefined || context.signal.aborted) continue
    context.onProgress(`${name}: ${plainLine(command.shown)}`)
    const gateRun = await runGate(name, { command, run, context })
    context.onProgress(`${name}: ${gateRun.isPass ? 'pass' : 'fail'} after ${formatElapsed(gateRun.durationMs)}`)
    runs[name] = gateRun
  }
  return runs
}

export function areGreen(runs: GateRuns): boolean {
  return Object.values(runs).every(({ isPass }) => isPass)
}
