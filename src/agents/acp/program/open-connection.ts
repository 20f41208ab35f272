import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../system/error-facts.ts'
import { parseJson } from '../../../system/text/parse-json.ts'
import { describeExit } from '../../../system/text/wording.ts'
import { fieldsOf } from '../../agent-events.ts'
import { acpSdk, loadPeer } from '../../load-peer.ts'
import type { AcpTask } from '../acp-agent.ts'
import { answeredCode } from './acp-messages.ts'

/** Handlers for the agent's messages. They get unchecked data and must not throw. */
export interface ClientSide {
  onUpdate(params: unknown): void
  /** Called with each line on stderr, and with text on stdout outside of messages. */
  onProse(text: string): void
  onPermission(params: unknown): 'allow_once' | 'reject_once'
  /** Largest message to read: messages may contain whole files and screenshots. @default 64 MiB */
  readonly maxMessageBytes?: number
}

export interface AcpConnection {
  /** @throws the error that the agent answered, or an `Error` if the agent's program ended */
  request(method: string, params: object): Promise<unknown>
  notify(method: string, params: object): void
  /** The last lines that the program printed besides messages. */
  readonly said: readonly string[]
  close(): Promise<void>
}

/** Time limits: for the program's exit, for the arrival of its last output, and for reading this output. */
const [endMs, arrivalMs, readingMs] = [3_000, 2_000, 200]
const maxSaid = 500

/** Starts an agent's program without a shell. @throws {MdtestError} if the package for ACP is missing */
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
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined) // The program has ended: `ended` reports it.
  const said: string[] = []
  const note = (line: string): void => {
    onProse(line)
    if (line.trim() !== '') said.push(line.trim())
    // Whole lines only: half a secret would not be redacted.
    while (said.length > 1 && said.join('').length > maxSaid) said.shift()
  }
  createInterface({ input: child.stderr }).on('line', note)
  const ended = endMessage(child, task.title)
  const closed = once(child, 'close').catch(() => undefined)
  const { update, requestPermission } = acp.methods.client.session
  const messages = Readable.from(messagesIn(child.stdout, { onProse: note, maxMessageBytes }), {
    objectMode: false,
  })
  const output = Readable.toWeb(messages) as ReadableStream<Uint8Array> // bytes, because no encoding is set
  const asItIs = (params: unknown): unknown => params
  const connection = acp
    .client({ name: 'mdtest' })
    .onNotification(update, asItIs, ({ params }) => onUpdate(params))
    .onRequest(requestPermission, asItIs, ({ params }) => ({ outcome: chooseOption(params, onPermission(params)) }))
    .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), output, { maxMessageBytes }))
  return {
    // Waits for the answer or the program's end. An answer given just before the end still counts.
    async request(method, params) {
      const over = new AbortController()
      const end = ended.then(async (how) => {
        const { signal } = over
        await Promise.race([closed, sleep(arrivalMs, undefined, { signal })])
        await sleep(readingMs, undefined, { signal })
        throw new Error(`${how} before it answered \`${method}\`.`)
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
    said,
    async close() {
      child.stdin.end()
      await Promise.race([ended, sleep(endMs, undefined, { ref: false })])
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      // A program that the agent has left may hold it open.
      child.stderr.destroy()
      connection.close()
    },
  }
}

/** Yields each message as a line of its own. Other output goes to `onProse`, even text beside a message on its line. */
async function* messagesIn(
  stdout: Readable,
  { onProse, maxMessageBytes }: Required<Pick<ClientSide, 'onProse' | 'maxMessageBytes'>>,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  const takeLine = (): readonly Buffer[] => {
    const line = Buffer.concat(pieces).toString()
    pieces = []
    const { messages, prose } = splitMessages(line)
    if (prose.trim() !== '') onProse(prose)
    return messages.map((message) => Buffer.from(`${message}\n`))
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
    // A line above the limit is passed on unfinished. The reader of the line reports the error.
    if (size > maxMessageBytes) yield* pieces.splice(0)
  }
  yield* takeLine()
}

function splitMessages(line: string): { readonly messages: readonly string[]; readonly prose: string } {
  if (!line.includes('"jsonrpc"')) return { messages: [], prose: line }
  if (isMessage(parseJson(line))) return { messages: [line], prose: '' }
  const messages: string[] = []
  let [prose, from] = ['', 0]
  for (let start = line.indexOf('{"'); start !== -1; start = line.indexOf('{"', from)) {
    const end = endOfObject(line, start)
    const object = end === undefined ? undefined : parseJson(line.slice(start, end))
    const isOne = isMessage(object)
    if (isOne) messages.push(line.slice(start, end))
    const next = object === undefined || end === undefined ? start + 1 : end
    prose += line.slice(from, isOne ? start : next)
    from = next
  }
  return { messages, prose: prose + line.slice(from) }
}

function isMessage(value: unknown): boolean {
  return 'jsonrpc' in fieldsOf(value)
}

/** The offset behind the brace that closes the one at `start`. Braces in strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  const tokens = /\\.|["{}]/g
  tokens.lastIndex = start
  let [depth, isInString] = [0, false]
  for (let token = tokens.exec(text)?.[0]; token !== undefined; token = tokens.exec(text)?.[0]) {
    if (token === '"') isInString = !isInString
    if (isInString) continue
    depth += token === '{' ? 1 : token === '}' ? -1 : 0
    if (depth === 0) return tokens.lastIndex
  }
  return undefined
}

function endMessage(child: ChildProcess, title: string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${title} could not be started (${messageOf(error)})`))
    child.once('exit', (exitCode, signal) =>
      resolve(`${title} ${signal === null ? describeExit(exitCode ?? -1) : `was ended by ${signal}`}`),
    )
  })
}

function chooseOption(params: unknown, kind: string): object {
  const { options } = fieldsOf(params)
  const all = Array.isArray(options) ? options.map((one: unknown) => fieldsOf(one)) : []
  const option = all.find((one) => one.kind === kind && 'optionId' in one)
  return option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId }
}
