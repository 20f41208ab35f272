// The process that runs specs for Jest. It is started by `startServer` and ends together with Jest.
import type { Socket } from 'node:net'
import { createBirpc } from 'birpc'
import { channelOf, listenOnLoopback } from '../host/protocol/channel.ts'
import { createHost } from '../host/server/host.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { findProblem, listSpecFiles } from '../plan/spec-files.ts'
import { summarizeRun, type EndedStep } from '../plan/summary-lines.ts'
import type { StepMeta } from '../plan/step-meta.ts'
import type { ServerFunctions, ServerSettings, SpecFunctions } from './protocol.ts'
import { SpecSession, type SessionContext } from './spec-session.ts'
import { refuseDebugger } from '../system/mdtest-package.ts'

const graceMs = 5000

refuseDebugger()
let server: Awaited<ReturnType<typeof createSpecServer>> | undefined
const functions: ServerFunctions = {
  async start(settings) {
    server = await createSpecServer(settings, process.env)
    return server.address
  },
  settled: async (file) => server?.settled(file) ?? {},
  async close() {
    await server?.close()
    return server?.summary() ?? []
  },
}
createBirpc<object, ServerFunctions>(functions, {
  post: (message) => void process.send?.(message),
  on: (receive) => void process.on('message', receive),
})
process.once('exit', () => server?.endNow())
process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref()
  // If Jest has already closed the server, this does nothing.
  server?.endNow()
  void server?.close()
})

async function createSpecServer(settings: ServerSettings, env: NodeJS.ProcessEnv) {
  const { options, guardedFiles, updateMode } = settings
  const steps: EndedStep[] = []
  const settled = new Map<string, Readonly<Record<number, StepMeta>>>()
  const roots = new Map<string, string>()
  const host = await createHost({
    agent: options.agent,
    env,
    guardedFiles,
    async listSpecs() {
      const folders = [...new Set(roots.values())]
      return (await Promise.all(folders.map((root) => listSpecFiles({ root, options, commandLine: {}, env })))).flat()
    },
    now: () => new Date(),
    maxAgents: options.maxAgents,
    runBudget: { maxCostUsd: options.maxRunCostUsd, maxTokens: options.maxRunTokens },
    updates: {
      mode: () => updateMode,
      findProblem: (file, texts) =>
        findProblem(file, { texts, root: roots.get(file) ?? '/', options, commandLine: {} }),
      onRewritten() {},
    },
  })
  const onStep: SessionContext['onStep'] = (step, { file, place }) => {
    steps.push(step)
    if (step.meta) settled.set(file, { ...settled.get(file), [place]: step.meta })
  }
  const context: SessionContext = { settings, address: host.address, onStep }
  const sessions = new Set<Promise<void>>()
  const listener = await listenOnLoopback((socket) => {
    const served = serve(socket, context, roots)
    sessions.add(served)
    void served.finally(() => sessions.delete(served))
  })
  return {
    address: { port: listener.port, token: listener.token },
    settled: (file: string) => settled.get(file) ?? {},
    summary: () => summarizeRun(steps, host.usage),
    endNow: () => host.endNow(),
    async close() {
      listener.close()
      await Promise.all(sessions)
      await host.close()
    },
  }
}

/** Serves one test file until its connection is closed. */
async function serve(socket: Socket, context: SessionContext, roots: Map<string, string>): Promise<void> {
  let session: SpecSession | undefined
  const opened = (): SpecSession => {
    if (!session) throw new MdtestError('HOST_REQUEST_UNKNOWN', 'No spec was opened on this connection.')
    return session
  }
  const functions: SpecFunctions = {
    open({ plan, env }) {
      roots.set(plan.spec.file, plan.root)
      session = new SpecSession({ plan, env }, context)
    },
    step: (scenario, ordinal) => opened().step(scenario, ordinal),
    end: (scenario) => opened().end(scenario),
    close: () => opened().close(),
  }
  createBirpc<object, SpecFunctions>(functions, channelOf(socket))
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await session?.abandon()
}
