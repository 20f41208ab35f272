import { parseJson } from '../../../system/text/parse-json.ts'
import { dirname, join } from 'node:path'
import { messageOf } from '../../../system/error-facts.ts'
import { groundAt, type Ground } from '../../../system/files/trusted-folder.ts'
import { readFileIn } from '../../../system/files/read-file.ts'
import { removeIn } from '../../../system/files/remove-files.ts'
import { appendFile, createFile, makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { isAlive } from '../../../system/process/trees/kill-trees.ts'
import { sessionStateSchema, type SessionState } from './session-state.ts'

export interface SessionEvent {
  readonly agent: string
  readonly action: string
  readonly cost_usd: number | null
  readonly message?: string
}

export const sessionsDir = '.mdtest/sessions'

export function sessionFolder(root: string, id: string): string {
  return join(root, sessionsDir, id)
}

/** The ground is the project folder: links in `.mdtest` are not followed. */
function groundOfSession(folder: string): Ground {
  return groundAt(join(folder, '../../..'))
}

/** Files of a session in `.mdtest/sessions/<id>/`. Links are not followed, because an agent can make them. */
export class SessionStore {
  readonly folder: string
  readonly ground: Ground
  /** Texts that this process wrote or read, by file name. Each file is read only once: agents may change it. */
  readonly #written = new Map<string, string>()

  constructor(folder: string) {
    this.folder = folder
    this.ground = groundOfSession(folder)
    this.#act(() => this.#endLastEvent())
  }

  saveState(state: SessionState): void {
    const text = `${JSON.stringify(sessionStateSchema.parse(state), undefined, 2)}\n`
    this.#act(() => replaceDurably(this.ground, join(this.folder, 'state.json'), text))
  }

  write(name: string, content: string | object): void {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`
    const file = join(this.folder, name)
    this.#act(() => {
      makeFolder(this.ground, dirname(file))
      replaceDurably(this.ground, file, text)
    })
    this.#written.set(name, text)
  }

  remove(name: string): void {
    removeIn(this.ground, join(this.folder, name))
  }

  read(name: string): unknown {
    return JSON.parse(this.text(name))
  }

  /** The text that this process wrote or, if it wrote none, first read from the file. */
  text(name: string): string {
    const text = this.#written.get(name) ?? this.#readText(join(this.folder, name))
    this.#written.set(name, text)
    return text
  }

  addEvent(event: SessionEvent, now: Date): void {
    const line = JSON.stringify({ timestamp: now.toISOString(), ...event })
    this.#act(() => appendFile(this.ground, this.#events, `${line}\n`))
  }

  get #events(): string {
    return join(this.folder, 'events.jsonl')
  }

  #readText(file: string): string {
    const read = readFileIn(this.ground, file, maxBytes)
    if (read.ok) return read.bytes.toString('utf8')
    throw noSession(`\`${file}\` cannot be read (${read.why}).`)
  }

  /** After a crash, the last line may be incomplete. Adds its line end. */
  #endLastEvent(): void {
    const read = readFileIn(this.ground, this.#events, maxBytes)
    if (read.ok && read.bytes.length > 0 && !read.bytes.toString('latin1').endsWith('\n'))
      appendFile(this.ground, this.#events, '\n')
  }

  #act(action: () => void): void {
    try {
      makeFolder(this.ground, join(this.folder, 'artifacts'))
      createFile(this.ground, join(this.folder, '../../.gitignore'), '*\n')
      action()
    } catch (error: unknown) {
      const message = `The session in \`${this.folder}\` cannot be written (${messageOf(error)}).`
      throw new MdtestError('OPTION_SESSION', message, { hint: 'Make it a folder that can be written.', cause: error })
    }
  }
}

export async function readSessionState(folder: string): Promise<SessionState> {
  const file = join(folder, 'state.json')
  const read = readFileIn(groundOfSession(folder), file, maxBytes)
  if (!read.ok && read.why === 'refused') throw noSession(`\`${file}\` is not read: ${read.message}.`)
  if (!read.ok) throw noSession(`There is no session at \`${folder}\`.`)
  const parsed = sessionStateSchema.safeParse(parseJson(read.bytes.toString('utf8')))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw noSession(`\`${file}\` is no state of a session (${issue?.path.join('.')}: ${issue?.message}).`)
}

function noSession(message: string): MdtestError {
  return new MdtestError('OPTION_SESSION', message, { hint: '`mdtest sessions` lists those that are there.' })
}

/** @returns a function that removes the lock. @throws MdtestError `OPTION_SESSION` if another process has the lock */
export function lockSession(folder: string, pid: number): () => void {
  const what = `on the session in \`${folder}\``
  return lock(groundOfSession(folder), { file: join(folder, 'lock'), pid, what, hint: 'Wait for it, or end it.' })
}

/** Locks a project for one session at a time. Sessions in their own work trees need no lock. */
export function lockFiles(root: string, pid: number): () => void {
  const hint = 'Wait for it, or give both as `--feature` of one command: each gets a work tree.'
  const what = `with \`mdtest fix\` in \`${root}\``
  return lock(groundAt(root), { file: join(root, '.mdtest/lock'), pid, what, hint })
}

function lock(
  ground: Ground,
  { file, pid, what, hint }: Record<'file' | 'what' | 'hint', string> & { readonly pid: number },
): () => void {
  const read = readFileIn(ground, file, maxBytes)
  const other = read.ok ? Number(read.bytes.toString('utf8')) : Number.NaN
  if (other !== pid && isAlive(other)) {
    throw new MdtestError('OPTION_SESSION', `Process ${other} is working ${what}.`, {
      hint: `${hint} If it is no mdtest, remove \`${file}\`.`,
    })
  }
  replaceDurably(ground, file, String(pid))
  return () => removeIn(ground, file)
}

const maxBytes = 1024 * 1024 * 1024

function replaceDurably(ground: Ground, file: string, content: string): void {
  replaceFile(ground, file, { content, isDurable: true, hasOneWriter: true })
}
