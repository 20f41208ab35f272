import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Readable, Writable } from 'node:stream'
import { messageOf } from '../../../system/error-facts.ts'
import { acpSdk, loadPeer } from '../../load-peer.ts'
import type { AcpTask } from '../acp-task.ts'
import { isAnswered } from './acp-messages.ts'
import { describeExit } from '../../../system/text/wording.ts'

/** Answers of our side. They get what came as it is, and never throw. */
export interface ClientSide {
  /** `params` of a `session/update`. */
  onUpdate(params: unknown): void
  /** `params` of a `session/request_permission`. Gives the kind of the option to choose. */
  onPermission(params: unknown): 'allow_once' | 'reject_once'
  /** Size of the largest message that is read. @default 64 MiB */
  readonly maxMessageBytes?: number
}

/** An agent that runs and speaks ACP. */
export interface AcpConnection {
  /**
   * @throws the error that it answers, or an `Error` that says how its program ended
   */
  request(method: string, params: object): Promise<unknown>
  notify(method: string, params: object): void
  /** Ends its program: by the end of its input, and after a while by a signal. */
  close(): Promise<void>
}

/** How long the program may take to end by itself, in milliseconds. */
const endMs = 3_000

/** Starts an agent's program without a shell. @throws {MdtestError} where the package for ACP is missing */
export async function openConnection(
  task: AcpTask,
  env: Readonly<Record<string, string | undefined>>,
  side: ClientSide,
): Promise<AcpConnection> {
  const acp = await loadPeer(acpSdk, () => import('@agentclientprotocol/sdk'))
  const passwords = Object.fromEntries(task.passwords.map((name) => [name, randomBytes(32).toString('hex')]))
  const [program, ...args] = task.argv
  const child = spawn(program, args, {
    cwd: task.cwd,
    env: { ...env, ...task.variables, ...passwords },
    // What it says on its standard error is for the raw log.
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined) // It is gone; `ended` tells.
  const ended = endOf(child, task.title)
  const { methods } = acp
  const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array> // bytes, because nobody has set an encoding
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), output, {
    maxMessageBytes: side.maxMessageBytes ?? defaultMaxMessageBytes,
  })
  const connection = acp
    .client({ name: 'mdtest' })
    .onNotification(methods.client.session.update, asItIs, ({ params }) => side.onUpdate(params))
    .onRequest(methods.client.session.requestPermission, asItIs, ({ params }) => ({
      outcome: outcomeOf(params, side.onPermission(params)),
    }))
    .connect(stream)
  // Whichever tells more: an answer that was given before the end still counts.
  const request = async (method: string, params: object): Promise<unknown> => {
    const over = new AbortController()
    const end = ended.then(async (how) => {
      // A wait for nobody would hold the program up.
      await sleep(lastWordsMs, undefined, { signal: over.signal })
      throw new Error(`${how} before it answered \`${method}\`.`)
    })
    try {
      const told = connection.agent
        .request(method, params)
        .catch(async (error: unknown) => (isAnswered(error) ? raise(error) : await end))
      return await Promise.race([told, end])
    } finally {
      over.abort()
    }
  }
  return {
    request,
    notify: (method, params) => void connection.agent.notify(method, params).catch(() => undefined),
    async close() {
      child.stdin.end()
      await Promise.race([ended, sleep(endMs, undefined, { ref: false })])
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      connection.close()
    },
  }
}

/** Messages may hold whole files, and screenshots. */
const defaultMaxMessageBytes = 64 * 1024 * 1024
/** From the end of the program to the end of what it said, in milliseconds. */
const lastWordsMs = 200

function asItIs(params: unknown): unknown {
  return params
}

/** How the program ended, the first part of a sentence. */
function endOf(child: ChildProcess, title: string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${title} could not be started (${messageOf(error)})`))
    child.once('exit', (exitCode, signal) =>
      resolve(`${title} ${signal === null ? describeExit(exitCode ?? -1) : `was ended by ${signal}`}`),
    )
  })
}

function raise(error: unknown): never {
  throw error
}

/** An agent offers its options; one of another kind is never chosen. */
function outcomeOf(params: unknown, kind: string): object {
  const options: unknown = typeof params === 'object' && params !== null && 'options' in params ? params.options : []
  const option = (Array.isArray(options) ? options : []).find((one: unknown) => isOfKind(one, kind))
  return isOfKind(option, kind) ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' }
}

function isOfKind(option: unknown, kind: string): option is { readonly optionId: unknown } {
  return (
    typeof option === 'object' && option !== null && 'kind' in option && option.kind === kind && 'optionId' in option
  )
}
