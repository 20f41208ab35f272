import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import type { OwnTask } from '../../agent-program-protocol.ts'
import type { AgentEvent, ErrorEvent } from '../../agent.ts'
import { fieldsOf } from '../../agent-events.ts'
import { errorCause } from '../../provider-errors.ts'
import { ownServer } from '../../report-access.ts'
import type { AcpTask } from '../acp-agent.ts'
import { answeredCode, initializedSchema, readAcpError, sessionSchema } from './acp-messages.ts'
import { acpServers, explainMissingServer, type ServersTaken } from './mcp-servers.ts'
import { openConnection, type AcpConnection } from './open-connection.ts'
import { PermissionGate } from './permission-gate.ts'
import { SessionReader } from './session-reader.ts'

interface TaskContext extends Omit<OwnTask<AcpTask>, 'task'> {
  readonly env: Readonly<Record<string, string | undefined>>
  say(text: string): void
}

/** Runs an agent on its task. Results and errors are emitted as events; never rejects. */
export async function carryOutTask(task: AcpTask, context: TaskContext): Promise<void> {
  const session = new AcpSession(task, context)
  const isError = await session.run().catch((error: unknown) => {
    session.breakOff(error)
    return true
  })
  context.emit({ type: 'end', isError })
  await session.close()
}

/** Prompt that is sent once, in the same session, if a refused call ended the agent's turn. */
const goOn =
  'That call was refused, and it will be refused again. Go on without it: do what else you can, and report what you could not try as `blocked`.'

/** A program that ends before its first answer is restarted, after a growing pause. */
const [maxStarts, pauseMs] = [4, 300]
/** Pause before the first prompt. Some agents need this time to load the tools of MCP servers. */
const settleMs = 1_000
const signMs = 1_000

const invalidParams = -32_602

class AcpSession {
  readonly #task: AcpTask
  readonly #context: TaskContext
  readonly #reader: SessionReader
  readonly #gate: PermissionGate
  #connection: AcpConnection | undefined
  /** Updates outside of a turn are ignored: loading a session repeats its old updates. */
  #isInTurn = false
  #asked = 'initialize'
  #signAtMs = 0

  constructor(task: AcpTask, context: TaskContext) {
    const { request, quirks } = task
    const servers = [...(request.reports ? [ownServer] : []), ...Object.keys(request.mcpServers ?? {})]
    this.#task = task
    this.#context = context
    this.#reader = new SessionReader({ ...quirks, servers })
    this.#gate = new PermissionGate({ request, servers, environment: new Set(Object.keys(context.env)) })
  }

