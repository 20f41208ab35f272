import { z } from 'zod'
import { TerminalOutputs } from './terminal-outputs.ts'
import { fieldsOf } from './told-call.ts'

const text = z.string().optional().catch(undefined)
const fields = z.record(z.string(), z.unknown())
const list = z.array(fields.catch({}))

const callSchema = fields.and(z.object({ toolCallId: z.string() }))

const updateSchema = z.discriminatedUnion('sessionUpdate', [
  z.looseObject({ sessionUpdate: z.literal('tool_call_update'), toolCallId: z.string() }),
  z.object({ sessionUpdate: z.literal('tool_call_content_chunk'), toolCallId: z.string(), content: fields }),
  z.looseObject({ sessionUpdate: z.literal(['terminal_update', 'terminal_output_chunk']), terminalId: z.string() }),
  z.looseObject({ sessionUpdate: z.literal('agent_message_chunk'), messageId: text, content: fields.catch({}) }),
  z.object({ sessionUpdate: z.literal('agent_message'), messageId: z.string(), content: list }),
])

const subjectSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('tool_call'), toolCall: callSchema }),
  z.object({ type: z.literal('command'), command: z.string(), cwd: z.string(), toolCallId: text }),
])

/** What is kept of a call until it is over. */
interface KeptCall {
  content: Fields[]
  rawOutput?: unknown
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Makes messages of version 2 of ACP into those of version 1, which tell the same. A call is patched there, and its
 * output comes piece by piece: the message of its end gets all of it. Never throws.
 */
export class Version2 {
  readonly #calls = new Map<string, KeptCall>()
  readonly #over = new Set<string>()
  readonly #terminals = new TerminalOutputs()
  readonly #messages = new Map<string, string>()
  #asked = 0

  /** `params.update` of one `session/update`; nothing where it tells nothing of what the agent does. */
  toUpdate(message: unknown): unknown {
    const { data: update } = updateSchema.safeParse(message)
    switch (update?.sessionUpdate) {
      case 'tool_call_update':
        return this.#patch(update)
      case 'tool_call_content_chunk': {
        const call = this.#calls.get(update.toolCallId)
        call?.content.push(update.content)
        return undefined
      }
      case 'terminal_update':
      case 'terminal_output_chunk':
        this.#terminals.read(update)
        return undefined
      case 'agent_message_chunk': {
        const { messageId = '', content } = update
        this.#messages.set(messageId, `${this.#messages.get(messageId) ?? ''}${textIn(content)}`)
        return update
      }
      case 'agent_message':
        return this.#replace(update.messageId, update.content.map(textIn).join(''))
      case undefined:
        // The same in both versions.
        return message
    }
  }

  /** The call for which `session/request_permission` asks. One of no known kind is asked for as what it is: unknown. */
  toCall(params: unknown): unknown {
    const { subject, title } = z
      .object({ subject: subjectSchema.optional().catch(undefined), title: text })
      .catch({ subject: undefined, title: undefined })
      .parse(params)
    this.#asked += 1
    switch (subject?.type) {
      case 'tool_call':
        return { ...subject.toolCall, content: toParts(subject.toolCall.content) }
      case 'command': {
        const { command, cwd, toolCallId = `asked-${this.#asked}` } = subject
        return { toolCallId, kind: 'execute', title: command, rawInput: { command, cwd } }
      }
      case undefined:
        // Its title is what the agent says of it, and must not pass for the name of a tool.
        return { toolCallId: `asked-${this.#asked}`, kind: 'other', title: `asks: ${title ?? 'nobody knows what for'}` }
    }
  }

  #patch({ sessionUpdate, ...update }: Fields & { readonly toolCallId: string }): unknown {
    const { toolCallId } = update
    // An id is that of one call. Where it is used again, after the end, another one has begun.
    const isNew = !this.#calls.has(toolCallId) && (!this.#over.has(toolCallId) || !isEnd(update.status))
    const call = this.#calls.get(toolCallId) ?? { content: [] }
    if (isNew) this.#calls.set(toolCallId, call)
    if (Array.isArray(update.content) || update.content === null) call.content = list.catch([]).parse(update.content)
    if ('rawOutput' in update) call.rawOutput = update.rawOutput
    const terminal = this.#terminals.only(call.content)
    const told = {
      ...{ sessionUpdate: isNew ? 'tool_call' : sessionUpdate, ...update },
      content: toParts(call.content),
      ...(terminal?.command !== undefined && { rawInput: { command: terminal.command, ...fieldsOf(update.rawInput) } }),
    }
    if (!isEnd(update.status)) return { ...told, status: update.status === 'paused' ? 'in_progress' : update.status }
    this.#calls.delete(toolCallId)
    this.#over.add(toolCallId)
    const rawOutput = terminal === undefined ? call.rawOutput : terminal.toRawOutput()
    return {
      ...told,
      status: update.status === 'cancelled' ? 'failed' : update.status,
      ...(rawOutput !== undefined && { rawOutput }),
    }
  }

  /** A message that is told anew: what it has more than it had is what was said. */
  #replace(messageId: string, words: string): unknown {
    const known = this.#messages.get(messageId) ?? ''
    this.#messages.set(messageId, words)
    const more = words.startsWith(known) ? words.slice(known.length) : words
    return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: more } }
  }
}

function isEnd(status: unknown): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** Content of a call as version 1 has it: of a diff, its files and the lines that it adds. */
function toParts(content: unknown): readonly unknown[] {
  const { data: parts = [] } = list.safeParse(content)
  return parts.flatMap((part) => {
    if (part.type !== 'diff' || !Array.isArray(part.changes)) return [part]
    const paths = part.changes.flatMap((change: unknown) => {
      const { path, oldPath } = fieldsOf(change)
      return oldPath === undefined ? [path] : [oldPath, path]
    })
    const { format, text: patch } = fieldsOf(part.patch)
    const added = format === 'git_patch' && typeof patch === 'string' ? addedIn(patch) : []
    return [...paths.map((path) => ({ type: 'diff', path })), ...added.map((newText) => ({ type: 'patch', newText }))]
  })
}

/** Lines that a patch adds, those that follow each other as one text. */
function addedIn(patch: string): readonly string[] {
  let isHunk = false
  const lines = patch.split('\n').map((line) => {
    if (line.startsWith('@@')) isHunk = true
    if (line.startsWith('diff --git ')) isHunk = false
    return isHunk && line.startsWith('+') ? line.slice(1) : undefined
  })
  const texts: string[] = []
  lines.forEach((line, index) => {
    if (line === undefined) return
    if (index > 0 && lines[index - 1] !== undefined) texts.push(`${texts.pop() ?? ''}\n${line}`)
    else texts.push(line)
  })
  return texts
}

function textIn({ text: words }: Fields): string {
  return typeof words === 'string' ? words : ''
}
