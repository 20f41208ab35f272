import { connect } from 'node:net'
import { createBirpc } from 'birpc'
import { MdtestError } from '../../system/mdtest-error.ts'
import { channelOf } from '../protocol/channel.ts'
import type { AgentExecutor, HostAddress, HostFunctions, WorkerFunctions } from '../protocol/protocol.ts'

interface Connection extends Disposable {
  readonly runMark: string
  /** Aborts when the run is interrupted. Vitest itself signals only tests that have already started. */
  readonly interruption: AbortSignal
  executeWith(executor: AgentExecutor): void
  close(): void
}

export type HostClient = HostFunctions & Connection

/** Functions without an answer: the caller does not wait for them. */
const events: readonly (string | symbol)[] = [
  'leaveScenario',
  'direct',
  'cancel',
  'processStarted',
  'processEnded',
] satisfies (keyof HostFunctions)[]

/** Connects a worker to the host. If the connection breaks, the host ends all agents and processes of that worker. */
export function connectHost({ port, token, runMark }: HostAddress): HostClient {
  const socket = connect(port, '127.0.0.1')
  socket.unref()
  socket.on('error', () =>
    rpc.$close(new Error('The connection to the mdtest host broke: the main process of Vitest is gone.')),
  )
  socket.write(`${token}\n`)
  const interruption = new AbortController()
  let executor: AgentExecutor | undefined
  const own: Connection = {
    runMark,
    interruption: interruption.signal,
    executeWith(given) {
      executor = given
    },
    close: () => socket.destroy(),
    [Symbol.dispose]: () => socket.destroy(),
  }
  const functions = { cancelAll: () => interruption.abort(), ping() {} }
  const rpc = createBirpc<HostFunctions, Omit<WorkerFunctions, keyof AgentExecutor>>(functions, {
    ...channelOf(socket),
    // No timeout: an agent may work as long as its own limits allow.
    timeout: -1,
    resolver: (name, known) => known ?? executor?.[name as keyof AgentExecutor].bind(executor), // no others are called
  })
  let pending = 0
  const ask = async (call: () => Promise<unknown>): Promise<unknown> => {
    socket.ref()
    pending += 1
    try {
      return await call()
    } catch (error: unknown) {
      throw new MdtestError('HOST_REQUEST_FAILED', receivedMessage(error), { cause: error })
    } finally {
      pending -= 1
      if (pending === 0) socket.unref()
    }
  }
  return new Proxy(own as HostClient, {
    get(_own, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const call: unknown = Reflect.get(rpc, name)
      if (typeof call !== 'function') return call
      if (events.includes(name)) return (...given: unknown[]) => void Reflect.get(call, 'asEvent')(...given)
      return (...given: unknown[]) => ask(() => call(...given))
    },
  })
}

/** The message of an error. An error that comes over the connection is a plain object. */
function receivedMessage(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
