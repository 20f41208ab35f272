import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../system/error-facts.ts'
import { describeExit } from '../../../system/text/wording.ts'
import { fieldsOf } from '../../agent-events.ts'
import { acpSdk, loadPeer } from '../../load-peer.ts'
import type { AcpTask } from '../acp-agent.ts'
import { answeredCode } from './acp-messages.ts'

/** Answers of our side. They get what came as it is, and never throw. */
export interface ClientSide {
  onUpdate(params: unknown): void
  /** What the program prints on its standard output that is no message. */
  onProse(text: string): void
  onPermission(params: unknown): 'allow_once' | 'reject_once'
  /** Size of the largest message that is read: it may hold whole files, and screenshots. @default 64 MiB */
  readonly maxMessageBytes?: number
}

export interface AcpConnection {
  /** @throws the error that it answers, or an `Error` that says how its program ended */
  request(method: string, params: object): Promise<unknown>
  notify(method: string, params: object): void
  /** Ends its program: by the end of its input, and after a while by a signal. */
  close(): Promise<void>
}

/** For the program to end by itself, and from its end to the end of what it said, in milliseconds. */
const [endMs, lastWordsMs] = [3_000, 200]
const maxSaid = 500

/** Starts an agent's program without a shell. @throws {MdtestError} where the package for ACP is missing */
export async function openConnection(
  task: AcpTask,
  env: Readonly<Record<string, string | undefined>>,
  { onUpdate, onPermission, onProse, maxMessageBytes = 64 * 1024 * 1024 }: ClientSide,
): Promise<AcpConnection> {
  const acp = await loadPeer(acpSdk, () => import('@agentclientprotocol/sdk'))
  const passwords = Object.fromEntries(task.passwords.map((name) => [name, randomBytes(32).toString('hex')]))
  const [program, ...args] = task.argv
  const child = spawn(program, args, {
    cwd: task.request.cwd,
    env: { ...env, ...task.variables, ...passwords },
    // What it says on its standard error is for the raw log.
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined) // It is gone; `ended` tells.
  let said = ''
  const noteProse = (text: string): void => {
    onProse(text)
    said = `${said} ${text.trim()}`.slice(-maxSaid)
  }
  const ended = endOf(child, task.title)
  const { update, requestPermission } = acp.methods.client.session
  const messages = Readable.from(messagesIn(child.stdout, { onProse: noteProse, maxMessageBytes }), {
    objectMode: false,
  })
  const output = Readable.toWeb(messages) as ReadableStream<Uint8Array> // bytes, because nobody has set an encoding
  const asItIs = (params: unknown): unknown => params
  const connection = acp
    .client({ name: 'mdtest' })
    .onNotification(update, asItIs, ({ params }) => onUpdate(params))
    .onRequest(requestPermission, asItIs, ({ params }) => ({ outcome: outcomeOf(params, onPermission(params)) }))
    .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), output, { maxMessageBytes }))
  return {
    // Whichever tells more: an answer that was given before the end still counts.
    async request(method, params) {
      const over = new AbortController()
      const end = ended.then(async (how) => {
        // A wait for nobody would hold the program up.
        await sleep(lastWordsMs, undefined, { signal: over.signal })
        throw new Error(`${how} before it answered \`${method}\`.${said === '' ? '' : ` It said:${said}`}`)
      })
      const told = connection.agent.request(method, params).catch(async (error: unknown) => {
        if (answeredCode(error) === undefined) return await end
        throw error
      })
      try {
        return await Promise.race([told, end])
      } finally {
        over.abort()
      }
    },
    notify: (method, params) => void connection.agent.notify(method, params).catch(() => undefined),
    async close() {
      child.stdin.end()
      await Promise.race([ended, sleep(endMs, undefined, { ref: false })])
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      connection.close()
    },
  }
}

/** Messages, each a line. What else the program prints, before a message in the same line too, is prose. */
async function* messagesIn(
  stdout: Readable,
  { onProse, maxMessageBytes }: Required<Pick<ClientSide, 'onProse' | 'maxMessageBytes'>>,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  const takeLine = (): readonly Buffer[] => {
    const line = Buffer.concat(pieces)
    pieces = []
    const from = line.includes('"jsonrpc"') ? line.indexOf('{"') : line.length
    const prose = line.subarray(0, from).toString()
    if (prose.trim() !== '') onProse(prose)
    return from === line.length ? [] : [line.subarray(from), Buffer.from('\n')]
  }
  let size = 0
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let from = 0
    for (let to = chunk.indexOf('\n'); to !== -1; to = chunk.indexOf('\n', from)) {
      pieces.push(chunk.subarray(from, to))
      yield* takeLine()
      ;[from, size] = [to + 1, 0]
    }
    pieces.push(chunk.subarray(from))
    size += chunk.length - from
    // Whoever reads it says what is wrong.
    if (size > maxMessageBytes) yield* pieces.splice(0)
  }
  yield* takeLine()
}

function endOf(child: ChildProcess, title: string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${title} could not be started (${messageOf(error)})`))
    child.once('exit', (exitCode, signal) =>
      resolve(`${title} ${signal === null ? describeExit(exitCode ?? -1) : `was ended by ${signal}`}`),
    )
  })
}

/** An agent offers its options; one of another kind is never chosen. */
function outcomeOf(params: unknown, kind: string): object {
  const { options } = fieldsOf(params)
  const all = Array.isArray(options) ? options.map((one: unknown) => fieldsOf(one)) : []
  const option = all.find((one) => one.kind === kind && 'optionId' in one)
  return option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId }
}
