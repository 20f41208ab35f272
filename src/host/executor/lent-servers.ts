import type { AgentEvent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import type { ToolAnswer, ToolPart } from '../../mcp/tool-call.ts'
import { messageOf } from '../../system/error-facts.ts'
import { withinWait, told, type ExecutorAnswer, shownOutput } from './executor-answer.ts'
import type { OfferedServers, OfferedTool } from './offered-servers.ts'

export interface ServerOptions {
  readonly servers: OfferedServers
  readonly cwd: string
  readonly scratchDir: string
  readonly timeoutMs: number
  /** Longest time a call waits for its answer, in milliseconds. */
  readonly maxWaitMs: number
  readonly onEvent: (event: AgentEvent) => void
  readonly onDone: (call: DoneCall) => void
}

interface StartedCall {
  readonly id: string
  readonly name: string
  readonly startedAtMs: number
  result: { readonly output: string; readonly parts: readonly ToolPart[]; readonly isError: boolean } | undefined
  readonly ended: Promise<unknown>
}

export class LentServers {
  readonly #options: ServerOptions
  /** By id: the latest calls. */
  readonly #calls = new Map<string, StartedCall>()
  readonly #over = new AbortController()
  #running = 0
  #count = 0

  constructor(options: ServerOptions) {
    this.#options = options
  }

  get tools(): readonly OfferedTool[] {
    return this.#options.servers.tools
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  call(tool: OfferedTool, input: Readonly<Record<string, unknown>>): Promise<ExecutorAnswer> {
    const { cwd, onEvent } = this.#options
    const { kind, offeredName, server } = tool
    this.#count += 1
    const id = `t${this.#count}`
    const name = kind === 'browser' && offeredName === tool.name ? tool.name : `mcp__${server}__${tool.name}`
    const title = `${name} ${JSON.stringify(input)}`
    onEvent({ type: 'tool-call', id, kind, tool: name, title, files: [], input, directory: cwd })
    this.#running += 1
    const started: StartedCall = {
      id,
      name: offeredName,
      startedAtMs: performance.now(),
      result: undefined,
      ended: this.#answerOf(tool, input).then((answer) => {
        this.#running -= 1
        this.#complete(started, { tool, input, answer })
      }),
    }
    this.#calls.set(id, started)
    for (const old of [...this.#calls.keys()].slice(0, -maxCalls)) this.#calls.delete(old)
    return this.#answer(started)
  }

  /** The answer of a tool that took its time; `undefined` for an id that is none of a call. */
  async nextOutput({ id }: { readonly id: string }): Promise<ExecutorAnswer | undefined> {
    const found = this.#calls.get(id)
    return found === undefined ? undefined : this.#answer(found)
  }

  hold(): Promise<readonly string[]> {
    return this.#options.servers.hold()
  }

  release(): void {
    this.#options.servers.release()
  }

  async end(): Promise<void> {
    this.#over.abort()
    await this.#options.servers.close()
  }

  async #answerOf({ session, name }: OfferedTool, input: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    const { timeoutMs } = this.#options
    try {
      return await session.call({ tool: name, input, timeoutMs, signal: this.#over.signal })
    } catch (error: unknown) {
      return { kind: 'lost', message: messageOf(error) }
    }
  }

  #complete(started: StartedCall, { tool, input, answer }: Ended): void {
    const { onEvent, onDone, timeoutMs } = this.#options
    const { id, name } = started
    if (answer.kind === 'answer') {
      const { text: output, parts, isError } = answer
      started.result = { output, parts, isError }
      onEvent({ type: 'tool-result', id, isError, output })
      onDone({ kind: 'mcp', server: tool.server, tool: tool.name, input, output, isError })
      return
    }
    const text =
      answer.kind === 'timeout'
        ? `\`${name}\` was given up after ${timeoutMs} ms.`
        : `The MCP server \`${tool.server}\` cannot be used: ${answer.message}.`
    started.result = { output: text, parts: [{ type: 'text', text }], isError: true }
    // These are our words.
    onEvent({ type: 'tool-result', id, isError: true, output: '' })
    onDone({ kind: 'unfinished', command: name })
  }

  async #answer(started: StartedCall): Promise<ExecutorAnswer> {
    const { maxWaitMs, scratchDir } = this.#options
    await withinWait(started.ended, maxWaitMs)
    const { id, name, result } = started
    if (result === undefined) return told(`\`${name}\` has not answered yet: wait with next_output {"id": "${id}"}.`)
    const { output, parts, isError } = result
    const shown = shownOutput(output, { id, scratchDir })
    if (shown === output.replace(/\n$/, '')) return { text: output, parts, isError }
    return {
      text: shown,
      parts: [{ type: 'text', text: shown }, ...parts.filter(({ type }) => type !== 'text')],
      isError,
    }
  }
}

/** Answers of older calls are let go. */
const maxCalls = 20

interface Ended {
  readonly tool: OfferedTool
  readonly input: Readonly<Record<string, unknown>>
  readonly answer: ToolAnswer
}
