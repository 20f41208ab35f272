import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { MdtestError } from '../../system/mdtest-error.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import { runTests } from '../../test-runners/run/run-tests.ts'
import type { TestRunContext } from '../../test-runners/run/start-runner.ts'
import { type TestRunRequest, type TestRun, formatOutcome } from '../../test-runners/run/test-run.ts'
import type { RunnerCommand } from '../../test-runners/runner.ts'
import { chooseRun } from './choose-run.ts'
import { repeatRun } from './repeat-run.ts'
import { parseRunTestInput, runTestInput, type RunTestCall } from './run-test-input.ts'
import { runTestOutput, toOutput, type RunTestOutput } from './run-test-output.ts'
import { version } from '../../system/own-package.ts'
import type { Slots } from '../../system/concurrency.ts'

/** What the tool needs, the same for all calls. */
export interface RunTestContext extends TestRunContext {
  /** A call that comes while tests run waits for its turn; else it is answered at once. */
  readonly isQueued: boolean
  /** Of one: tests run one after the other. */
  readonly slots: Slots
}

interface ToolResult {
  readonly [key: string]: unknown
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
}

/** The MCP server with its one tool. */
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
      // Claude Code hides tools of MCP servers behind a search tool otherwise.
      _meta: { 'anthropic/alwaysLoad': true },
    },
    (input, call) => answer(input, { context, call }),
  )
  return server
}

/** Clients are told the schema; calls are checked by us, because the SDK's own messages name neither fields nor a way out. */
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

async function answer(input: unknown, { context, call }: Call): Promise<ToolResult> {
  try {
    return await takeTurn(parseRunTestInput(input), { context, call })
  } catch (error: unknown) {
    if (!(error instanceof MdtestError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

async function takeTurn({ asked, times, ...request }: RunTestCall, { context, call }: Call): Promise<ToolResult> {
  const signal = AbortSignal.any([call.mcpReq.signal, ...(context.signal ? [context.signal] : [])])
  if (context.slots.isFull && !context.isQueued) throw busy()
  const giveBack = await context.slots.take(signal)
  const progress = startProgress(request, { context, call })
  try {
    const { run, args, ran } = await chooseRun(asked, { ...request, root: context.root })
    const wrap = (command: RunnerCommand): RunnerCommand => ({ ...command, argv: [...command.argv, ...args] })
    const told = await repeatRun({ times, limits: request.limits }, (limits) =>
      runTests({ ...request, run, limits }, { ...context, signal, onLine: progress.hear, wrap }),
    )
    const output = toOutput({ ...told, ran })
    return { content: [{ type: 'text', text: formatOutput(output, told.testRun) }], structuredContent: output }
  } finally {
    progress.end()
    giveBack()
  }
}

function busy(): MdtestError {
  return new MdtestError('EXEC_BUSY', 'busy: another call of run_test is running tests.', {
    hint: 'Call again when it has returned, or start the server with `--queue`, so that calls wait for their turn.',
  })
}

const progressIntervalMs = 1_000

interface Progress {
  hear(line: string): void
  end(): void
}

/** Tells a client that asked for it how long the run took so far, of its limit, with the last line of output. */
function startProgress({ limits }: Pick<TestRunRequest, 'limits'>, { context, call: { mcpReq } }: Call): Progress {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return { hear: () => undefined, end: () => undefined }
  const startMs = performance.now()
  let last = ''
  const tell = (): void => {
    const params = {
      progressToken,
      progress: Math.round(performance.now() - startMs),
      total: limits.timeoutMs,
      message: cutLine(plainLine(context.redactor.redact(last)), 200),
    }
    // A client that is gone hears nothing.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  const timer = setInterval(tell, progressIntervalMs)
  tell()
  return { hear: (line) => void (last = line === '' ? last : line.slice(0, 1000)), end: () => clearInterval(timer) }
}

function formatRate({ runs, passed, failures }: NonNullable<RunTestOutput['repeated']>): string {
  const each = failures.map(({ name, failed }) => `${name} failed in ${failed}`)
  return `${passed} of ${runs} runs passed${each.length === 0 ? '' : `: ${each.join(', ')}`}.`
}

/** The answer as text, for clients that do not pass on structured content. */
function formatOutput(output: RunTestOutput, testRun: TestRun): string {
  const { failing_tests: failing, failing_tests_left_out: leftOut, ran, repeated, excerpt, report_dir: dir } = output
  return [
    formatOutcome(testRun),
    ...(ran === undefined ? [] : [`Run: ${ran}.`]),
    ...(repeated === undefined ? [] : [formatRate(repeated)]),
    ...failing.map((test, index) => `${index + 1}. ${formatFailure(test)}`),
    ...(leftOut === undefined ? [] : [`… and ${leftOut} more`]),
    ...(excerpt === '' ? [] : ['', excerpt, '']),
    `Report: ${dir}/ (summary.md, summary.json, raw.log)`,
  ].join('\n')
}

function formatFailure({
  name,
  file,
  line,
  message,
  expected,
  received,
}: RunTestOutput['failing_tests'][number]): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
  const hasValues = expected !== undefined && received !== undefined
  // The message of a comparison says the same again.
  return `${name}${place}: ${hasValues ? `expected ${expected}, received ${received}` : message}`
}
