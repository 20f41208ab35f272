import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server'
import type { Slots } from '../../system/slots-and-timers.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { version } from '../../system/mdtest-package.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import { runTests } from '../../test-runners/run/run-tests.ts'
import type { TestRunContext } from '../../test-runners/run/start-runner.ts'
import type { TestRunLimits } from '../../test-runners/run/test-run.ts'
import type { RunnerCommand } from '../../test-runners/runner.ts'
import { chooseRun, parseRunTestInput, runTestInput, type ChosenRun, type RunTestCall } from './run-test-input.ts'
import { formatOutput, runTestOutput, toOutput, type Finished, type ToldRun } from './run-test-output.ts'

export interface RunTestContext extends TestRunContext {
  /** Whether a call waits while another call runs tests. If not, the call fails at once. */
  readonly isQueued: boolean
  readonly slots: Slots
}

export function createRunTestServer(context: RunTestContext): McpServer {
  const server = new McpServer({ name: 'mdtest', version: version() })
  server.registerTool(
    'run_test',
    {
      description:
        "Run this project's tests with a known test runner and get what failed in few words: counts, each failing test with file, line, expected and received. It always returns: the run, with every process it started, is ended at timeout_ms, or after no_output_timeout_ms without output. It takes no commands and no options. The whole output is in the files that the answer names.",
      inputSchema: takesAll,
      outputSchema: runTestOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      // Claude Code hides tools of MCP servers behind a search. This key keeps the tool visible.
      _meta: { 'anthropic/alwaysLoad': true },
    },
    (input, call) => answerCall(input, { context, call }),
  )
  return server
}

/** Clients see the real schema, but every call is accepted here: `parseRunTestInput` gives better error messages. */
const takesAll = {
  '~standard': {
    version: 1 as const,
    vendor: 'mdtest',
    validate: (value: unknown) => ({ value }),
    jsonSchema: runTestInput['~standard'].jsonSchema,
  },
}

interface Call {
  readonly context: RunTestContext
  readonly call: ServerContext
}

async function answerCall(input: unknown, call: Call): Promise<CallToolResult> {
  try {
    return await takeTurn(parseRunTestInput(input), call)
  } catch (error: unknown) {
    if (!(error instanceof MdtestError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

async function takeTurn({ asked, times, ...request }: RunTestCall, { context, call }: Call): Promise<CallToolResult> {
  const { slots, isQueued, root } = context
  const signal = AbortSignal.any([call.mcpReq.signal, ...(context.signal ? [context.signal] : [])])
  if (slots.isFull && !isQueued)
    throw new MdtestError('EXEC_BUSY', 'busy: another call of run_test is running tests.', {
      hint: 'Call again when it has returned, or start the server with `--queue`, so that calls wait for their turn.',
    })
  const giveBack = await slots.take(signal)
  const progress = startProgress(request.limits, { context, call })
  try {
    const runChosen = async ({ run, args = [], ran, otherwise }: ChosenRun, timeoutMs: number): Promise<ToldRun> => {
      const wrap = (command: RunnerCommand): RunnerCommand => ({ ...command, argv: [...command.argv, ...args] })
      const told = await repeatRun({ times, limits: { ...request.limits, timeoutMs } }, (limits) =>
        runTests({ ...request, run, limits }, { ...context, signal, onLine: progress.hear, wrap }),
      )
      const { counts, durationMs } = told.testRun
      const isNone = otherwise !== undefined && counts?.total === 0
      return isNone ? await runChosen(otherwise, Math.max(1, timeoutMs - durationMs)) : { ...told, ran }
    }
    const told = await runChosen(chooseRun(asked, { ...request, root }), request.limits.timeoutMs)
    const output = toOutput(told)
    return { content: [{ type: 'text', text: formatOutput(output, told.testRun) }], structuredContent: output }
  } finally {
    progress.end()
    giveBack()
  }
}

/** Repeats a run within one time limit for all runs. Returns the first run that did not pass, or else the last run. */
async function repeatRun(
  { times, limits }: { readonly times: number; readonly limits: TestRunLimits },
  run: (limits: TestRunLimits) => Promise<Finished>,
): Promise<ToldRun> {
  const endsAtMs = performance.now() + limits.timeoutMs
  const first = await run(limits)
  const runs = [first]
  while (runs.length < times && runs.at(-1)?.testRun.status !== 'error') {
    const timeoutMs = Math.floor(endsAtMs - performance.now())
    if (timeoutMs <= 0) break
    runs.push(await run({ ...limits, timeoutMs }))
  }
  if (times === 1) return first
  const passed = runs.filter(({ testRun }) => testRun.status === 'pass').length
  const told = runs.find(({ testRun }) => testRun.status !== 'pass') ?? runs.at(-1) ?? first
  const failures = new Map<string, { name: string; file?: string; failed: number }>()
  for (const { name, file } of runs.flatMap(({ testRun }) => testRun.failingTests)) {
    const key = `${file}\n${name}`
    failures.set(key, { name, ...(file !== undefined && { file }), failed: (failures.get(key)?.failed ?? 0) + 1 })
  }
  return { ...told, repeated: { runs: runs.length, passed, failures: [...failures.values()] } }
}

const progressIntervalMs = 1_000

/** If the client asked for progress, reports elapsed time, time limit and last line of output. */
function startProgress({ timeoutMs }: TestRunLimits, { context, call: { mcpReq } }: Call) {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return { hear: (): void => undefined, end: (): void => undefined }
  const startMs = performance.now()
  let last = ''
  const tell = (): void => {
    const progress = Math.round(performance.now() - startMs)
    const message = cutLine(plainLine(context.redactor.redact(last)), 200)
    const params = { progressToken, progress, total: timeoutMs, message }
    // Ignore errors, because the client may be gone.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  const timer = setInterval(tell, progressIntervalMs)
  tell()
  return {
    hear: (line: string): void => void (last = line === '' ? last : line.slice(0, 1000)),
    end: (): void => clearInterval(timer),
  }
}
