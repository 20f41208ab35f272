import type { AgentEvent } from '../../agent.ts'
import type { AcpQuirks } from '../acp-program.ts'
import { answerSchema, callPartSchema, updateSchema, type CallPart, type TokenUsage } from './acp-messages.ts'
import { toError } from './read-acp-error.ts'
import { isFilled, newCall, toEvent, withPart, type ToldCall } from './told-call.ts'
import { z } from 'zod'

/** A call, and how far it has been told. */
interface OpenCall {
  told: ToldCall
  isAnnounced: boolean
  isRefused: boolean
}

interface ReaderOptions extends AcpQuirks {
  /** Names of the MCP servers that the agent was given. */
  readonly servers: readonly string[]
}

/** A request for permission, judged by what it tells itself, and the events that it makes of it. */
export interface AskedCall {
  readonly call: ToldCall
  readonly events: readonly AgentEvent[]
}

/**
 * Makes events of the messages of one session. Whatever an agent sends, it never throws: what it does not know gives no
 * event. A call is told once, and its result once, however often and in which order its messages come.
 */
export class SessionReader {
  readonly #options: ReaderOptions
  readonly #open = new Map<string, OpenCall>()
  /** How often each id was used for calls that are over. */
  readonly #used = new Map<string, number>()
  #text = ''
  #lastText = ''
  /** The last piece of it, since the last call. */
  #lastPiece = ''
  #costUsd: number | undefined
  #tokens = noTokens
  #hasWorked = false
  #isRefusedLast = false

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** Whether the last thing that the agent tried was refused, and nothing came after it. */
  get endedAtRefusal(): boolean {
    return this.#isRefusedLast
  }