  /** Returns whether the run failed. @throws the agent's error answers */
  async run(): Promise<boolean> {
    const { prompt, reports } = this.#task.request
    const { signal, emit } = this.#context
    const opened = await this.#open()
    emit(opened)
    if (reports !== undefined) await sleep(settleMs, undefined, { signal })
    const { sessionId } = opened
    signal.addEventListener('abort', () => this.#connection?.notify('session/cancel', { sessionId }), { once: true })
    const isFailed = await this.#prompt(sessionId, prompt)
    return isFailed || !this.#reader.endedAtRefusal ? isFailed : this.#prompt(sessionId, goOn)
  }

  breakOff(error: unknown): void {
    this.#emitAll(this.#reader.breakOff())
    // The caller itself aborted this run, so no error event is needed.
    if (this.#context.signal.aborted) return
    this.#emitAll([withLastWords(this.#errorOf(error), this.#connection?.said ?? [])])
  }

  #errorOf(error: unknown): ErrorEvent {
    if (answeredCode(error) !== undefined) return readAcpError(error, this.#asked)
    const cause = errorCode(error) === 'AGENT_MCP_UNAVAILABLE' ? 'mcp' : 'other'
    return { type: 'error', cause, message: messageOf(error) }
  }

  async close(): Promise<void> {
    await this.#connection?.close()
  }

  async #start(): Promise<unknown> {
    const { signal, env, say } = this.#context
    for (let count = 1; ; count += 1) {
      this.#connection = await openConnection(this.#task, env, {
        onUpdate: (params) => this.#onUpdate(params),
        onProse: (text) => say(text),
        onPermission: (params) => this.#decide(fieldsOf(params).toolCall),
      })
      try {
        return await this.#request('initialize', {
          protocolVersion: 1,
          clientInfo: { name: 'mdtest', version: '1' },
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        })
      } catch (error: unknown) {
        // Retry a start that crashed. OpenCode, for example, exits if another OpenCode has locked its database.
        if (count === maxStarts || answeredCode(error) !== undefined || signal.aborted) throw error
        await this.#connection.close()
        await sleep(pauseMs * count + randomInt(pauseMs), undefined, { signal })
      }
    }
  }

  async #open(): Promise<Extract<AgentEvent, { type: 'opened' }> & { readonly sessionId: string }> {
    const { request, quirks } = this.#task
    const known = request.answer?.sessionId
    const { protocolVersion, agentInfo, agentCapabilities } = initializedSchema.parse(await this.#start())
    if (protocolVersion !== 1)
      throw new Error(`It speaks version ${protocolVersion} of ACP, and mdtest speaks version 1. Update either.`)
    const canHttp = agentCapabilities?.mcpCapabilities?.http === true
    const taken = { canHttp, canStdio: quirks.dropsPrograms !== true }
    this.#requireServers(taken)
    const place = { cwd: request.cwd, mcpServers: acpServers(request, taken) }
    const way = agentCapabilities?.sessionCapabilities?.resume === undefined ? 'session/load' : 'session/resume'
    const reopened = known === undefined ? undefined : await this.#reopen(known, way, place)
    const { sessionId, models, configOptions } = sessionSchema.parse(reopened ?? (await this.#openNew(place)))
    const model = models?.currentModelId ?? configOptions?.find(({ id }) => id === 'model')?.currentValue
    return { type: 'opened', sessionId, ...withoutUndefined({ model, version: agentInfo?.version }) }
  }

  /** Opens a session. If the agent refuses the MCP servers, opens a session without servers. */
  async #openNew(place: { readonly cwd: string; readonly mcpServers: readonly object[] }): Promise<unknown> {
    try {
      return await this.#request('session/new', place)
    } catch (error: unknown) {
      if (answeredCode(error) !== invalidParams || place.mcpServers.length === 0) throw error
      this.#requireServers({ canHttp: false, canStdio: false })
      return this.#request('session/new', { ...place, mcpServers: [] })
    }
  }

  #requireServers(taken: ServersTaken): void {
    const why = explainMissingServer(this.#task, taken)
    if (why !== undefined) throw new MdtestError('AGENT_MCP_UNAVAILABLE', why)
  }

  /** Reopens an earlier session; `undefined` if the agent no longer has it. */
  async #reopen(sessionId: string, way: string, place: object): Promise<object | undefined> {
    try {
      return { sessionId, ...fieldsOf(await this.#request(way, { ...place, sessionId })) }
    } catch (error: unknown) {
      if (answeredCode(error) === undefined) throw error
      return undefined
    }
  }

  /** Sends a prompt and waits for the end of the turn. Returns whether the turn failed. */
  async #prompt(sessionId: string, text: string): Promise<boolean> {
    this.#isInTurn = true
    const answer = await this.#request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
    this.#isInTurn = false
    const events = this.#reader.readAnswer(answer)
    this.#emitAll(events)
    return events.some(({ type }) => type === 'error')
  }

  async #request(method: string, params: object): Promise<unknown> {
    this.#asked = method
    return this.#connection?.request(method, params)
  }

  #onUpdate(params: unknown): void {
    const events = this.#isInTurn ? this.#reader.readUpdate(fieldsOf(params).update) : []
    this.#emitAll(events)
    if (events.length === 0) this.#emitWaiting()
  }

  #decide(toolCall: unknown): 'allow_once' | 'reject_once' {
    const asked = this.#reader.readRequest(toolCall)
    if (asked === undefined) return 'reject_once'
    this.#emitAll(asked.events)
    const decision = this.#gate.decide(asked.call)
    if (decision.ok) return 'allow_once'
    this.#emitAll(this.#reader.refuse(asked.call, decision.what, decision.rule))
    return 'reject_once'
  }

  #emitAll(events: readonly AgentEvent[]): void {
    for (const event of events) this.#context.emit(event)
  }

  /** Shows that the agent is alive when an update brings no event. At most one `waiting` event per second. */
  #emitWaiting(): void {
    const nowMs = performance.now()
    if (nowMs - this.#signAtMs < signMs) return
    this.#signAtMs = nowMs
    this.#context.emit({ type: 'waiting' })
  }
}

const lastLines = 3

/** Why a program ended stands in its last lines. What it warned of before that need not be the reason. */
function withLastWords(error: ErrorEvent, said: readonly string[]): ErrorEvent {
  if (error.cause === 'mcp' || said.length === 0) return error
  const cause = error.cause === 'other' ? errorCause(said.slice(-lastLines).join('\n')) : error.cause
  return { ...error, cause, message: `${error.message} It said: ${said.join(' ')}` }
}
