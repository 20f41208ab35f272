import type { Socket } from 'node:net'
import { createBirpc } from 'birpc'
import { Browsers } from '../../agents/browser/browsers.ts'
import type { LogPlace } from '../../records/folders/log-file.ts'
import type { EndedScenario } from '../../records/outcomes/outcome-files.ts'
import { Slots, withResolvers } from '../../system/slots-and-timers.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { createLiveTrees, type LiveTrees } from '../../system/process/launcher/live-trees.ts'
import { createMark } from '../../system/process/trees/marks.ts'
import type { AgentContext, AgentRun } from '../agent-run/agent-task.ts'
import { Spending, type RunUsage } from '../agent-run/budget.ts'
import type { GuardOptions, RunGuard } from '../agent-run/guard-agent-run.ts'
import { OwnWrites } from '../guard/source-watch.ts'
import { channelOf, listenOnLoopback } from '../protocol/channel.ts'
import type { HostAddress, HostFunctions, RunningCode, ScenarioRequest, WorkerFunctions } from '../protocol/protocol.ts'
import type { ReportServer } from '../agent-reports/report-server.ts'
import { noUpdates, OutputRewriter, type OutputUpdates } from '../rewrite/output-rewriter.ts'
import type { Recordings } from '../rewrite/write-recordings.ts'

export interface HostOptions
  extends
    GuardOptions,
    Pick<AgentContext, 'agent' | 'env' | 'now' | 'terminal' | 'progress' | 'runBudget' | 'closingMs'> {
  readonly signal?: AbortSignal | undefined
  readonly onStuck?: ((code: RunningCode) => void) | undefined
  readonly maxAgents: number
  readonly updates?: OutputUpdates | undefined
  readonly recordings?: Recordings | undefined
  readonly onTrace?: ((...[specFile, trace]: Parameters<HostFunctions['noteTrace']>) => void) | undefined
}

export interface Host {
  readonly address: HostAddress
  readonly usage: RunUsage
  /** Sets the usage to zero for a new run. If there are specs, also starts the launcher, to save time later. */
  beginRun(run: { readonly specCount: number }): void
  endRun(): Promise<void>
  /** Whether the file is unchanged since mdtest wrote it. */
  isOwnWrite(file: string): boolean
  endNow(): void
  close(): Promise<void>
}

export async function createHost(options: HostOptions): Promise<Host> {
  const service = new Service(options)
  const { processes, runMark, spending, browsers, rewriter, ownWrites } = service
  // One listener for all workers, because Node warns about more than ten.
  const cancelAll = (): void => service.cancelers.forEach((cancel) => cancel())
  options.signal?.addEventListener('abort', cancelAll, { once: true })
  const listener = await listenOnLoopback((socket) => serveWorker(socket, service))
  return {
    address: { port: listener.port, token: listener.token, runMark },
    get usage() {
      const guarded = service.guard?.guarded
      return { ...spending.total, ...(guarded && { guarded }) }
    },
    beginRun({ specCount }) {
      // Ignore the error here: each later caller of `launcher` gets the same error.
      if (specCount > 0) processes.launcher().catch(() => undefined)
      spending.reset()
      browsers.reset()
      service.guard?.beginRun()
      rewriter.beginRun()
    },
    endRun: () => service.writeOutcomes(),
    isOwnWrite: (file) => ownWrites.isAsWritten(file),
    endNow: () => processes.endAllNow(),
    async close() {
      options.signal?.removeEventListener('abort', cancelAll)
      listener.close()
      await processes.close()
      await service.writeOutcomes()
      await (await service.reports?.catch(() => undefined))?.close()
    },
  }
}

type Outcome = readonly [place: LogPlace, ended: EndedScenario]

/** State that all workers of a run share. Modules that few runs need are imported late. */
class Service {
  readonly options: HostOptions
  readonly runMark = createMark()
  readonly startedAt: Date
  readonly processes: LiveTrees
  readonly browsers = new Browsers()
  readonly ownWrites = new OwnWrites()
  readonly rewriter: OutputRewriter
  readonly lock = new ScenarioLock()
  readonly slots: Slots
  readonly spending = new Spending()
  readonly cancelers = new Set<() => void>()
  guard: RunGuard | undefined
  reports: Promise<ReportServer> | undefined
  #outcomes: Outcome[] = []

