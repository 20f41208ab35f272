import { parseJson } from '../system/text/parse-json.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readForeignFile } from '../system/files/read-file.ts'
import { withoutUndefined } from '../system/without-undefined.ts'
import type { AgentEvent, CliAgent, ErrorEvent } from './agent.ts'
import { orNothing } from '../system/error-facts.ts'

export interface CallUsage {
  readonly sessionId?: string
  readonly sessionCostUsd?: number
  /** Whether the program reported its cost at the end. A program that was ended early may have cost more. */
  readonly isCostTold: boolean
  /** Tokens of the last request divided by the model's context window, 0 to 1; null if either is unknown. */
  readonly contextUtilization: number | null
}

interface Program {
  readonly agent: CliAgent
  readonly env: Readonly<Record<string, string>>
}

/** What an agent said in one call. Keeps only the end of its text, which contains the answer. */
export class AgentTranscript {
  #answer: unknown
  #text = ''
  #sessionId: string | undefined
  #use: Use = {}
  error: ErrorEvent | undefined
  /** Whether the model answered any request. */
  hasAnswered = false

  onEvent(event: AgentEvent): void {
    if (event.type === 'answer') this.#answer = event.value
    if (event.type === 'text') this.#text = event.text
    if (event.type === 'opened') this.#sessionId = event.sessionId ?? this.#sessionId
    if (event.type === 'error') this.error = event
    this.hasAnswered ||=
      event.type === 'tool-call' || event.type === 'text' || (event.type === 'tokens' && event.outputTokens > 0)
    this.#use = withEvent(this.#use, event)
  }

  onText(line: string): void {
    this.#text = `${this.#text}${line}\n`.slice(-200_000)
  }

  get answer(): unknown {
    return this.#answer ?? lastObjectIn(this.#text)
  }

  usage(program: Program): CallUsage {
    const told = this.#use
    const isWhole = told.costUsd !== undefined && told.lastTokens !== undefined && told.window !== undefined
    const kept = isWhole ? {} : readSessionUse(this.#sessionId, program).reduce(withEvent, {})
    const { costUsd, lastTokens = Number.NaN, window = Number.NaN } = { ...kept, ...told }
    const utilization = lastTokens / window
    return {
      ...withoutUndefined({ sessionId: this.#sessionId, sessionCostUsd: costUsd }),
      isCostTold: told.costUsd !== undefined,
      contextUtilization: Number.isFinite(utilization) ? Math.min(1, utilization) : null,
    }
  }
}

interface Use {
  readonly costUsd?: number
  readonly lastTokens?: number
  readonly window?: number
}

function withEvent(use: Use, event: AgentEvent): Use {
  if (event.type === 'usage')
    return withoutUndefined({ ...use, costUsd: event.costUsd, window: event.contextWindow ?? use.window })
  // A failed request has no tokens.
  if (event.type !== 'tokens' || event.inputTokens + event.outputTokens === 0) return use
  // Drop the cost of an earlier turn. Ignore the tokens of a subagent, which has its own context window.
  const { costUsd: _costUsd, ...rest } = use
  return event.isOfHelper === true ? rest : { ...rest, lastTokens: event.inputTokens + event.outputTokens }
}

/** Token and cost events from the session file. The file is complete even if the program's output was cut off. */
export function readSessionUse(sessionId: string | undefined, { agent, env }: Program): readonly AgentEvent[] {
  const folder = agent.sessionsFolder?.(env)
  if (sessionId === undefined || folder === undefined) return []
  const names = orNothing(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  const file = names?.find((name) => name.endsWith(`${sessionId}.jsonl`))
  if (file === undefined) return []
  const events = linesInFile(join(folder, file)).flatMap((line) => agent.readEvents(line))
  return events.filter(({ type }) => type === 'tokens' || type === 'usage')
}

export const rawLogName = 'raw.log'

/** Usage of a call, read from the raw log in `folder`. Needed if the process that made the call was killed. */
export function readCall(folder: string, program: Program): CallUsage {
  const transcript = new AgentTranscript()
  for (const line of linesInFile(join(folder, rawLogName))) {
    if (!line.startsWith('out| ')) continue
    for (const event of program.agent.readEvents(line.slice('out| '.length))) transcript.onEvent(event)
  }
  return transcript.usage(program)
}

function linesInFile(file: string): readonly string[] {
  const text = readForeignFile(file, 512 * 1024 * 1024)?.toString('utf8')
  return text?.split('\n') ?? []
}

/** The last complete JSON object in a text. A code fence or other words may surround the object. */
function lastObjectIn(text: string): unknown {
  const end = text.lastIndexOf('}')
  let start = text.lastIndexOf('{', end)
  let found: unknown
  // Tries each `{` before the last `}`, from the inside out. The outermost object that parses is the answer.
  for (let tries = 0; start >= 0 && tries < 500; tries += 1) {
    found = parseJson(text.slice(start, end + 1)) ?? found
    start = start === 0 ? -1 : text.lastIndexOf('{', start - 1)
  }
  return found
}
