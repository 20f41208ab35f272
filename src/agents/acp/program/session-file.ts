import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isInside } from '../../../system/files/is-inside.ts'
import { readShellAnswer, withoutFrame } from './read-shell-answer.ts'

/** How long an agent may take to note what came of a call, in milliseconds. */
const noteLimitMs = 1_000
/** Between two looks at the file, in milliseconds. */
const pauseMs = 25

interface SessionFileOptions {
  /** Absolute path of the folder that has a folder for each project, with its `chats`. */
  readonly folder: string
  readonly sessionId: string
}

/**
 * The file in which Gemini CLI notes its session, a message in a line. It has what ACP does not tell: what tools gave.
 * Only files inside of its folder are read, and what two lines tell differently of one call is not known.
 */
export class SessionFile {
  readonly #options: SessionFileOptions
  readonly #answers = new Map<string, Set<string>>()
  /** What the model put into calls, by their ids. */
  readonly #inputs = new Map<string, Readonly<Record<string, unknown>>>()
  #path: string | undefined
  #offset = 0
  #rest = ''

  constructor(options: SessionFileOptions) {
    this.#options = options
  }

  /**
   * A message on a call, with what is only in the file: the name of its tool, and, where it is over, what came of it. Gives
   * it as it is where nothing is noted in time.
   */
  async complete(message: unknown): Promise<unknown> {
    const { data: part } = partSchema.safeParse(message)
    if (part === undefined) return message
    // The id is made of the name; the title of most calls is what the model puts into them.
    const [, name] = /^(.+?)(?:__|-\d+-\d+$)/.exec(part.toolCallId) ?? []
    const named = { ...part, name, ...(part.kind === 'execute' ? inputIn(part) : { title: undefined }) }
    const isOver = part.status === 'completed' || part.status === 'failed'
    const answer = isOver ? await this.#answerTo(part.toolCallId) : undefined
    if (answer === undefined) return named
    // The command line was told already, and judged.
    const { command: _, ...input } = this.#inputs.get(part.toolCallId) ?? {}
    return { ...named, rawInput: input, rawOutput: readAnswer(answer, part.kind) }
  }

  async #answerTo(id: string): Promise<string | undefined> {
    const endMs = performance.now() + noteLimitMs
    while (!this.#answers.has(id) && performance.now() < endMs) {
      await this.#read()
      if (!this.#answers.has(id)) await sleep(pauseMs)
    }
    // A command that writes here comes before the agent, which notes the end of the command.
    await sleep(pauseMs)
    await this.#read()
    const [answer, other] = this.#answers.get(id) ?? []
    return other === undefined ? answer : undefined
  }

  /** Reads what has come since the last time. */
  async #read(): Promise<void> {
    this.#path ??= await findSession(this.#options)
    if (this.#path === undefined) return
    try {
      await using file = await open(this.#path)
      const { size } = await file.stat()
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(Math.max(0, Math.min(size - this.#offset, maxBytes))),
        position: this.#offset,
      })
      this.#offset += bytesRead
      const lines = (this.#rest + buffer.toString('latin1', 0, bytesRead)).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.#note(Buffer.from(line, 'latin1').toString('utf8'))
    } catch {
      return // It is gone, and nothing is known of the call.
    }
  }

  #note(line: string): void {
    // Most lines are texts, and say again what was said.
    if (!line.includes('"functionResponse"')) return
    const { type, content, toolCalls } = readLine(line)
    for (const { id, args } of toolCalls) if (id !== undefined && args !== undefined) this.#inputs.set(id, args)
    for (const { functionResponse: { id, response } = {} } of type === 'user' ? content : []) {
      if (id === undefined) continue
      const known = this.#answers.get(id) ?? new Set()
      this.#answers.set(id, known.add(JSON.stringify(response)))
    }
  }
}

/** What is read at once. */
const maxBytes = 64 * 1024 * 1024

/** The file of a session is found by the first part of its id. Where two have it, one of them is not the agent's. */
async function findSession({ folder, sessionId }: SessionFileOptions): Promise<string | undefined> {
  try {
    const root = await realpath(folder)
    const end = `-${sessionId.slice(0, 8)}.jsonl`
    const found: string[] = []
    for (const project of await readdir(root)) {
      const chats = join(root, project, 'chats')
      for (const name of await readdir(chats).catch(() => [])) {
        const file = join(chats, name)
        if (!name.endsWith(end) || !(await lstat(file)).isFile()) continue
        if (isInside(await realpath(file), root)) found.push(file)
      }
    }
    return found.length === 1 ? found[0] : undefined
  } catch {
    return undefined // There is none yet.
  }
}

/** A request for permission tells the directory of a command, where the model gave one, in words alone. */
function inputIn({ content }: z.infer<typeof partSchema>): object {
  const words = content?.[0]?.content?.text ?? ''
  const [, cwd] = /^\[in ([^\]]+)\](?: [([]|$)/.exec(words) ?? []
  const isBackground = words.endsWith(' [background]')
  return { rawInput: { ...(cwd !== undefined && { cwd }), ...(isBackground && { is_background: true }) } }
}

const text = z.string().optional().catch(undefined)
const partSchema = z.looseObject({
  toolCallId: z.string(),
  kind: text,
  status: text,
  content: z
    .array(z.looseObject({ content: z.looseObject({ text }).optional().catch(undefined) }))
    .optional()
    .catch(undefined),
})
const fields = z.record(z.string(), z.unknown()).optional().catch(undefined)
const lineSchema = z.object({
  type: text,
  content: z
    .array(
      z.object({ functionResponse: z.object({ id: text, response: fields }).optional().catch(undefined) }).catch({}),
    )
    .catch([]),
  toolCalls: z.array(z.object({ id: text, args: fields }).catch({ id: undefined, args: undefined })).catch([]),
})

function readLine(line: string): z.infer<typeof lineSchema> {
  try {
    return lineSchema.parse(JSON.parse(line))
  } catch {
    return { type: undefined, content: [], toolCalls: [] } // Nobody else writes such a line, and it says nothing.
  }
}

function readAnswer(json: string, kind: string | undefined): object {
  const { output, error }: { readonly output?: unknown; readonly error?: unknown } = JSON.parse(json)
  if (typeof output !== 'string') return typeof error === 'string' ? { error } : {}
  return kind === 'execute' ? readShellAnswer(output) : { output: withoutFrame(output) }
}
