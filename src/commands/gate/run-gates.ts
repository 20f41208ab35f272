import { statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import type { CliContext } from '../common/cli.ts'
import { makeEvidenceFolder } from './evidence-folder.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'
import { type GateCommand, type GateConfig, type GateName, gateNames } from '../project-config/gate-config.ts'
import type { McpServers } from '../../spec/front-matter/front-matter.ts'
import { mcpSecrets } from '../../spec/front-matter/mcp-secrets.ts'
import type { Ground } from '../../system/files/trusted-folder.ts'
import type { CommandEnd } from '../../system/process/command.ts'
import { type ProgramContext, runInTrees } from '../../system/process/run-command.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import { plainLine, plainText } from '../../system/text/plain-text.ts'
import { describeEnd, describeExit, formatElapsed } from '../../system/text/wording.ts'
import { readConsoleCounts, toldFailures, toldIdle } from '../../test-runners/console-counts.ts'
import { type ExecutedTests, executedTests } from '../../test-runners/executed-tests.ts'
import { findRunnerInCommand, parsePackage, runnerNamed } from '../../test-runners/runners.ts'
import { readJunitTests } from '../../test-runners/readers/junit-xml.ts'
import { relativeFile } from '../../test-runners/readers/file-and-line.ts'
import { addCounts, clockStepMs, readResultsFile, resultsOf } from '../../test-runners/readers/read-results.ts'
import { missingProgram } from '../../test-runners/run/test-run.ts'
import { createOutputTail, testEnvironment } from '../../test-runners/run/start-runner.ts'
import type { Runner, RunnerOutput, RunnerResults, TestCounts } from '../../test-runners/runner.ts'

export interface GateContext extends ProgramContext {
  readonly root: string
  readonly folder: string
  /** The project folder. Links below it are not followed. */
  readonly ground: Ground
  readonly onProgress: (line: string) => void
  readonly signal: AbortSignal
}

/** Git sets these variables for hooks. Gates run without them, so that tests cannot change this repository. */
const repositoryVariables: ReadonlySet<string> = new Set(
  `GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_DIR GIT_GRAFT_FILE
   GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_REPLACE_REF_BASE
   GIT_SHALLOW_FILE GIT_WORK_TREE`.split(/\s+/),
)

export function gateEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(agentEnvironment(env)).filter(([name]) => !repositoryVariables.has(name))
  return Object.fromEntries(entries)
}

interface Place extends Pick<CliContext, 'env' | 'stderr' | 'signal'> {
  readonly root: string
  /** The secrets of these servers are redacted in the output of gates and agents. */
  readonly mcpServers: McpServers
}

export async function withContext<Result>(
  { root, mcpServers, env, stderr, signal }: Place,
  act: (context: GateContext) => Promise<Result>,
): Promise<Result> {
  const { redactor } = openRedactor([env], { others: mcpSecrets(mcpServers) })
  return await withLiveTrees(async (run) =>
    act({
      ...{ ...run, root, env: gateEnvironment(env), redactor, signal },
      ...makeEvidenceFolder(root, new Date()),
      onProgress: (line) => void stderr.write(`mdtest gate: ${plainText(redactor.redact(line))}\n`),
    }),
  )
}

export interface GateRun {
  readonly command: string
  readonly isPass: boolean
  readonly exitCode: number | null
  readonly reason?: string
  /** Whether the gate failed only because its output shows no test that was executed. */
  readonly isIdle?: boolean
  readonly concerns: readonly string[]
  readonly head: string
  readonly tail: string
  readonly results: RunnerResults
  readonly executed: ExecutedTests
  /** Tests that were executed in this run or in an earlier one. */
  readonly known?: ExecutedTests
  readonly durationMs: number
}

const graceMs = 1_000
const maxHeadChars = 64 * 1024
/** In UTF-16 units. Longer lines are cut into pieces. */
const maxLineChars = 16 * 1024
const maxReadBytes = 4 * 1024 * 1024
const maxTailChars = 8 * 1024