  constructor(options: HostOptions) {
    const { terminal, maxAgents, now, updates = noUpdates } = options
    this.options = options
    this.startedAt = now()
    this.processes = createLiveTrees(this.runMark, { hasTerminal: terminal !== undefined })
    this.rewriter = new OutputRewriter(updates, this.ownWrites)
    // A terminal can show only one agent at a time.
    this.slots = new Slots(terminal === undefined ? maxAgents : 1)
  }

  async startAgent(request: ScenarioRequest, own: Pick<AgentContext, 'signal' | 'executor'>): Promise<AgentRun> {
    const { startAgent } = await import('../agent-run/start-agent.ts')
    const { RunGuard } = await import('../agent-run/guard-agent-run.ts')
    this.guard ??= new RunGuard(this.options, this.ownWrites)
    const { processes, browsers, runMark, startedAt, spending, guard } = this
    const shared = { processes, browsers, runMark, startedAt, spending, guard }
    // Imported late, because the server is the largest part of the package.
    const reportServer = (): Promise<ReportServer> =>
      (this.reports ??= import('../agent-reports/report-server.ts').then(({ startReportServer }) =>
        startReportServer(),
      ))
    return startAgent(request, { ...this.options, ...shared, reportServer, ...own })
  }

  readonly noteOutcome: HostFunctions['noteOutcome'] = async (place, ended) => {
    const outcome: Outcome = [place, { ...ended, endedAt: this.options.now().toISOString() }]
    this.#outcomes.push(outcome)
    await saveOutcome(outcome)
  }

