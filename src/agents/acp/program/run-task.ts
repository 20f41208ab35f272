import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { AgentEvent } from '../../agent.ts'
import { ownServer } from '../../report-access.ts'
import type { OwnEvent } from '../../own-events.ts'
import type { AcpTask } from '../acp-task.ts'
import { isAnswered, isInvalidParams, sessionSchema } from './acp-messages.ts'
import { acpServers, explainMissingServer, takesServers, type ServersTaken } from './acp-servers.ts'
import { openConnection, type AcpConnection } from './open-connection.ts'
import { PermissionGate } from './permission-gate.ts'
import { readAcpError } from './read-acp-error.ts'
import { hasListedTools } from './report-tools.ts'
import { fieldsOf } from './told-call.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { SessionReader } from './session-reader.ts'
import { z } from 'zod'

interface TaskContext {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted where the run is to end. */
  readonly signal: AbortSignal
  emit(event: OwnEvent): void
}

/** Has an agent carry out its task. Whatever comes of it is an event; never rejects. */
export async function carryOutTask(task: AcpTask, context: TaskContext): Promise<void> {
  const { emit } = context
  const servers = [...(task.reports ? [ownServer] : []), ...Object.keys(task.mcpServers)]
  const session = new AcpSession(task, context, servers)
  try {
    emit({ type: 'end', isError: await session.run() })
  } catch (error: unknown) {
    await session.breakOff(error)
    emit({ type: 'end', isError: true })
  } finally {
    await session.close()
  }
}

/** Sent once, in the same session, to an agent whose turn ended where it was refused something. */
const goOn =
  'That call was refused, and it will be refused again. Go on without it: do what else you can, and report what you could not try as `blocked`.'

/** Behind the prompt of an agent that takes no MCP servers. */
const noTools = 'You have no tool `report_step`: write the result log.'

interface Opened {
  readonly type: 'opened'
  readonly sessionId: string
  readonly model?: string
  /** Of its program. */
  readonly version?: string
}

/** How often a program is started that ends before it has answered anything. */
const maxStarts = 4
/** Before the next start, in milliseconds, and longer each time. */
const pauseMs = 300
/** How often a sign of life is given for messages that tell nothing, in milliseconds. */
const signMs = 1_000

class AcpSession {
  readonly #task: AcpTask
  readonly #context: TaskContext
  readonly #reader: SessionReader
  readonly #gate: PermissionGate
  #connection: AcpConnection | undefined
  #isOpen = false
  /** Whether the agent takes MCP servers. */
  #takesServers = true
  #asked = 'initialize'
  #signAtMs = 0

