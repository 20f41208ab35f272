import { agentEnvironment } from '../../agents/agent-environment.ts'
import { openRedactor } from '../../system/redaction/redact.ts'
import { interruptedBy, type CommandEnding } from '../common/exit-code.ts'
import type { CliContext } from '../common/cli-context.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'
import { findRepository } from '../common/find-project.ts'
import { formatHelp, parseFlags } from '../common/parse-flags.ts'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createRunTestServer, type RunTestContext } from './run-test-tool.ts'
import { maxMessageBytes, WholeMessages, type LongMessage } from './whole-messages.ts'
import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { wholeNumber } from '../common/flag-readers.ts'
import { withResolvers, Slots } from '../../system/concurrency.ts'

/**
 * `mdtest mcp`: serves the tool `run_test` until the client closes standard input.
 * @throws {SetUpError} for wrong use, or where there is no repository.
 */
export async function mcp(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const { cwd, env, stdin, stdout, signal } = cli
  const flags = parseMcpFlags(args)
  if (flags.help) {
    stdout.write(formatHelp(mcpSyntax))
    return { command: 'mcp', end: 'done' }
  }
  const root = await findRepository(flags.root, cwd)
  await withLiveTrees(async ({ trees, runMark }) => {
    // It is needed with the first call, and takes a while.
    trees.launcher().catch(() => undefined) // the first call that needs it fails with the reason
    const { redactor } = openRedactor({ envs: [env], names: [] })
    const own = {
      root,
      trees,
      runMark,
      redactor,
      signal,
      isQueued: flags.isQueued ?? false,
      keepReports: flags.keepReports,
    }
    await serveRunTest({ stdin, stdout }, { ...own, env: agentEnvironment(env), now: () => new Date() })
  })
  return signal.aborted ? interruptedBy(signal) : { command: 'mcp', end: 'done' }
}

/** What a client is connected by: nothing but protocol may be written to `stdout`. */
interface StdioStreams {
  readonly stdin: Readable
  readonly stdout: Writable
}

/**
 * Serves `run_test` to one client until it closes standard input, does not read what is written to it any more, or whoever
 * started this process is gone, or `signal` is aborted. Then runs under way are ended and their reports written. A message of more than 10 MiB is
 * answered with an error.
 */
async function serveRunTest(
  { stdin, stdout }: StdioStreams,
  context: Omit<RunTestContext, 'slots'> & { readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  const slots = new Slots(1)
  const messages = stdin.pipe(new WholeMessages((message) => stdout.write(tooLong(message))))
  const handle = serveStdio(() => createRunTestServer({ ...context, signal, slots }), {
    // Larger than any line that gets there.
    transport: new StdioServerTransport(messages, stdout, { maxBufferSize: 4 * maxMessageBytes }),
  })
  using parent = watchParent()
  await Promise.race([endOf(stdin), endOf(stdout), parent.gone, abortOf(context.signal)])
  over.abort()
  await handle.close()
  // Whoever has the slot is ending its run.
  await slots.take(new AbortController().signal)
  stdin.destroy()
}

const parentIntervalMs = 1_000

/** Tells when the parent is gone, be it a wrapper such as npx: somebody else may hold the client's end of the pipe. */
function watchParent(): Disposable & { readonly gone: Promise<void> } {
  const parent = process.ppid
  const { promise: gone, resolve } = withResolvers<void>()
  const timer = setInterval(() => process.ppid !== parent && resolve(), parentIntervalMs)
  return { gone, [Symbol.dispose]: () => clearInterval(timer) }
}

/** Later writes fail as well, and nobody reads them. */
function endOf(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve())
  })
}

function tooLong({ bytes, id }: LongMessage): string {
  const message = `The message has ${bytes} bytes, more than ${maxMessageBytes}, and was not read. Send a shorter one: run_test takes the name of a runner, a path and four numbers.`
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_600, message } })}\n`
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** `mdtest mcp`, as asked for on the command line. */
interface McpFlags extends FlagValues<typeof mcpSyntax> {
  /** How many of the newest reports stay. */
  readonly keepReports: number
}

const defaultKeep = 20
const maxKeep = 10_000

export const mcpSyntax = {
  command: 'mcp',
  usage: ['[options]'],
  about: `An MCP server on standard input and output, for coding agents. It has one tool, run_test, which runs the tests of a project
with a known test runner, within limits, and answers with what failed. It takes no commands.`,
  flags: {
    root: {
      flag: 'root',
      value: 'DIR',
      summary: 'root of the repository (default: the git root of the current directory)',
    },
    isQueued: {
      flag: 'queue',
      summary: 'calls wait for their turn (default: one that comes while tests run is answered with an error)',
    },
    keepReports: {
      flag: 'keep',
      value: 'N',
      read: wholeNumber(1, maxKeep),
      summary: `how many reports of past runs stay, 1 to ${maxKeep} (default: ${defaultKeep})`,
    },
  },
  isFlagsOnly: true,
  examples: [''],
  exitCodes:
    '0 the client closed standard input, 2 wrong use or no repository, 130 and 143 ended by SIGINT or SIGTERM.',
} satisfies CommandSyntax

/**
 * Reads the arguments after `mdtest mcp`.
 * @throws {SetUpError} for an unknown flag, or a wrong value.
 */
function parseMcpFlags(args: readonly string[]): McpFlags {
  return { keepReports: defaultKeep, ...parseFlags(args, mcpSyntax).values }
}