  /** Call when all agents have ended. Writes the outcomes again, in case an agent overwrote them. */
  async writeOutcomes(): Promise<void> {
    // Ignore errors, because `noteOutcome` has already reported a file that cannot be written.
    for (const outcome of this.#outcomes.splice(0)) await saveOutcome(outcome).catch(() => {})
  }

  readonly keepRecording: HostFunctions['keepRecording'] = async (made) => {
    const { recordings } = this.options
    if (recordings === undefined) return
    const { keepRecording } = await import('../rewrite/write-recordings.ts')
    keepRecording(made, recordings, this.ownWrites)
  }
}

async function saveOutcome([place, ended]: Outcome): Promise<void> {
  const { writeOutcome } = await import('../../records/outcomes/outcome-files.ts')
  writeOutcome(place, ended)
}

function serveWorker(socket: Socket, service: Service): void {
  const { options, processes } = service
  const { signal: interruption, onStuck } = options
  const cancels = new Map<string, AbortController>()
  const runs = new Map<string, AgentRun>()
  const pids = new Set<number>()
  const leaves: (() => void)[] = []
  const watches: (() => void)[] = []
  const leaveScenario = (): void => leaves.splice(0).forEach((leave) => leave())
  // A cancellation can arrive before its request, so either of them creates the controller.
  const cancelOf = (requestId: string): AbortController => {
    const cancel = cancels.get(requestId) ?? new AbortController()
    cancels.set(requestId, cancel)
    if (interruption?.aborted) cancel.abort()
    return cancel
  }
  const runOf = (requestId: string): AgentRun => {
    const run = runs.get(requestId)
    if (run === undefined) throw new MdtestError('HOST_REQUEST_UNKNOWN', `There is no agent for ${requestId}.`)
    return run
  }
  const functions: HostFunctions = {
    async enterScenario(place) {
      const { entered, leave } = service.lock.enter(place)
      leaves.push(leave)
      await entered
      if (!place.hasAgent && service.guard !== undefined) {
        const { assertSpecIsOwn } = await import('../agent-run/guard-agent-run.ts')
        assertSpecIsOwn(place, service.guard)
      }
      return { updateMode: (options.updates ?? noUpdates).mode(), launcher: await processes.launcher() }
    },
    leaveScenario,
    async startAgent(request) {
      const { signal } = cancelOf(request.requestId)
      const giveBack = await service.slots.take(signal)
      const run = await service.startAgent(request, { signal, executor: worker }).catch((error: unknown) => {
        giveBack()
        throw error
      })
      run.ended.then(giveBack, giveBack)
      runs.set(request.requestId, run)
      const { logFile, evidenceDir } = run
      return { logFile, evidenceDir }
    },
    awaitStep: (requestId, limit) => runOf(requestId).awaitStep(limit),
    direct: (requestId, direction) => runs.get(requestId)?.direct(direction),
    async finishAgent(requestId, verdict) {
      await runOf(requestId).finish(verdict)
      runs.delete(requestId)
      cancels.delete(requestId)
    },
    noteOutcome: service.noteOutcome,
    cancel: (requestId) => cancelOf(requestId).abort(),
    rewriteOutput: (specFile, files) => service.rewriter.rewrite(specFile, files),
    keepRecording: service.keepRecording,
    hadAgents: async () => service.spending.total.agents > 0,
    async openBrowser(request) {
      const { openBlockBrowser } = await import('../agent-run/log-in-users.ts')
      return openBlockBrowser(request, { ...service, env: options.env })
    },
    makeTempDir: async () => processes.makeTempDir(),
    noteTrace: async (specFile, trace) => options.onTrace?.(specFile, trace),
    processStarted(tree) {
      pids.add(tree.pid)
      processes.add(tree)
    },
    processEnded(pid) {
      pids.delete(pid)
      processes.remove(pid)
    },
    async codeStarted(code) {
      if (onStuck) watches.push(watchCode(worker, code, { onStuck }))
    },
  }
  // No timeout: a command may run as long as its own limit allows.
  const worker = createBirpc<WorkerFunctions, HostFunctions>(functions, { ...channelOf(socket), timeout: -1 })
  const cancelAgents = (): void => cancels.forEach((cancel) => cancel.abort())
  const cancelAll = (): void => {
    cancelAgents()
    void worker.cancelAll.asEvent()
  }
  service.cancelers.add(cancelAll)
  if (interruption?.aborted) cancelAll()
  socket.on('close', () => {
    worker.$close()
    service.cancelers.delete(cancelAll)
    cancelAgents()
    for (const endWatch of watches) endWatch()
    leaveScenario()
    void processes.end(pids, 0)
  })
}

/** Lets scenarios start in order of arrival. A scenario that waits to run alone holds up all later scenarios. */
export class ScenarioLock {
  /** First the running scenarios, then the waiting ones, in order of arrival. */
  readonly #visitors: { readonly isAlone: boolean; readonly enter: () => void }[] = []

  /** `entered` resolves when the scenario may run. Call `leave` when it has ended, or to stop waiting. */
  enter({ isAlone }: { readonly isAlone: boolean }): { readonly entered: Promise<void>; leave(): void } {
    const { promise: entered, resolve: enter } = withResolvers<void>()
    const visitor = { isAlone, enter }
    this.#visitors.push(visitor)
    this.#letIn()
    return {
      entered,
      leave: () => {
        const place = this.#visitors.indexOf(visitor)
        if (place >= 0) this.#visitors.splice(place, 1)
        this.#letIn()
      },
    }
  }

  #letIn(): void {
    const alone = this.#visitors.findIndex(({ isAlone }) => isAlone)
    const count = alone === -1 ? this.#visitors.length : Math.max(1, alone)
    for (const { enter } of this.#visitors.slice(0, count)) enter()
  }
}

/** Reports code if the worker does not answer after the code's time limit. Returns a function that ends the watch. */
export function watchCode(
  worker: { ping(): Promise<void> },
  code: RunningCode,
  // `answerMs`: how long a live worker may take to answer a ping, and the pause between two pings.
  { onStuck, answerMs = 5_000 }: { onStuck(code: RunningCode): void; readonly answerMs?: number },
): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const wait = (limitMs: number, onOver: () => void): void => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(onOver, limitMs).unref()
  }
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
  }
  const ask = (): void => {
    wait(answerMs, () => {
      end()
      onStuck(code)
    })
    // If the ping fails, the worker is gone.
    worker.ping().then(() => wait(answerMs, ask), end)
  }
  wait(code.limitMs, ask)
  return end
}