  constructor(task: AcpTask, context: TaskContext, servers: readonly string[]) {
    this.#task = task
    this.#context = context
    this.#reader = new SessionReader({ ...task.quirks, servers })
    const environment = new Set(Object.keys(context.env))
    this.#gate = new PermissionGate({
      ...task.gate,
      cwd: task.cwd,
      mcpServers: task.mcpServers,
      servers,
      environment,
    })
  }

  /** Gives whether it ended badly. @throws what the agent answered in place of an answer */
  async run(): Promise<boolean> {
    const { prompt, title, reports } = this.#task
    const { signal, emit } = this.#context
    let { opened, isEquipped } = await this.#openEquipped()
    if (!isEquipped && !signal.aborted) {
      // Once in a while a program does not come to its servers; at its next start it does.
      await this.#connection?.close()
      ;({ opened, isEquipped } = await this.#openEquipped())
    }
    const { sessionId } = opened
    emit(opened)
    if (!isEquipped)
      throw new MdtestError('AGENT_MCP_UNAVAILABLE', `${title} did not ask mdtest's server for its tools.`)
    signal.addEventListener('abort', () => this.#connection?.notify('session/cancel', { sessionId }), { once: true })
    const isWithoutTools = reports !== undefined && !this.#takesServers
    let events = await this.#prompt(sessionId, isWithoutTools ? `${prompt}\n\n${noTools}` : prompt)
    this.#tell(events)
    if (this.#reader.endedAtRefusal && !isFailure(events)) {
      events = await this.#prompt(sessionId, goOn)
      this.#tell(events)
    }
    // What is told later is of no turn.
    this.#isOpen = false
    return isFailure(events)
  }

  /** Tells what is left to tell, and why there is no more. */
  async breakOff(error: unknown): Promise<void> {
    const { signal } = this.#context
    this.#tell(this.#reader.breakOff())
    // Who ends the run knows why.
    if (signal.aborted) return
    if (isAnswered(error)) return this.#tell([readAcpError(error, this.#asked)])
    const cause = errorCode(error) === 'AGENT_MCP_UNAVAILABLE' ? 'mcp' : 'other'
    this.#tell([{ type: 'error', cause, message: messageOf(error) }])
  }

  close(): Promise<void> {
    return this.#connection?.close() ?? Promise.resolve()
  }

  /** Starts the agent's program, and gives its answer to `initialize`. */
  async #start(): Promise<unknown> {
    const { signal, env } = this.#context
    for (let count = 1; ; count += 1) {
      this.#connection = await openConnection(this.#task, env, {
        onUpdate: (params) => this.#onUpdate(params),
        onPermission: (params) => this.#decide(fieldsOf(params).toolCall),
      })
      try {
        return await this.#request('initialize', initializeParams)
      } catch (error: unknown) {
        // Several that start at once may be in each other's way: OpenCode then ends, because its database is locked.
        if (count === maxStarts || isAnswered(error) || signal.aborted) throw error
        await this.#connection.close()
        await sleep(pauseMs * count + randomInt(pauseMs), undefined, { signal })
      }
    }
  }

  /** A session, and whether the agent has asked for the tools that it gets. */
  async #openEquipped(): Promise<{ readonly opened: Opened; readonly isEquipped: boolean }> {
    const { reports } = this.#task
    const startedAtMs = performance.now()
    const opened = await this.#openSession()
    this.#context.emit({ type: 'waiting' })
    const isEquipped =
      reports === undefined ||
      !this.#takesServers ||
      (await hasListedTools(reports, { startedAtMs, signal: this.#context.signal }))
    return { opened, isEquipped }
  }

  /** Gives the session: a new one, or one that is gone on in. */
  async #openSession(): Promise<Opened> {
    const { cwd, sessionId: known } = this.#task
    this.#isOpen = false
    const { protocolVersion, agentInfo, agentCapabilities } = initializedSchema.parse(await this.#start())
    if (protocolVersion !== 1)
      throw new Error(`It speaks version ${protocolVersion} of ACP, and mdtest speaks version 1. Update either.`)
    const version = agentInfo?.version
    const canHttp = agentCapabilities?.mcpCapabilities?.http === true
    const taken = { canHttp, canStdio: this.#task.quirks.dropsPrograms !== true }
    this.#requireServers(taken)
    const place = { cwd, mcpServers: acpServers(this.#task, taken) }
    const canResume = agentCapabilities?.sessionCapabilities?.resume !== undefined
    const way = canResume ? 'session/resume' : 'session/load'
    const goneOn = known === undefined ? undefined : await this.#goOnIn(known, way, place)
    const opened = goneOn ?? (await this.#openNew(place))
    const { sessionId, models, configOptions } = sessionSchema.parse(opened)
    const model = models?.currentModelId ?? configOptions?.find(({ id }) => id === 'model')?.currentValue
    // What came before is of an earlier time: a session that is loaded is told again.
    this.#isOpen = true
    return { type: 'opened', sessionId, ...withoutUndefined({ model, version }) }
  }

  /** A new session; without servers where the agent takes none. */
  async #openNew(place: { readonly cwd: string; readonly mcpServers: readonly object[] }): Promise<unknown> {
    try {
      return await this.#request('session/new', place)
    } catch (error: unknown) {
      if (!isInvalidParams(error) || place.mcpServers.length === 0) throw error
      this.#requireServers({ canHttp: false, canStdio: false })
      return this.#request('session/new', { ...place, mcpServers: [] })
    }
  }

  /** @throws {MdtestError} AGENT_MCP_UNAVAILABLE where the task needs servers that the agent does not take */
  #requireServers(taken: ServersTaken): void {
    this.#takesServers = takesServers(taken)
    const why = explainMissingServer(this.#task, taken)
    if (why !== undefined) throw new MdtestError('AGENT_MCP_UNAVAILABLE', why)
  }

  /** A session of an earlier time; nothing where the agent has lost it. */
  async #goOnIn(sessionId: string, way: string, place: object): Promise<object | undefined> {
    try {
      const opened = await this.#request(way, { ...place, sessionId })
      return { sessionId, ...(typeof opened === 'object' ? opened : {}) }
    } catch (error: unknown) {
      if (isAnswered(error)) return undefined
      throw error
    }
  }

  /** Gives the events of the end of the turn. */
  async #prompt(sessionId: string, text: string): Promise<readonly AgentEvent[]> {
    return this.#reader.readAnswer(
      await this.#request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    )
  }

  #request(method: string, params: object): Promise<unknown> {
    if (this.#connection === undefined) throw new Error('There is no connection.')
    this.#asked = method
    return this.#connection.request(method, params)
  }

  #onUpdate(params: unknown): void {
    const events = this.#isOpen ? this.#reader.readUpdate(fieldsOf(params).update) : []
    this.#tell(events)
    if (events.length === 0) this.#giveSign()
  }

  #decide(toolCall: unknown): 'allow_once' | 'reject_once' {
    const asked = this.#reader.readRequest(toolCall)
    if (asked === undefined) return 'reject_once'
    this.#tell(asked.events)
    const decision = this.#gate.decide(asked.call)
    if (decision.ok) return 'allow_once'
    this.#tell(this.#reader.refuse(asked.call, decision.what, decision.rule))
    return 'reject_once'
  }

  #tell(events: readonly AgentEvent[]): void {
    for (const event of events) this.#context.emit(event)
  }

  /** It is at work, though it tells nothing. */
  #giveSign(): void {
    const nowMs = performance.now()
    if (nowMs - this.#signAtMs < signMs) return
    this.#signAtMs = nowMs
    this.#context.emit({ type: 'waiting' })
  }
}

function isFailure(events: readonly AgentEvent[]): boolean {
  return events.some(({ type }) => type === 'error')
}

/** `params` of `initialize`: mdtest speaks version 1 of ACP. */
const initializeParams = {
  protocolVersion: 1,
  clientInfo: { name: 'mdtest', version: '1' },
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
}

/** The answer to it. */
const initializedSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ version: z.string() }).optional().catch(undefined),
  agentCapabilities: z
    .object({
      mcpCapabilities: z.object({ http: z.boolean().optional() }).optional().catch(undefined),
      sessionCapabilities: z.object({ resume: z.unknown().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