async function runGate(
  name: GateName,
  { command, run, context }: { command: GateCommand; run: number; context: GateContext },
): Promise<GateRun> {
  const output = createOutputTail(maxReadBytes)
  let head = ''
  const { root, env, trees, runMark, redactor, signal } = context
  const resultsDir = trees.makeTempDir()
  const started = name === 'test' ? await nameTests(command, root, resultsDir) : { argv: command.argv, env: {} }
  // Use the clock of the file system, because file times of reports are compared with this time.
  const startedAtMs = statSync(resultsDir).mtimeMs
  const { end, durationMs } = await runInTrees(
    { argv: started.argv, cwd: root, env: withOptions(testEnvironment(env), started.env) },
    {
      ...{ trees, hardTimeoutMs: command.timeoutMs, silenceTimeoutMs: command.noOutputTimeoutMs, graceMs, runMark },
      ...{ signal, redactor, maxLineChars },
      rawLogFile: join(context.folder, `${name}-${run}.log`),
      rawLogGround: context.ground,
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
  const told =
    results.failingTests.length > 0
      ? `${results.failingTests.length} failed`
      : toldFailures(output.text, results.counts)
  const failure =
    missingProgram({ end, counts: results.counts, printed: output.text, root }) ??
    reasonOf(end, name === 'test' ? told : undefined) ??
    (exitCode === 0 ? problem : undefined)
  const reason = failure ?? (exitCode === 0 ? seen.reason : undefined)
  const isPass = exitCode === 0 && reason === undefined
  return {
    ...{ command: redact(command.shown), isPass, exitCode },
    ...(reason !== undefined && { reason: redact(reason) }),
    isIdle: failure === undefined && reason !== undefined,
    concerns: isPass ? seen.concerns : [],
    head: redact(head),
    tail: redact(output.text).slice(-maxTailChars),
    results: redactTexts(results, redact),
    executed: redactTexts(executed, redact),
    durationMs,
  }
}

const noNames: NamedResults = { results: { counts: null, failingTests: [] }, executed: { tests: [], areAll: false } }

type Environment = Readonly<Record<string, string>>

export function withOptions(env: Environment, added: Environment): Environment {
  const longer = Object.entries(added).map(([name, value]) => [name, [env[name], value].filter(Boolean).join(' ')])
  return { ...env, ...(Object.fromEntries(longer) as Record<string, string>) } // all values are strings
}

function reasonOf(end: CommandEnd, told: string | undefined): string | undefined {
  if ('error' in end) return end.error.message
  if (end.reason !== 'exit') return `It ${describeEnd(end)}.`
  // A shell command can hide a failure: the exit code of `npm test; echo done` is that of `echo`.
  return end.exitCode === 0 && told !== undefined
    ? `The command ${describeExit(0)}, but its output reports ${told}.`
    : undefined
}

/** Checks that tests were executed, because the exit code is also 0 if no test ran. */
function lookForTests(
  { hasNames = true, needsTests = false }: GateCommand,
  { counts }: RunnerResults,
  output: string,
): { readonly reason?: string; readonly concerns: readonly string[] } {
  const [told] = /^ok\s.*\(cached\)$|FULL TURBO$|^> Task \S*:\w*[tT]est UP-TO-DATE$/m.exec(output) ?? []
  const cached = told === undefined ? [] : [`results of an earlier run were shown again: \`${plainLine(told)}\``]
  if (counts !== null) {
    const isNone = counts.total - counts.skipped <= 0
    return isNone ? { reason: 'By its output no test was executed.', concerns: [] } : { concerns: cached }
  }
  const line = toldIdle(output)
  if (line !== undefined) return { reason: `By its output nothing was run: \`${plainLine(line)}\`.`, concerns: [] }
  if (needsTests) return { reason: `${unseen} (\`"tests": "required"\`).`, concerns: [] }
  return { concerns: hasNames ? [...cached, unseen] : cached }
}

/** Reported if only the exit code shows that the tests passed. */
export const unseen = 'no test was seen to run; name `runner` or `junit`, as in `"test": { "runner": "node" }`'

export type GateRuns = Readonly<Partial<Record<GateName, GateRun>>>

/** Runs all gates even if one fails, because an agent that fixes them needs to know all failures. */
export async function runGates(
  commands: GateConfig['commands'],
  { run, context }: { run: number; context: GateContext },
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

interface NamedResults {
  readonly results: RunnerResults
  /** Tests with names. `results` may have other counts, because a runner may print the number of files. */
  readonly executed: ExecutedTests
  readonly problem?: string
}

const [pytest, go] = [runnerNamed('pytest'), runnerNamed('go')]

async function nameTests({ argv, shown, runner, junit }: GateCommand, root: string, resultsDir: string) {
  if (runner !== undefined) {
    const { buildCommand, readResults } = runnerNamed(runner)
    const { argv: built, env = {} } = buildCommand({ run: { scope: 'all' }, resultsDir, root })
    return { argv: built, env, read: async (output: RunnerOutput) => withNames(await readResults(output)) }
  }
  if (junit !== undefined) return { argv, env: {}, read: (output: RunnerOutput) => readJunit(junit, output) }
  const { scripts } = parsePackage(await readFile(join(root, 'package.json'), 'utf8').catch(() => undefined))
  const found = findRunnerInCommand({ text: shown, argv, scripts, resultsDir })
  if (found === undefined) {
    // A script or Makefile may start pytest or Go. With these variables, pytest and Go write results.
    const asked = { ...pytest.reporting(resultsDir).env, ...go.reporting(resultsDir).env }
    return { argv, env: asked, read: (output: RunnerOutput) => readBoth(pytest, output) }
  }
  return { argv: found.argv, env: found.env, read: (output: RunnerOutput) => readBoth(found.runner, output) }
}

function withNames(results: RunnerResults): NamedResults {
  return { results, executed: executedTests(results) }
}

/** Prefers the printed counts, because they include the tests of all runners that the command starts. */
async function readBoth(runner: Runner, output: RunnerOutput): Promise<NamedResults> {
  const { emptyFiles = 0, ...named } = await runner.readResults(output)
  const printed = readConsoleCounts(output.stdout)
  const told = printed && addCounts([{ ...printed, passed: Math.max(0, printed.passed - emptyFiles) }])
  const results = { ...named, counts: told ?? named.counts }
  if (named.counts === null || told === null) return withNames(results)
  const executed = ({ total, skipped }: TestCounts): number => total - skipped
  const hasMore = told.failed > named.counts.failed || executed(told) > executed(named.counts)
  return hasMore ? withNames(results) : { results, executed: executedTests(named) }
}

/** Reads the JUnit report at `name`, a path relative to the root. Refuses a report from an earlier run. */
async function readJunit(name: string, output: RunnerOutput): Promise<NamedResults> {
  const file = join(output.root, name)
  const writtenAtMs = (await stat(file).catch(() => undefined))?.mtimeMs
  const isOld = writtenAtMs !== undefined && writtenAtMs < output.startedAtMs - clockStepMs
  const tests = writtenAtMs === undefined || isOld ? undefined : readJunitTests(await readResultsFile(file))
  if (tests === undefined) {
    const why = isOld ? 'is from an earlier run' : writtenAtMs === undefined ? 'is missing' : 'is invalid or incomplete'
    const problem = `The report of \`junit\`, \`${name}\`, ${why}: the command of the test gate must write it.`
    return { ...withNames({ counts: readConsoleCounts(output.stdout), failingTests: [] }), problem }
  }
  const told = tests.map(({ status, attributes: { classname, name = '', file: path }, message, text }) => ({
    status,
    name: [classname, name].filter(Boolean).join(' > '),
    file: path && relativeFile(path, output.root),
    message: message || text,
  }))
  return withNames(resultsOf(told))
}