  /** Events of `params.update` of one `session/update`. */
  readUpdate(message: unknown): readonly AgentEvent[] {
    const { data: update } = updateSchema.safeParse(this.#told(message))
    switch (update?.sessionUpdate) {
      case 'tool_call':
      case 'tool_call_update':
        return [...this.#flush(), ...this.#readPart(update)]
      case 'agent_message_chunk':
        this.#text += update.content.text ?? ''
        this.#lastPiece = update.content.text || this.#lastPiece
        this.#addTokens(update._meta?.usage)
        return []
      case 'usage_update':
        // Of the whole session so far.
        if (update.cost?.currency === 'USD') this.#costUsd = update.cost.amount
        return []
      case undefined:
        return []
    }
  }

  /** What a request for permission asks for; nothing where it names no call. */
  readRequest(toolCall: unknown): AskedCall | undefined {
    const { data: part } = callPartSchema.safeParse(this.#told(toolCall))
    if (part === undefined) return undefined
    const known = this.#callFor(part)
    const events = [...this.#flush(), ...this.#announce(known)]
    // Ids are the model's: what was told earlier under this one must not speak for what is asked now.
    const alone = withPart(newCall(known.told.id), part)
    const isTelling = alone.kind !== undefined && (isFilled(alone.input) || alone.files.length > 0)
    return { call: isTelling ? { ...alone, names: known.told.names } : known.told, events }
  }

  /** The call was refused. `rule` would permit it. */
  refuse({ id }: ToldCall, what: string, rule?: string): readonly AgentEvent[] {
    for (const call of this.#open.values()) if (call.told.id === id) call.isRefused = true
    this.#isRefusedLast = true
    return [{ type: 'denial', id, what, ...(rule !== undefined && { rule }) }]
  }

  /** Events of the answer to `session/prompt`: one that ends the turn. */
  readAnswer(message: unknown): readonly AgentEvent[] {
    const { data: { stopReason, usage, _meta: meta } = {} } = answerSchema.safeParse(message)
    const { errorStart, tellsTokensOfSession } = this.#options
    const told = usage ?? meta?.quota?.token_count
    if (told !== undefined && tellsTokensOfSession) this.#tokens = noTokens
    this.#addTokens(told)
    const texts = this.#flush()
    // Some agents tell an error of their model as a text, in a turn that ends like any other.
    const isError = errorStart !== undefined && this.#lastPiece.startsWith(errorStart)
    if (isError) return [...texts, ...this.#usage(), ofModel(this.#lastPiece)]
    const isEmpty = stopReason === 'end_turn' && !this.#hasWorked && !this.#tokens.isTold
    if (isEmpty) return [...texts, ofModel(this.#lastText === '' ? 'It was given no answer.' : this.#lastText)]
    const ends = stopReason === 'end_turn' ? [] : [describeStop(stopReason)]
    return [...texts, ...this.#usage(), ...ends]
  }

  /** What is left to tell where a turn breaks off. */
  breakOff(): readonly AgentEvent[] {
    return [...this.#flush(), ...this.#usage()]
  }

  #told(message: unknown): unknown {
    return this.#options.namesToolsInIds ? namedById(message) : message
  }

  #readPart(part: CallPart & { readonly sessionUpdate: string }): readonly AgentEvent[] {
    // The end of a call that is over, told again.
    if (
      part.sessionUpdate === 'tool_call_update' &&
      !this.#open.has(part.toolCallId) &&
      this.#used.has(part.toolCallId)
    )
      return []
    const call = this.#callFor(part)
    const { told } = call
    const isOver = part.status === 'completed' || part.status === 'failed'
    const isKnown = told.kind === 'execute' ? 'command' in told.input : isFilled(told.input) || told.files.length > 0
    const isUnderWay = part.status === 'in_progress' && told.kind !== 'execute'
    const events = isOver || isKnown || isUnderWay ? this.#announce(call) : []
    if (!isOver) return events
    this.#open.delete(part.toolCallId)
    this.#used.set(part.toolCallId, (this.#used.get(part.toolCallId) ?? 0) + 1)
    const { id, exitCode, output } = told
    const isError = part.status === 'failed' || (exitCode !== undefined && exitCode !== 0)
    return [
      ...events,
      { type: 'tool-result', id, isError, ...(exitCode !== undefined && !call.isRefused && { exitCode }), output },
    ]
  }

  /** The call that a message belongs to, with what the message adds. */
  #callFor(part: CallPart): OpenCall {
    const { toolCallId } = part
    const known = this.#open.get(toolCallId)
    if (known !== undefined) {
      known.told = withPart(known.told, part)
      return known
    }
    const uses = this.#used.get(toolCallId) ?? 0
    const id = uses === 0 ? toolCallId : `${toolCallId}#${uses + 1}`
    const call = { told: withPart(newCall(id), part), isAnnounced: false, isRefused: false }
    this.#open.set(toolCallId, call)
    return call
  }

  #announce(call: OpenCall): readonly AgentEvent[] {
    if (call.isAnnounced) return []
    call.isAnnounced = true
    this.#hasWorked = true
    this.#lastPiece = ''
    this.#isRefusedLast = false
    return [toEvent(call.told, this.#options.servers, this.#options.guessesKinds)]
  }

  /** A message comes in pieces, which are told as one. */
  #flush(): readonly AgentEvent[] {
    const text = this.#text
    this.#text = ''
    if (text.trim() === '') return []
    this.#lastText = text
    return [{ type: 'text', text }]
  }

  #addTokens(usage: TokenUsage): void {
    if (usage === undefined) return
    const { input, output } = this.#tokens
    this.#tokens = {
      input: input + (usage.inputTokens ?? usage.input_tokens ?? 0),
      output: output + (usage.outputTokens ?? usage.output_tokens ?? 0),
      isTold: true,
    }
  }

  #usage(): readonly AgentEvent[] {
    const { isTold, input, output } = this.#tokens
    const costUsd = this.#costUsd
    // Nothing is told of a turn that never began.
    if (!isTold && (costUsd ?? 0) === 0) return []
    return [{ type: 'usage', inputTokens: input, outputTokens: output, ...(costUsd !== undefined && { costUsd }) }]
  }
}

const noTokens = { input: 0, output: 0, isTold: false }

function ofModel(told: string): AgentEvent {
  const error = toError(told)
  return error.cause === 'other' ? { ...error, cause: 'model' } : error
}

/** A turn that does not end by itself. */
function describeStop(reason = 'unknown'): AgentEvent {
  return { type: 'error', cause: reason === 'cancelled' ? 'other' : 'model', message: `Its turn ended: \`${reason}\`.` }
}

const text = z.string().optional().catch(undefined)
const partSchema = z.looseObject({
  toolCallId: z.string(),
  kind: text,
  content: z
    .array(z.looseObject({ content: z.looseObject({ text }).optional().catch(undefined) }))
    .optional()
    .catch(undefined),
})

type Part = z.infer<typeof partSchema>

/** A message on a call whose id is made of the name of its tool, as others tell it. The title is what the model put into it. */
function namedById(message: unknown): unknown {
  const { data: part } = partSchema.safeParse(message)
  if (part === undefined) return message
  const [, name] = /^(.+?)(?:__|-\d+-\d+$)/.exec(part.toolCallId) ?? []
  return { ...part, name, ...(part.kind === 'execute' ? inputIn(part) : { title: undefined }) }
}

/** A request for permission tells the directory of a command, where the model gave one, in words alone. */
function inputIn({ content }: Part): object {
  const words = content?.[0]?.content?.text ?? ''
  const [, cwd] = /^\[in ([^\]]+)\](?: [([]|$)/.exec(words) ?? []
  return { rawInput: cwd === undefined ? {} : { cwd } }
}
