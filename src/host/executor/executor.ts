import { z } from 'zod'
import type { JSONObject, McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type { AgentEvent, DoneCall } from '../../agents/agent.ts'
import type { AgentExecutor, ScenarioRequest } from '../protocol/protocol.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import { addTool } from '../agent-reports/report-server.ts'
import { stillChecking, type Answer } from '../agent-reports/step-reports.ts'
import { refused, type ActingContext } from './executor-answer.ts'
import { RunCommands } from './run-commands.ts'
import { ServerCalls, type LentServers, type OfferedTool } from './lent-servers.ts'
import { OwnFiles } from './file-tools.ts'

interface ExecutorOptions {
  readonly worker: AgentExecutor
  readonly request: ScenarioRequest
  readonly scratchDir: string
  readonly logs: Pick<LogPaths, 'dir' | 'evidence'>
  readonly environment: ReadonlySet<string>
  readonly servers: LentServers
}

interface ExecutorListener {
  onCall(): void
  onEvent(event: AgentEvent): string | undefined
  onAction?(): Promise<void>
}

type Input = Readonly<Record<string, unknown>>

/** Executes commands, calls MCP servers and writes files for the agent of one scenario. */
export class Executor {
  readonly #options: ExecutorOptions
  readonly #own: OwnFiles
  readonly #commands: RunCommands
  readonly #calls: ServerCalls
  readonly done: DoneCall[] = []
  readonly scratchDir: string
  #listener: ExecutorListener | undefined
  #isChecking: () => boolean = () => false
  #ending: Promise<void> | undefined

  constructor(options: ExecutorOptions) {
    this.#options = options
    const { worker, request, scratchDir, logs, environment } = options
    this.scratchDir = scratchDir
    const { cwd, root, specFile, specCopy = specFile, includedFiles, writes, settings } = request
    const context: ActingContext = {
      cwd,
      scratchDir,
      timeoutMs: settings.blockTimeoutMs,
      onEvent: (event) => this.#listener?.onEvent(event),
      onDone: (call) => this.#note(call),
    }
    this.#own = new OwnFiles({ ...context, writes, logsDir: logs.dir })
    this.#calls = new ServerCalls(context, () => this.#commands.whenChecked())
    this.#commands = new RunCommands({
      ...context,
      worker,
      own: this.#own,
      environment,
      roots: [...new Set([cwd, root, scratchDir, specFile, specCopy, ...includedFiles, logs.evidence])],
      allow: settings.allow,
      afterAction: async () => this.#listener?.onAction?.(),
    })
  }

  get isBusy(): boolean {
    return this.#commands.isBusy || this.#calls.isBusy
  }

  get toolNames(): readonly string[] {
    return ['run', 'next_output', 'write', ...this.serverTools.map(({ offeredName }) => offeredName)]
  }

  get serverTools(): readonly OfferedTool[] {
    return this.#options.servers.tools
  }

  listen(listener: ExecutorListener): void {
    this.#listener = listener
  }

  waitWhile(isChecking: () => boolean): void {
    this.#isChecking = isChecking
  }

  /** Adds the tools through which an agent acts. Keep descriptions short: every request to a model includes them. */
  addTools(server: McpServer): void {
    addTool(server, {
      name: 'run',
      description:
        'Execute a bash command in the directory of the test: the only way to use the product. The shell lasts: `cd` stays, variables stay until the next report. Answers after at most 20 s with exit code, time and output; a long output is shortened.',
      inputSchema: z.object({ command: z.string() }),
      call: (asked) => this.run(asked),
    })
    addTool(server, {
      name: 'next_output',
      description: 'Wait up to 20 s more for a command that still runs, or end it.',
      inputSchema: z.object({ id: z.string(), stop: z.boolean().optional() }),
      call: (asked) => this.nextOutput(asked),
    })
    addTool(server, {
      name: 'write',
      description: `Write a file of your own in ${this.scratchDir} (also $MDTEST_SCRATCH), or one that the spec's \`writes\` names.`,
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      call: (asked) => this.write(asked),
    })
    for (const tool of this.serverTools) {
      const { offeredName: name, description, inputSchema } = tool
      const call = (input: Input): Promise<Answer> => this.callServer(tool, input)
      addTool(server, { name, description, inputSchema: unchecked(inputSchema), call })
    }
  }

  noteReport(isAccepted: boolean): void {
    this.#note({ kind: 'report', isAccepted })
  }

  run({ command }: { command: string }): Promise<Answer> {
    return this.#act(() => this.#commands.run(command))
  }

  nextOutput(asked: { id: string; stop?: boolean | undefined }): Promise<Answer> {
    return this.#act(async () => (await this.#calls.nextOutput(asked)) ?? this.#commands.nextOutput(asked))
  }

  write(asked: { path: string; content: string }): Promise<Answer> {
    // A process of the agent may outlive the scenario and still have the token. It must not write any more.
    return this.#act(() => (this.#ending === undefined ? this.#own.write(asked) : refused('The scenario is over.')))
  }

  callServer(tool: OfferedTool, input: Input): Promise<Answer> {
    return this.#act(() => this.#calls.call(tool, input))
  }

  async hold(): Promise<readonly string[]> {
    const { worker, servers } = this.#options
    await this.#commands.whenChecked()
    return (await Promise.all([worker.holdForAgent(), servers.hold()])).flat()
  }

  async release(): Promise<void> {
    const { worker, servers } = this.#options
    servers.release()
    // Ignore a worker that is gone: it has nothing to resume.
    await worker.releaseForAgent().catch(() => undefined)
  }

  end(): Promise<void> {
    return (this.#ending ??= this.#end())
  }

  async #end(): Promise<void> {
    const { worker, servers } = this.#options
    this.#calls.end()
    await servers.close()
    // Ignore a worker that is gone: its commands have ended.
    await worker.endForAgent().catch(() => undefined)
    await this.#commands.ended
    await this.#commands.whenChecked()
  }

  #note(call: DoneCall): (ended: DoneCall) => void {
    // Calls contain all outputs, so they are kept only for a recording.
    if (this.#options.request.isToBeRecorded !== true) return () => {}
    const at = this.done.push(call) - 1
    return (ended) => void (this.done[at] = ended)
  }

  async #act<One extends Answer>(act: () => One | Promise<One>): Promise<One | Answer> {
    this.#listener?.onCall()
    return this.#isChecking() ? refused(stillChecking) : act()
  }
}

/** Offers the server's schema unchanged and accepts any arguments, because the server checks them itself. */
function unchecked(schema: Input): StandardSchemaWithJSON<Input> {
  const told = (): JSONObject => ({ ...schema, type: 'object' }) as JSONObject // the server sent it as JSON
  return {
    '~standard': {
      version: 1,
      vendor: 'mdtest',
      validate: (value) => ({ value: value as Input }), // arguments of a call are an object
      jsonSchema: { input: told, output: told },
    },
  }
}
