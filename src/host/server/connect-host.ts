import { connect } from 'node:net'
import { createBirpc } from 'birpc'
import { MdtestError } from '../../system/mdtest-error.ts'
import { channelOf } from '../protocol/channel.ts'
import type { AgentExecutor, HostAddress, HostFunctions, WorkerFunctions } from '../protocol/protocol.ts'

/** A worker's end of the line to the host. */
export interface HostClient extends HostFunctions {
  readonly runMark: string
  /** Aborts when the run is interrupted. Vitest tells a test only if that test is already under way. */
  readonly interruption: AbortSignal
  /** Who executes commands of the scenario's agent, where mdtest does that. */
  executeWith(executor: AgentExecutor): void
  close(): void
}

/**
 * Connects a worker to the host. The connection is the worker's sign of life: when it breaks, the host ends
 * what it runs for that worker. It never keeps the worker's event loop alive by itself.
 */
export function connectHost({ port, token, runMark }: HostAddress): HostClient {
  const socket = connect(port, '127.0.0.1')
  socket.unref()
  socket.on('error', () =>
    rpc.$close(new Error('The connection to the mdtest host broke: the main process of Vitest is gone.')),
  )
  socket.write(`${token}\n`)
  let pending = 0
  // An agent may work for as long as its own limits allow.
  const interruption = new AbortController()
  let own: AgentExecutor | undefined
  const executor = (): AgentExecutor => {
    if (own) return own
    throw new MdtestError('HOST_EXECUTOR_UNKNOWN', 'A command of an agent came before its scenario could execute it.')
  }
  const functions: WorkerFunctions = {
    cancelAll: () => interruption.abort(),
    ping: () => {},
    runForAgent: (command) => executor().runForAgent(command),
    outputForAgent: () => executor().outputForAgent(),
    stopForAgent: () => executor().stopForAgent(),
    holdForAgent: () => executor().holdForAgent(),
    releaseForAgent: () => executor().releaseForAgent(),
    endForAgent: () => executor().endForAgent(),
  }
  const rpc = createBirpc<HostFunctions, WorkerFunctions>(functions, { ...channelOf(socket), timeout: -1 })
  const ask = async <T>(request: () => Promise<T>): Promise<T> => {
    socket.ref()
    pending += 1
    try {
      return await request()
    } catch (error: unknown) {
      throw new MdtestError('HOST_REQUEST_FAILED', messageOf(error), { cause: error })
    } finally {
      pending -= 1
      if (pending === 0) socket.unref()
    }
  }
  return {
    runMark,
    interruption: interruption.signal,
    enterScenario: (place) => ask(() => rpc.enterScenario(place)),
    leaveScenario: () => void rpc.leaveScenario.asEvent(),
    startAgent: (request) => ask(() => rpc.startAgent(request)),
    awaitStep: (requestId, limit) => ask(() => rpc.awaitStep(requestId, limit)),
    direct: (requestId, direction) => void rpc.direct.asEvent(requestId, direction),
    finishAgent: (requestId, verdict) => ask(() => rpc.finishAgent(requestId, verdict)),
    noteOutcome: (place, ended) => ask(() => rpc.noteOutcome(place, ended)),
    rewriteOutput: (specFile, files) => ask(() => rpc.rewriteOutput(specFile, files)),
    keepRecording: (made) => ask(() => rpc.keepRecording(made)),
    agentsSince: () => ask(() => rpc.agentsSince()),
    agentEnvironment: () => ask(() => rpc.agentEnvironment()),
    openBrowser: (request) => ask(() => rpc.openBrowser(request)),
    makeTempDir: () => ask(() => rpc.makeTempDir()),
    cancel: (requestId) => void rpc.cancel.asEvent(requestId),
    processStarted: (tree) => void rpc.processStarted.asEvent(tree),
    processEnded: (pid) => void rpc.processEnded.asEvent(pid),
    codeStarted: (code) => ask(() => rpc.codeStarted(code)),
    executeWith(given) {
      own = given
    },
    close: () => socket.destroy(),
  }
}

/** Over the line an error is plain data. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
