import type { AgentEvent, CliAgent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import { readForeignFile } from '../../system/files/read-file.ts'

/** Of the stream: more is not repeated. */
const maxStreamCharacters = 256 * 1024 * 1024
/** So many lines at its beginning tell the version. */
const headLines = 100
const maxTranscriptBytes = 512 * 1024 * 1024

/** What an agent did, where that can be told, and with which version of its program. */
interface DoneWork {
  readonly calls?: readonly DoneCall[]
  readonly version?: string
}

/** Keeps what an agent's program says, for whoever wants to repeat what it did. */
export class AgentWork {
  readonly #lines: string[] = []
  readonly #isVersionOnly: boolean
  #length = 0
  #sessionId: string | undefined

  /** @param options `isVersionOnly`: what it does is known from elsewhere */
  constructor({ isVersionOnly }: { readonly isVersionOnly: boolean }) {
    this.#isVersionOnly = isVersionOnly
  }

  onLine(line: string): void {
    if (this.#isVersionOnly && this.#lines.length >= headLines) return
    this.#length += line.length
    if (this.#length <= maxStreamCharacters) this.#lines.push(line)
  }

  onEvent(event: AgentEvent): void {
    if (event.type === 'opened') this.#sessionId = event.sessionId ?? this.#sessionId
  }

  /** What it did, once it has ended. */
  read({ readCalls, readVersion, interface: own }: CliAgent, env: Readonly<Record<string, string>>): DoneWork {
    const isReadable = !this.#isVersionOnly && readCalls !== undefined
    if (this.#length > maxStreamCharacters || (!isReadable && readVersion === undefined)) return {}
    const file = this.#sessionId === undefined ? undefined : own?.findSession({ sessionId: this.#sessionId, env })
    const transcript = file === undefined ? undefined : readForeignFile(file, maxTranscriptBytes)
    const session = { stream: this.#lines, transcript: transcript?.toString('utf8').split('\n') ?? [] }
    const version = readVersion?.(session)
    return { ...(isReadable && { calls: readCalls(session) }), ...(version !== undefined && { version }) }
  }
}
