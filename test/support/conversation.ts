/** One tool call that was answered: what the scripted model knows of the world. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

/** What one model request holds, in the words of no wire format. */
export interface Conversation {
  readonly api: 'anthropic' | 'openai' | 'chat' | 'google'
  readonly model: string
  /** What the model was told before the user came. */
  readonly system: string
  /** Text of the user's task: the last message to a CLI, the first one to mdtest's own loop, which adds hints to it. */
  readonly prompt: string
  /** Results of the tool calls since then, in order. */
  readonly results: readonly ToolResult[]
  /** What the model itself said since then. */
  readonly said: string
  /** Names of the tools that are offered. */
  readonly tools: readonly string[]
  /** A request for nothing of the spec (a title, a probe): no tools to work with. */
  readonly isSideRequest: boolean
}

/** One message or tool result. */
export type Entry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'model'; readonly text: string }
  | { readonly kind: 'result'; readonly text: string; readonly isError: boolean }

interface Request extends Pick<Conversation, 'api' | 'model' | 'system' | 'tools'> {
  readonly entries: readonly Entry[]
}

/** Brings what a request holds into the order in which a script reads it. */
export function toConversation({ entries, ...request }: Request): Conversation {
  // What an agent that was refused something is told is no new task.
  const isTask = ({ kind, text }: Entry): boolean => kind === 'user' && !text.includes('That call was refused')
  const start = isOwnLoop(request) ? entries.findIndex(isTask) : entries.findLastIndex(isTask)
  const since = entries.slice(start + 1)
  return {
    ...request,
    prompt: entries[start]?.text ?? '',
    results: since.flatMap((entry) => (entry.kind === 'result' ? [entry] : [])),
    said: since.flatMap((entry) => (entry.kind === 'model' ? [entry.text] : [])).join('\n'),
    isSideRequest: !isOwnLoop(request) && !request.tools.some((name) => toolsOfClis.has(name)),
  }
}

/** Whether mdtest's own loop talks, which drives a browser, and no CLI. */
export function isOwnLoop({ tools }: Pick<Conversation, 'tools'>): boolean {
  return tools.includes('report_step') && !tools.some((name) => toolsOfClis.has(name))
}

/** One of these is among the tools of every request in which a CLI works. */
const toolsOfClis = new Set([
  'Read',
  'Bash',
  'exec_command',
  'exec',
  'apply_patch',
  'bash',
  'run_shell_command',
  'todowrite',
])
