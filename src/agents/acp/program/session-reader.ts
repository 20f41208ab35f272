import { z } from 'zod'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import type { AgentEvent } from '../../agent.ts'
import { fieldsOf, lenient, text } from '../../agent-events.ts'
import type { AcpQuirks } from '../acp-agent.ts'
import { answerSchema, callPartSchema, toError, updateSchema, type CallPart, type TokenUsage } from './acp-messages.ts'
import { isFilled, newCall, toEvent, withPart, type ToldCall } from './told-call.ts'

interface OpenCall {
  told: ToldCall
  isAnnounced: boolean
  isRefused: boolean
}

type ReaderOptions = AcpQuirks & { readonly servers: readonly string[] }

/** Turns the messages of a session into events, one for each call and one for its result. Never throws. */
export class SessionReader {
  readonly #options: ReaderOptions
  readonly #open = new Map<string, OpenCall>()
  readonly #used = new Map<string, number>()
  #text = ''
  #lastText = ''
  /** The last text chunk that came after the last tool call. */
  #lastPiece = ''
  #costUsd: number | undefined
  #tokens: TokenUsage
  #hasWorked = false
  endedAtRefusal = false

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  readUpdate(message: unknown): readonly AgentEvent[] {
    const { data: update } = updateSchema.safeParse(this.#told(message))
    if (update === undefined) return []
    switch (update.sessionUpdate) {
      case 'tool_call':
      case 'tool_call_update':
        return [...this.#flush(), ...this.#readPart(update)]
      case 'agent_message_chunk':
        this.#text += update.content.text ?? ''
        this.#lastPiece = update.content.text || this.#lastPiece
        this.#addTokens(update._meta?.usage)
        return []
      case 'usage_update':
        if (update.cost?.currency === 'USD') this.#costUsd = update.cost.amount
        return []
    }
  }

  /** The call that a permission request asks for; `undefined` if the request names no call. */
  readRequest(toolCall: unknown): { readonly call: ToldCall; readonly events: readonly AgentEvent[] } | undefined {
    const { data: part } = callPartSchema.safeParse(this.#told(toolCall))
    if (part === undefined) return undefined
    const known = this.#callFor(part)
    const events = [...this.#flush(), ...this.#announce(known)]
    // Do not merge this request with earlier messages of the same id: the model chooses ids and could reuse one.
    const alone = withPart({ ...newCall, id: known.told.id }, part)
    const isTelling = alone.kind !== undefined && (isFilled(alone.input) || alone.files.length > 0)
    return { call: isTelling ? { ...alone, names: known.told.names } : known.told, events }
  }

  refuse({ id }: ToldCall, what: string, rule?: string): readonly AgentEvent[] {
    for (const call of this.#open.values()) if (call.told.id === id) call.isRefused = true
    this.endedAtRefusal = true
    return [{ type: 'denial', id, what, ...withoutUndefined({ rule }) }]
  }

  readAnswer(message: unknown): readonly AgentEvent[] {
    const { data: { stopReason, usage, _meta: meta } = {} } = answerSchema.safeParse(message)
    const { errorStart, tellsTokensOfSession } = this.#options
    const told = usage ?? meta?.quota?.token_count
    if (told !== undefined && tellsTokensOfSession) this.#tokens = undefined
    this.#addTokens(told)
    const texts = this.#flush()
    const isEmpty = stopReason === 'end_turn' && !this.#hasWorked && this.#tokens === undefined
    // Some agents print a model error as text, in a turn that ends normally.
    if (errorStart !== undefined && this.#lastPiece.startsWith(errorStart))
      return [...texts, ...this.#usage(), ofModel(this.#lastPiece)]
    if (isEmpty) return [...texts, ofModel(this.#lastText === '' ? 'It was given no answer.' : this.#lastText)]
    return [...texts, ...this.#usage(), ...(stopReason === 'end_turn' ? [] : [describeStop(stopReason)])]
  }

  breakOff(): readonly AgentEvent[] {
    return [...this.#flush(), ...this.#usage()]
  }

  #told(message: unknown): unknown {
    return this.#options.namesToolsInIds ? namedById(message) : message
  }

  #readPart(part: CallPart & { readonly sessionUpdate: string }): readonly AgentEvent[] {
    const { toolCallId: key, status } = part
    // Ignore a repeated message about a finished call.
    if (part.sessionUpdate === 'tool_call_update' && !this.#open.has(key) && this.#used.has(key)) return []
    const call = this.#callFor(part)
    const { id, kind, input, files, exitCode, output } = call.told
    const isOver = status === 'completed' || status === 'failed'
    const isKnown = kind === 'execute' ? 'command' in input : isFilled(input) || files.length > 0
    const isUnderWay = status === 'in_progress' && kind !== 'execute'
    const events = isOver || isKnown || isUnderWay ? this.#announce(call) : []
    if (!isOver) return events
    this.#open.delete(key)
    this.#used.set(key, (this.#used.get(key) ?? 0) + 1)
    const isError = status === 'failed' || (exitCode !== undefined && exitCode !== 0)
    const code = call.isRefused ? undefined : exitCode
    return [...events, { type: 'tool-result', id, isError, output, ...withoutUndefined({ exitCode: code }) }]
  }

  #callFor(part: CallPart): OpenCall {
    const { toolCallId: key } = part
    const uses = this.#used.get(key) ?? 0
    const id = uses === 0 ? key : `${key}#${uses + 1}`
    const call = this.#open.get(key) ?? { told: { ...newCall, id }, isAnnounced: false, isRefused: false }
    call.told = withPart(call.told, part)
    this.#open.set(key, call)
    return call
  }

  #announce(call: OpenCall): readonly AgentEvent[] {
    if (call.isAnnounced) return []
    call.isAnnounced = true
    this.#hasWorked = true
    this.#lastPiece = ''
    this.endedAtRefusal = false
    return [toEvent(call.told, this.#options.servers, this.#options.guessesKinds)]
  }

  #flush(): readonly AgentEvent[] {
    const text = this.#text
    this.#text = ''
    if (text.trim() === '') return []
    this.#lastText = text
    return [{ type: 'text', text }]
  }

  #addTokens(usage: TokenUsage): void {
    const { input, output } = this.#tokens ?? { input: 0, output: 0 }
    if (usage !== undefined) this.#tokens = { input: input + usage.input, output: output + usage.output }
  }

  #usage(): readonly AgentEvent[] {
    const costUsd = this.#costUsd
    // A turn that never began has no usage.
    if (this.#tokens === undefined && (costUsd ?? 0) === 0) return []
    const { input: inputTokens, output: outputTokens } = this.#tokens ?? { input: 0, output: 0 }
    return [{ type: 'usage', inputTokens, outputTokens, ...withoutUndefined({ costUsd }) }]
  }
}

function ofModel(told: string): AgentEvent {
  const error = toError(told)
  return error.cause === 'other' ? { ...error, cause: 'model' } : error
}

function describeStop(reason = 'unknown'): AgentEvent {
  return { type: 'error', cause: reason === 'cancelled' ? 'other' : 'model', message: `Its turn ended: \`${reason}\`.` }
}

const namedPart = z.object({
  toolCallId: z.string(),
  kind: text,
  content: lenient(z.array(z.object({ content: lenient(z.object({ text })) }))),
})

/** Reads the tool's name from the call's id. Removes the model's own title, except from a command. */
function namedById(message: unknown): unknown {
  const { data: part } = namedPart.safeParse(message)
  if (part === undefined) return message
  const [, name] = /^(.+?)(?:__|-\d+-\d+$)/.exec(part.toolCallId) ?? []
  const named = { ...fieldsOf(message), name }
  if (part.kind !== 'execute') return { ...named, title: undefined }
  // A permission request gives the directory of a command only as text.
  const [, cwd] = /^\[in ([^\]]+)\](?: [([]|$)/.exec(part.content?.[0]?.content?.text ?? '') ?? []
  return { ...named, rawInput: cwd === undefined ? {} : { cwd } }
}
