import type { Socket } from 'node:net'
import { createBirpc } from 'birpc'
import { createMark } from '../../system/process/trees/marks.ts'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { AgentRun, AgentContext } from '../agent-run/agent-task.ts'
import { Spending, type RunUsage } from '../agent-run/budget.ts'
import { Browsers } from '../../agents/browser/browsers.ts'
import { channelOf, listenOnLoopback } from '../protocol/channel.ts'
import { watchCode } from './code-watch.ts'
import { createLiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { Recordings } from '../rewrite/recordings.ts'
import { noUpdates, OutputRewriter, type OutputUpdates } from '../rewrite/output-rewriter.ts'
import { OwnWrites } from '../guard/source-watch.ts'
import { Outcomes } from './outcomes.ts'
import type {
  HostAddress,
  HostFunctions,
  RunningCode,
  ScenarioPlace,
  ScenarioRequest,
  WorkerFunctions,
} from '../protocol/protocol.ts'
import type { ReportServer } from '../reports/report-server.ts'
import { ScenarioLock } from './scenario-lock.ts'
import type { GuardOptions, RunGuard } from '../agent-run/watch-scenario.ts'
import { Slots } from '../../system/concurrency.ts'

/** What the host needs of its surroundings. */
export interface HostOptions
  extends
    GuardOptions,
    Pick<AgentContext, 'agent' | 'env' | 'now' | 'terminal' | 'progress' | 'runBudget' | 'closingMs'> {
  /** Interrupts the run: everything under way ends, and nothing more begins. */
  readonly signal?: AbortSignal | undefined
  /** Told of code that keeps its worker from everything else: the worker has to be ended. */
  readonly onStuck?: ((code: RunningCode) => void) | undefined
  /** How many agents may be alive at once, over all workers; from 1. */
  readonly maxAgents: number
  /** Where expected output may be rewritten; absent where it never is. */
  readonly updates?: OutputUpdates | undefined
  /** What becomes of recordings. Default: nothing is written. */
  readonly recordings?: Recordings | undefined
}

/** The one owner of agents, limits and live processes, in Vitest's main process. */
export interface Host {
  readonly address: HostAddress
  /** What the agents of this run have used so far. */
  readonly usage: RunUsage
  /** Another run begins: nothing is used yet. With specs in it, what starts programs is started now, not when it is needed. */
  beginRun(run: { readonly specCount: number }): void
  endRun(): Promise<void>
  /** Whether a file is as expected output was last written to it, so that its change is nobody else's. */
  isOwnWrite(file: string): boolean
  /** Ends everything at once, synchronously, and removes what is temporary. */
  endNow(): void
  /** Ends agents and processes, removes what is temporary, stops listening. */
  close(): Promise<void>
}

/** Starts listening for workers on a free port of the loopback interface. */
export async function createHost(hostOptions: HostOptions): Promise<Host> {
  const runMark = createMark()
  const processes = createLiveTrees(runMark, { hasTerminal: hostOptions.terminal !== undefined })
  // One listener for all of them: Node warns of more than ten.
  const cancelers = new Set<() => void>()
  const cancelAll = (): void => {
    for (const cancel of cancelers) cancel()
  }
  hostOptions.signal?.addEventListener('abort', cancelAll, { once: true })
  const startedAt = hostOptions.now()
  const ownWrites = new OwnWrites()
  let opened: Promise<RunGuard> | undefined
  let runGuard: RunGuard | undefined
  const guard = (): Promise<RunGuard> => (opened ??= openGuard(hostOptions, ownWrites).then((one) => (runGuard = one)))
  // Most runs have nothing to look at.
  const checkSpec = async (place: ScenarioPlace): Promise<void> => {
    if (runGuard === undefined) return
    const { assertSpecIsOwn } = await import('../agent-run/watch-scenario.ts')
    await assertSpecIsOwn(place, { guard: runGuard })
  }
  const updates = hostOptions.updates ?? noUpdates
  const rewriter = new OutputRewriter(updates, ownWrites)
  const outcomes = new Outcomes(hostOptions)
  // With the parser of markdown: for runs alone that record.
  const keepRecording: HostFunctions['keepRecording'] = async (made) => {
    const { recordings } = hostOptions
    if (recordings === undefined) return
    const { keepRecording: keep } = await import('../rewrite/recordings.ts')
    keep(made, recordings, ownWrites)
  }
  // One terminal, one agent.
  const maxAgents = hostOptions.terminal === undefined ? hostOptions.maxAgents : 1
  const browsers = new Browsers()
  const slots = new Slots(maxAgents)
  const shared = { browsers, gate: new ScenarioLock(), slots, spending: new Spending() }
  const agents: Service['agents'] = { sinceMs: undefined }
  let reports: Promise<ReportServer> | undefined
  // Loaded with the first agent that reports: it is the largest part of the package.
  const reportServer = (): Promise<ReportServer> =>
    (reports ??= import('../reports/report-server.ts').then(({ startReportServer }) => startReportServer()))
  const listener = await listenOnLoopback((socket) =>
    serve(socket, {
      ...hostOptions,
      ...shared,
      agents,
      processes,
      runMark,
      startedAt,
      reportServer,
      cancelers,
      guard,
      checkSpec,
      updates,
      outcomes,
      keepRecording,
      rewriter,
    }),
  )
  return {
    address: { port: listener.port, token: listener.token, runMark },
    get usage() {
      const guarded = runGuard?.guarded
      return { ...shared.spending.total, ...(guarded && { guarded }) }
    },
    beginRun({ specCount }) {
      // Whoever needs it hears what went wrong.
      if (specCount > 0) processes.launcher().catch(() => undefined)
      shared.spending.reset()
      agents.sinceMs = undefined
      browsers.reset()
      runGuard?.beginRun()
      rewriter.beginRun()
    },
    endRun: () => outcomes.endRun(),
    isOwnWrite: (file) => ownWrites.isAsWritten(file),
    endNow: () => processes.endAllNow(),
    async close() {
      hostOptions.signal?.removeEventListener('abort', cancelAll)
      listener.close()
      await processes.close()
      await outcomes.endRun()
      await (await reports?.catch(() => undefined))?.close()
    },
  }
}

/** All that the workers of a run share. */
interface Service extends Omit<AgentContext, 'guard' | 'signal' | 'executor'>, Pick<HostOptions, 'signal' | 'onStuck'> {
  readonly cancelers: Set<() => void>
  readonly guard: () => Promise<RunGuard>
  /** Rejects where an agent changed the spec of a scenario. */
  readonly checkSpec: (place: ScenarioPlace) => Promise<void>
  readonly updates: OutputUpdates
  readonly outcomes: Outcomes
  readonly keepRecording: HostFunctions['keepRecording']
  readonly rewriter: OutputRewriter
  readonly gate: ScenarioLock
  readonly slots: Slots
  /** When the first agent of the run was started, in milliseconds since 1970. */
  readonly agents: { sinceMs: number | undefined }
}

/** Serves one worker until its connection breaks, then ends what it left behind. */
function serve(socket: Socket, service: Service): void {
  const cancels = new Map<string, AbortController>()
  const runs = new Map<string, AgentRun>()
  const pids = new Set<number>()
  const leaves: (() => void)[] = []
  const watches: (() => void)[] = []
  const leaveScenario = (): void => leaves.splice(0).forEach((leave) => leave())
  // Made by whichever message comes first: a cancellation can overtake its request.
  const cancelOf = (requestId: string): AbortController => {
    const cancel = cancels.get(requestId) ?? new AbortController()
    cancels.set(requestId, cancel)
    if (service.signal?.aborted) cancel.abort()
    return cancel
  }
  const runOf = (requestId: string): AgentRun => {
    const run = runs.get(requestId)
    if (run === undefined) throw new MdtestError('HOST_REQUEST_UNKNOWN', `There is no agent for ${requestId}.`)
    return run
  }
  const functions: HostFunctions = {
    async enterScenario(place) {
      const { entered, leave } = service.gate.enter(place)
      leaves.push(leave)
      await entered
      if (!place.hasAgent) await service.checkSpec(place)
      return { updateMode: service.updates.mode(), launcher: await service.processes.launcher() }
    },
    leaveScenario,
    async startAgent(request) {
      const { signal } = cancelOf(request.requestId)
      const giveBack = await service.slots.take(signal)
      service.agents.sinceMs ??= service.now().getTime()
      const run = await startRun(request, { ...service, signal, executor: worker }).catch((error: unknown) => {
        giveBack()
        throw error
      })
      run.ended.then(giveBack, giveBack)
      runs.set(request.requestId, run)
      const { logFile, evidenceDir } = run
      return { ...(logFile !== undefined && { logFile }), ...(evidenceDir !== undefined && { evidenceDir }) }
    },
    awaitStep: (requestId, limit) => runOf(requestId).awaitStep(limit),
    direct: (requestId, direction) => runs.get(requestId)?.direct(direction),
    async finishAgent(requestId, verdict) {
      await runOf(requestId).finish(verdict)
      runs.delete(requestId)
      cancels.delete(requestId)
    },
    noteOutcome: (place, ended) => service.outcomes.note(place, ended),
    cancel: (requestId) => cancelOf(requestId).abort(),
    rewriteOutput: (specFile, files) => service.rewriter.rewrite(specFile, files),
    keepRecording: (made) => service.keepRecording(made),
    agentsSince: async () => (service.spending.total.agents > 0 ? service.agents.sinceMs : undefined),
    async openBrowser(request) {
      const { openBlockBrowser } = await import('../agent-run/open-block-browser.ts')
      return openBlockBrowser(request, service)
    },
    agentEnvironment: async () => agentEnvironment(service.env),
    makeTempDir: async () => service.processes.makeTempDir(),
    processStarted(tree) {
      pids.add(tree.pid)
      service.processes.add(tree)
    },
    processEnded(pid) {
      pids.delete(pid)
      service.processes.remove(pid)
    },
    async codeStarted(code) {
      const { onStuck } = service
      if (onStuck) watches.push(watchCode(worker, code, { onStuck }))
    },
  }
  // A command may run for as long as its own limit allows.
  const worker = createBirpc<WorkerFunctions, HostFunctions>(functions, { ...channelOf(socket), timeout: -1 })
  const cancelAgents = (): void => {
    for (const cancel of cancels.values()) cancel.abort()
  }
  const cancelAll = (): void => {
    cancelAgents()
    void worker.cancelAll.asEvent()
  }
  service.cancelers.add(cancelAll)
  if (service.signal?.aborted) cancelAll()
  socket.on('close', () => {
    worker.$close()
    service.cancelers.delete(cancelAll)
    cancelAgents()
    for (const endWatch of watches) endWatch()
    leaveScenario()
    void service.processes.end(pids, 0)
  })
}

/** Loaded with the first agent: a run without one needs none of it. */
async function startRun(
  request: ScenarioRequest,
  { guard, ...context }: Omit<AgentContext, 'guard'> & Pick<Service, 'guard'>,
): Promise<AgentRun> {
  const { startAgent } = await import('../agent-run/start-agent.ts')
  return startAgent(request, { ...context, guard: await guard() })
}

async function openGuard(options: HostOptions, ownWrites: OwnWrites): Promise<RunGuard> {
  const { RunGuard } = await import('../agent-run/watch-scenario.ts')
  return new RunGuard(options, ownWrites)
}
