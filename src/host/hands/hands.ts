import type { AgentEvent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import type { AgentHands } from '../protocol/agent-hands.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { Answer } from '../reports/step-reports.ts'
import { addHandTools, handTools, type HandActions, type ToolServer } from './hand-tools.ts'
import { checking, refused } from './hand-answer.ts'
import { HandCommands } from './hand-commands.ts'
import { HandFiles } from './hand-files.ts'
import { OwnFiles } from './own-files.ts'

export interface HandsOptions {
  readonly worker: AgentHands
  readonly request: Pick<
    ScenarioRequest,
    'cwd' | 'root' | 'specFile' | 'specCopy' | 'includedFiles' | 'writes' | 'settings'
  >
  /** Absolute path of an empty folder for files of the agent's own. */
  readonly scratchDir: string
}

/** Who hears what an agent has mdtest do. */
interface HandsListener {
  /** A call has come. */
  onCall(): void
  /** What is done, in the words of an event stream. */
  onEvent(event: AgentEvent): void
}

/**
 * What mdtest does for the agent of one scenario: it executes commands, shows files and writes some. What it did counts, and
 * nothing else.
 */
export class Hands implements HandActions {
  readonly scratchDir: string
  /** Names of the tools that it offers. */
  readonly toolNames = handTools
  readonly #commands: HandCommands
  readonly #files: HandFiles
  readonly #worker: AgentHands
  readonly #done: DoneCall[] = []
  #listener: HandsListener | undefined
  #isChecking: () => boolean = () => false

  constructor({ worker, request, scratchDir }: HandsOptions) {
    const { cwd, root, specFile, specCopy, includedFiles, writes, settings } = request
    this.scratchDir = scratchDir
    this.#worker = worker
    const own = new OwnFiles({ cwd, scratchDir, writes })
    const spec = [specFile, ...(specCopy === undefined ? [] : [specCopy]), ...includedFiles]
    const shared = {
      own,
      cwd,
      scratchDir,
      onEvent: (event: AgentEvent) => this.#listener?.onEvent(event),
      onDone: (call: DoneCall) => void this.#done.push(call),
    }
    const { allow, dangerouslyAllowAllActions, blockTimeoutMs: timeoutMs } = settings
    const roots = [cwd, root, scratchDir]
    this.#commands = new HandCommands({
      ...shared,
      worker,
      allow,
      dangerouslyAllowAllActions,
      roots,
      timeoutMs,
    })
    this.#files = new HandFiles({ ...shared, writes, roots: [...roots, ...spec] })
  }

  /** All that was done, in order; for recordings. */
  get done(): readonly DoneCall[] {
    return this.#done
  }

  /** Whether the agent waits for a command. */
  get isBusy(): boolean {
    return this.#commands.isBusy
  }

  /** There is one listener. */
  listen(listener: HandsListener): void {
    this.#listener = listener
  }

  /** While this holds nothing is done. */
  waitWhile(isChecking: () => boolean): void {
    this.#isChecking = isChecking
  }

  /** Offers the agent its tools. */
  addTools(server: ToolServer): void {
    addHandTools(server, this)
  }

  /** The agent has reported a step. */
  noteReport(isAccepted: boolean): void {
    this.#done.push({ kind: 'report', isAccepted })
  }

  run({ command }: { command: string }): Promise<Answer> {
    return this.#act(() => this.#commands.run(command))
  }

  nextOutput(asked: { id: string; from?: number; stop?: boolean }): Promise<Answer> {
    return this.#act(() => this.#commands.nextOutput(asked))
  }

  read(asked: { path: string; from?: number }): Promise<Answer> {
    return this.#act(() => this.#files.read(asked))
  }

  list(asked: { path?: string }): Promise<Answer> {
    return this.#act(() => this.#files.list(asked))
  }

  write(asked: { path: string; content: string }): Promise<Answer> {
    return this.#act(() => this.#files.write(asked))
  }

  /** Stops all that commands left running. Gives the command lines of that. */
  hold(): Promise<readonly string[]> {
    return this.#worker.holdForAgent()
  }

  /** Lets it go on. */
  release(): Promise<void> {
    return this.#worker.releaseForAgent()
  }

  /** Ends all that commands started. */
  async end(): Promise<void> {
    // A worker that is gone has ended it.
    await this.#worker.endForAgent().catch(() => undefined)
  }

  async #act(act: () => Answer | Promise<Answer>): Promise<Answer> {
    this.#listener?.onCall()
    return this.#isChecking() ? refused(checking) : act()
  }
}
