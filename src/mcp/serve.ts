import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { Slots } from '../shared/slots.ts'
import { createRunTestServer, type RunTestContext } from './run-test-tool.ts'

/** What a client is connected by: nothing but protocol may be written to `stdout`. */
export interface StdioStreams {
  readonly stdin: Readable
  readonly stdout: Writable
}

/**
 * Serves `run_test` to one client until it closes standard input, or `signal` is aborted. Then runs under way are ended
 * and their reports written.
 */
export async function serveRunTest(
  { stdin, stdout }: StdioStreams,
  context: Omit<RunTestContext, 'slots'> & { readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  const slots = new Slots(1)
  const handle = serveStdio(() => createRunTestServer({ ...context, signal, slots }), {
    transport: new StdioServerTransport(stdin, stdout),
  })
  await Promise.race([endOf(stdin), abortOf(context.signal)])
  over.abort()
  await handle.close()
  // Whoever has the slot is ending its run.
  await slots.take(new AbortController().signal)
  stdin.destroy()
}

function endOf(stdin: Readable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve())
  })
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
