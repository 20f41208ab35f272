import type { AgentEvent, ToolCall } from '../../agents/agent.ts'
import { ownTools } from '../../agents/report-access.ts'

type AgentError = Extract<AgentEvent, { readonly type: 'error' }>

/** In UTF-16 code units, of a command in a message. */
const maxTitleCharacters = 200

/** Looks in an agent's own stream for what it executed or wrote by other tools than mdtest's. Looking is no such act. */
export class ActsPastExecutor {
  readonly #open = new Map<string, ToolCall>()

  /** The act, once its result shows that it was done. A tool that is off has an error for a result. */
  onEvent(event: AgentEvent): AgentError | undefined {
    if (event.type === 'tool-call' && isAct(event)) this.#open.set(event.id, event)
    if (event.type === 'denial' && event.id !== undefined) this.#open.delete(event.id)
    if (event.type !== 'tool-result') return undefined
    const call = this.#open.get(event.id)
    this.#open.delete(event.id)
    // A command that failed was executed.
    const isDone = !event.isError || (event.exitCode !== undefined && event.exitCode >= 0)
    if (call === undefined || !isDone) return undefined
    return {
      type: 'error',
      cause: 'executor',
      message: `it called \`${call.tool}\` (${call.title.slice(0, maxTitleCharacters)}).`,
    }
  }
}

function isAct({ kind, use, tool }: ToolCall): boolean {
  if (kind === 'mcp' || kind === 'browser') return !tool.startsWith(ownTools)
  return kind === 'command' || use === 'edit'
}
