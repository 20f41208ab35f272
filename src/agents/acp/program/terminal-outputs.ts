import { z } from 'zod'

const text = z.string().optional().catch(undefined)

const terminalSchema = z.object({
  sessionUpdate: z.literal(['terminal_update', 'terminal_output_chunk']),
  terminalId: z.string(),
  command: text,
  cwd: text,
  /** Of a chunk. */
  data: text,
  /** In place of all that came before. */
  output: z.object({ data: z.string() }).nullish().catch(undefined),
  exitStatus: z
    .object({ exitCode: z.int().nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
})

/** A terminal of the agent, as far as it is told. */
class Terminal {
  command: string | undefined
  cwd: string | undefined
  exitCode: number | undefined
  bytes: Buffer[] = []
  sizeBytes = 0
  isWhole = true

  add(base64: string): void {
    const more = Buffer.from(base64, 'base64')
    this.isWhole &&= this.sizeBytes + more.length <= maxBytes
    if (!this.isWhole) return
    this.bytes.push(more)
    this.sizeBytes += more.length
  }

  clear(): void {
    this.bytes = []
    this.sizeBytes = 0
    this.isWhole = true
  }

  /** As version 1 tells the end of a command. */
  toRawOutput(): object {
    return {
      output: Buffer.concat(this.bytes).toString('utf8'),
      ...(this.exitCode !== undefined && { exitCode: this.exitCode }),
      ...(this.cwd !== undefined && { directory: this.cwd }),
      ...(!this.isWhole && { metadata: { truncated: true } }),
    }
  }
}

/** More output than this of one terminal is left out. */
const maxBytes = 64 * 1024 * 1024

/** Terminals of a session of version 2: where commands print, and how they end. */
export class TerminalOutputs {
  readonly #terminals = new Map<string, Terminal>()

  /** A message of a terminal. What is not known of it is left out. */
  read(message: unknown): void {
    const { data: update } = terminalSchema.safeParse(message)
    if (update === undefined) return
    const terminal = this.#terminals.get(update.terminalId) ?? new Terminal()
    this.#terminals.set(update.terminalId, terminal)
    if (update.sessionUpdate === 'terminal_output_chunk') return terminal.add(update.data ?? '')
    terminal.command = update.command ?? terminal.command
    terminal.cwd = update.cwd ?? terminal.cwd
    if (update.exitStatus) terminal.exitCode = update.exitStatus.exitCode ?? undefined
    if (update.output !== undefined) terminal.clear()
    if (update.output) terminal.add(update.output.data)
  }

  /** The terminal that a call shows; `undefined` where it shows none, or more than one: then nobody knows whose an exit code is. */
  only(content: readonly Readonly<Record<string, unknown>>[]): Terminal | undefined {
    const ids = content.flatMap(({ type, terminalId }) => (type === 'terminal' ? [terminalId] : []))
    return ids.length === 1 ? this.#terminals.get(String(ids[0])) : undefined
  }
}
