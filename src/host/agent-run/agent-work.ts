import type { AgentEvent, CliAgent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import { readForeignFile } from '../../system/files/read-file.ts'

/** Of the stream: more is not repeated. */
const maxStreamCharacters = 256 * 1024 * 1024
const maxTranscriptBytes = 512 * 1024 * 1024

/** What an agent did, and with which version of its program. */
interface DoneWork {
  readonly calls: readonly DoneCall[]
  readonly version?: string
}

/** Keeps what an agent's program says, for whoever wants to repeat what it did. */
export class AgentWork {
  readonly #lines: string[] = []
  #length = 0
  #sessionId: string | undefined

  onLine(line: string): void {
    this.#length += line.length
    if (this.#length <= maxStreamCharacters) this.#lines.push(line)
  }

  onEvent(event: AgentEvent): void {
    if (event.type === 'opened') this.#sessionId = event.sessionId ?? this.#sessionId
  }

  /** What it did, once it has ended; `undefined` where that cannot be told. */
  read(
    { readCalls, readVersion, interface: own }: CliAgent,
    env: Readonly<Record<string, string>>,
  ): DoneWork | undefined {
    if (readCalls === undefined || this.#length > maxStreamCharacters) return undefined
    const file = this.#sessionId === undefined ? undefined : own?.findSession({ sessionId: this.#sessionId, env })
    const transcript = file === undefined ? undefined : readForeignFile(file, maxTranscriptBytes)
    const session = { stream: this.#lines, transcript: transcript?.toString('utf8').split('\n') ?? [] }
    const version = readVersion?.(session)
    return { calls: readCalls(session), ...(version !== undefined && { version }) }
  }
}
