import { parseJson } from '../../system/text/parse-json.ts'
import { readlinkSync } from 'node:fs'
import { Transform, type Readable, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import { Slots, withResolvers } from '../../system/slots-and-timers.ts'
import { orNothing } from '../../system/error-facts.ts'
import { readProcess, type ProcessEntry } from '../../system/process/trees/process-table.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import { command, flag, type CommandSyntax } from '../common/define-command.ts'
import { interruptedBy } from '../common/cli.ts'
import { findRepository } from '../common/suite.ts'
import { wholeNumber } from '../common/flags.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'
import { createRunTestServer, type RunTestContext } from './run-test-tool.ts'

const defaultKeep = 20
const maxKeep = 10_000

export const mcpSyntax = {
  command: 'mcp',
  usage: ['[options]'],
  about: `An MCP server on standard input and output, for coding agents. Its only tool, run_test, runs the tests of a project
with a known test runner, within limits, and returns the failures. It accepts no commands.`,
  flags: {
    root: flag('--root DIR', 'root of the repository (default: the git root of the current directory)'),
    isQueued: flag('--queue', 'let calls wait for their turn (default: a call during another one is an error)'),
    keepReports: flag('--keep N', `number of past reports to keep (default: ${defaultKeep})`, {
      read: wholeNumber(1, maxKeep),
    }),
  },
  isFlagsOnly: true,
  examples: [''],
  exitCodes: '0 the client closed standard input, 2 wrong use or no repository, 130/143 ended by SIGINT or SIGTERM.',
} satisfies CommandSyntax

export const mcp = command(mcpSyntax, async ({ root: named, isQueued = false, keepReports = defaultKeep }, cli) => {
  const { cwd, env, signal } = cli
  const root = await findRepository(named, cwd)
  await withLiveTrees(async ({ trees, runMark }) => {
    const { redactor } = openRedactor([env])
    const asked = { root, isQueued, keepReports, signal }
    await serveRunTest(cli, { ...asked, trees, runMark, redactor, env: agentEnvironment(env), now: () => new Date() })
  })
  if (signal.aborted) return interruptedBy(signal)
})

/** Serves one client until the client is gone or `signal` is aborted. Then ends all runs and writes their reports. */
async function serveRunTest(
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
  context: Omit<RunTestContext, 'slots'> & { readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  const slots = new Slots(1)
  const messages = stdin.pipe(passMessages((answer) => stdout.write(answer)))
  const handle = serveStdio(() => createRunTestServer({ ...context, signal, slots }), {
    // The limit of the SDK must be higher than the limit of `passMessages`.
    transport: new StdioServerTransport(messages, stdout, { maxBufferSize: 4 * maxMessageBytes }),
  })
  using parent = watchParent()
  await Promise.race([streamEnd(stdin), streamEnd(stdout), parent.gone, abortOf(context.signal)])
  over.abort()
  await handle.close()
  // Wait until the run in progress has ended.
  await slots.take(new AbortController().signal)
  stdin.destroy()
}

const parentIntervalMs = 1_000
const parent = process.ppid

/** `gone` resolves when the client has ended. The pipe does not show this: a wrapper such as npx may keep it open. */
function watchParent(): Disposable & { readonly gone: Promise<void> } {
  const { promise: gone, resolve } = withResolvers<void>()
  const wrappers = listWrappers()
  const isOrphan = (): boolean =>
    process.ppid !== parent || wrappers.some((each) => (readProcess(each.pid) ?? each).parentPid !== each.parentPid)
  if (isAdopted(wrappers)) resolve()
  const timer = setInterval(() => isOrphan() && resolve(), parentIntervalMs)
  return { gone, [Symbol.dispose]: () => clearInterval(timer) }
}

/** This process and parents with the same standard input, such as npx. Their parent is the client. Empty on macOS. */
function listWrappers(): readonly ProcessEntry[] {
  const found: ProcessEntry[] = []
  let next = readProcess(process.pid)
  while (next !== undefined && (found.length === 0 || inputOf(next.pid) === inputOf(process.pid))) {
    found.push(next)
    next = readProcess(next.parentPid)
  }
  return found
}

/**
 * Whether the client ended before this code was loaded: then a wrapper has a new parent in another session. This fails
 * in a container whose first process is in the same session.
 */
function isAdopted(wrappers: readonly ProcessEntry[]): boolean {
  return wrappers.some(({ pid, parentPid, sessionId }) => {
    const above = readProcess(parentPid)
    return above !== undefined && above.sessionId !== sessionId && sessionId !== pid
  })
}

function inputOf(pid: number): string | undefined {
  return orNothing(() => readlinkSync(`/proc/${pid}/fd/0`))
}

/** Resolves at the end of the stream, and at an error, after which the stream cannot be used. */
function streamEnd(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve())
  })
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Longer messages are refused. A normal call has a few hundred bytes. */
const maxMessageBytes = 10 * 1024 * 1024

/** Of a long message, only this many bytes at each end are kept. One end should contain the id of the message. */
const partBytes = 4096

/** Answers a message that is too long. Without this answer, the SDK would close the connection. */
function passMessages(answer: (text: string) => void): Transform {
  let kept = Buffer.alloc(0)
  let bytes = 0
  function end(stream: Transform): void {
    if (bytes > maxMessageBytes) answer(describeLong(bytes, kept))
    else if (bytes > 0) stream.push(kept)
    kept = Buffer.alloc(0)
    bytes = 0
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let rest = chunk; rest.length > 0;) {
        const lineEnd = rest.indexOf('\n') + 1
        const piece = rest.subarray(0, lineEnd || undefined)
        rest = rest.subarray(piece.length)
        bytes += piece.length
        kept = Buffer.concat([kept, piece])
        if (bytes > maxMessageBytes) kept = Buffer.concat([kept.subarray(0, partBytes), kept.subarray(-partBytes)])
        if (lineEnd > 0) end(this)
      }
      done()
    },
    flush(done) {
      end(this)
      done()
    },
  })
}

const value = String.raw`("(?:[^"\\]|\\.)*"|-?\d+)`
/** These patterns look only at plain members at both ends, because a nested object may have an `id`, too. */
const idAtStart = new RegExp(
  String.raw`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*){0,2}"id"\s*:\s*${value}\s*,`,
)
const idAtEnd = new RegExp(
  String.raw`,\s*"id"\s*:\s*${value}\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*){0,2}\}\s*$`,
)

function describeLong(bytes: number, kept: Buffer): string {
  const [head, tail] = [kept.toString('utf8', 0, partBytes), kept.toString('utf8', partBytes)]
  const message = `The message has ${bytes} bytes, more than ${maxMessageBytes}, and was not read. Send a shorter one: run_test takes the name of a runner, a path and four numbers.`
  const id = parseJson((idAtStart.exec(head) ?? idAtEnd.exec(tail))?.[1]) ?? null
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_600, message } })}\n`
}
