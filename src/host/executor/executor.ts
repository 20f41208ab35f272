import type { AgentEvent } from '../../agents/agent.ts'
import type { AttachedServers } from '../../agents/attached-servers.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import type { AgentExecutor, ScenarioRequest } from '../protocol/protocol.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import { stillChecking, type Answer } from '../reports/step-reports.ts'
import { addExecutorTools, executorTools, type ExecutorTools, type ToolServer } from './executor-tools.ts'
import { refused, type ExecutorAnswer } from './executor-answer.ts'
import { RunCommands } from './run-commands.ts'
import { LentServers } from './lent-servers.ts'
import { openServers, type OfferedServers, type OfferedTool, type ServerPlace } from './offered-servers.ts'
import { OwnPaths, ownFileWriter } from './own-paths.ts'

export interface ExecutorOptions {
  readonly worker: AgentExecutor
  readonly request: Pick<
    ScenarioRequest,
    'cwd' | 'root' | 'specFile' | 'specCopy' | 'includedFiles' | 'writes' | 'settings' | 'isToBeRecorded'
  >
  /** Absolute path of an empty folder for files of the agent's own. */
  readonly scratchDir: string
  readonly logs: Pick<LogPaths, 'dir' | 'evidence'>
  /** Names of variables that commands get from outside. */
  readonly environment: ReadonlySet<string>
  readonly servers: OfferedServers
}

/** How long a call waits for its answer, in milliseconds: codex in code mode gives up on calls of some 30 s. */
const maxWaitMs = 20_000

/** Who hears what an agent has mdtest do. */
interface ExecutorListener {
  onCall(): void
  /** What is done, in the words of an event stream. Tells why nothing can be quoted of the result of a command. */
  onEvent(event: AgentEvent): string | undefined
  /** A line that is more than a look is over. */
  onAction?(): Promise<void>
}

/**
 * What mdtest does for the agent of one scenario: it executes commands, shows files and writes some. What it did counts, and
 * nothing else.
 */
export class Executor implements ExecutorTools {
  readonly scratchDir: string
  readonly #commands: RunCommands
  readonly #write: (asked: { path: string; content: string }) => Answer
  readonly #servers: LentServers
  readonly #worker: AgentExecutor
  readonly #isToBeRecorded: boolean
  readonly #done: DoneCall[] = []
  #listener: ExecutorListener | undefined
  #isChecking: () => boolean = () => false
  #ending: Promise<void> | undefined

  /**
   * Starts the servers first.
   *
   * @throws {MdtestError} that names one that cannot be used; all have ended then
   */
  static async open({
    mcpServers,
    place,
    ...options
  }: Omit<ExecutorOptions, 'servers'> & {
    readonly mcpServers: AttachedServers
    readonly place: ServerPlace
  }): Promise<Executor> {
    return new Executor({ ...options, servers: await openServers(mcpServers, place) })
  }

  constructor({ worker, request, scratchDir, logs, environment, servers }: ExecutorOptions) {
    const { cwd, root, specFile, specCopy, includedFiles, writes, settings, isToBeRecorded = false } = request
    this.scratchDir = scratchDir
    this.#worker = worker
    this.#isToBeRecorded = isToBeRecorded
    const places = { cwd, scratchDir, writes, logsDir: logs.dir }
    const own = new OwnPaths(places)
    const shared = {
      cwd,
      own,
      scratchDir,
      onEvent: (event: AgentEvent) => this.#listener?.onEvent(event),
      onDone: (call: DoneCall) => this.#note(call),
    }
    const { allow, blockTimeoutMs: timeoutMs } = settings
    const spec = [specFile, ...(specCopy === undefined ? [] : [specCopy]), ...includedFiles]
    const roots = [...new Set([cwd, root, scratchDir, ...spec, logs.evidence])]
    const afterAction = async (): Promise<void> => this.#listener?.onAction?.()
    this.#commands = new RunCommands({
      ...shared,
      afterAction,
      worker,
      allow,
      roots,
      environment,
      timeoutMs,
      maxWaitMs,
    })
    this.#servers = new LentServers({ ...shared, servers, timeoutMs, maxWaitMs })
    this.#write = ownFileWriter({ ...shared, ...places })
  }

  /** All that was done, in the order in which it began; empty where nothing is to be recorded. */
  get done(): readonly DoneCall[] {
    return this.#done
  }

  /** Whether the agent waits for a command or a tool. */
  get isBusy(): boolean {
    return this.#commands.isBusy || this.#servers.isBusy
  }

  get toolNames(): readonly string[] {
    return [...executorTools, ...this.serverTools.map(({ offeredName }) => offeredName)]
  }

  get serverTools(): readonly OfferedTool[] {
    return this.#servers.tools
  }

  listen(listener: ExecutorListener): void {
    this.#listener = listener
  }

  /** While this holds nothing is done. */
  waitWhile(isChecking: () => boolean): void {
    this.#isChecking = isChecking
  }

  addTools(server: ToolServer): void {
    addExecutorTools(server, this)
  }

  noteReport(isAccepted: boolean): void {
    this.#note({ kind: 'report', isAccepted })
  }

  run({ command }: { command: string }): Promise<Answer> {
    return this.#act(() => this.#commands.run(command))
  }

  nextOutput(asked: { id: string; stop?: boolean }): Promise<ExecutorAnswer> {
    return this.#act(async () => (await this.#servers.nextOutput(asked)) ?? this.#commands.nextOutput(asked))
  }

  write(asked: { path: string; content: string }): Promise<Answer> {
    return this.#act(() => this.#inTime(() => this.#write(asked)))
  }

  callServer(tool: OfferedTool, input: Readonly<Record<string, unknown>>): Promise<ExecutorAnswer> {
    return this.#act(() => this.#servers.call(tool, input))
  }

  /** Stops the servers and all that commands left running. Gives the command lines of what was left in the background. */
  async hold(): Promise<readonly string[]> {
    const left = await Promise.all([this.#worker.holdForAgent(), this.#servers.hold()])
    return left.flat()
  }

  async release(): Promise<void> {
    this.#servers.release()
    // A worker that is gone has nothing to let go on.
    await this.#worker.releaseForAgent().catch(() => undefined)
  }

  /** Ends the servers and all that commands started. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end())
  }

  async #end(): Promise<void> {
    await this.#servers.end()
    // A worker that is gone has ended it.
    await this.#worker.endForAgent().catch(() => undefined)
    await this.#commands.ended
  }

  /** Takes what has begun. What it gives takes the same once it is over. */
  #note(call: DoneCall): (ended: DoneCall) => void {
    // All outputs are in it.
    if (!this.#isToBeRecorded) return () => {}
    const at = this.#done.push(call) - 1
    return (ended) => void (this.#done[at] = ended)
  }

  /** Who still has the token may not act any more. Commands and servers say so themselves. */
  #inTime(act: () => Answer): Answer {
    return this.#ending === undefined ? act() : refused('The scenario is over.')
  }

  async #act<One extends Answer>(act: () => One | Promise<One>): Promise<One | Answer> {
    this.#listener?.onCall()
    return this.#isChecking() ? refused(stillChecking) : act()
  }
}
