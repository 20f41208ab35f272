import { dirname, join } from 'node:path'
import { groundAt, type Ground } from '../../../system/files/ground.ts'
import { lookAt, readFileIn } from '../../../system/files/read-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { fromStored, sessionStateSchema, toStored, type SessionState } from './session-state.ts'
import { errorCode, messageOf } from '../../../system/error-facts.ts'
import { removeIn, appendFile, makeFolder, replaceFile } from '../../../system/files/write-file.ts'

/** One line of `events.jsonl`. */
export interface SessionEvent {
  /** A role, or `orchestrator`. */
  readonly agent: string
  readonly action: string
  readonly cost_usd: number | null
  readonly message?: string
}

/** What a session is on disk: `.mdtest/sessions/<id>/`. */
export interface SessionStore {
  /** Absolute path of its folder. */
  readonly folder: string
  /** Below it no link is followed. */
  readonly ground: Ground
  /** Removes a file of the session, if it is there. */
  remove(name: string): void
  /** Whole or not at all, also when the power fails. */
  saveState(state: SessionState): void
  /** Writes a file of the session, whole or not at all. `name` is relative to the folder. */
  write(name: string, content: string | object): void
  /** An object that `write` wrote. */
  read(name: string): Promise<unknown>
  /** The text of a file, as it was when this process wrote it or first asked for it. */
  text(name: string): Promise<string>
  addEvent(event: SessionEvent, now: Date): Promise<void>
}

/** Called at each point where a kill matters: before and after each write. The number is that of finished acts. */
export type OnPoint = (name: string) => void

export const sessionsDir = '.mdtest/sessions'

/** @param root absolute path of the project */
export function sessionFolder(root: string, id: string): string {
  return join(root, sessionsDir, id)
}

/** The project of a session (absolute path of its folder): below it no link is followed. */
function groundOfSession(folder: string): Ground {
  return groundAt(join(folder, '../../..'))
}

/**
 * Opens the folder of a session, and makes it.
 *
 * @throws MdtestError `OPTION_SESSION` where an agent or a link keeps it from being written
 */
export async function openSessionStore(folder: string, onPoint: OnPoint = () => undefined): Promise<SessionStore> {
  const ground = groundOfSession(folder)
  const events = join(folder, 'events.jsonl')
  const open = (): void => {
    makeFolder(ground, join(folder, 'artifacts'))
    keepOutOfGit(ground, join(folder, '../..'))
  }
  const act = actionsIn(folder)
  act(() => {
    open()
    endLastLine(ground, events)
  })
  /** An agent may remove or change what is ours: what we wrote ourselves is not asked of the disk. */
  const written = new Map<string, string>()
  const textOf = async (name: string): Promise<string> => {
    const text = written.get(name) ?? readText(ground, join(folder, name))
    written.set(name, text)
    return text
  }
  return {
    folder,
    ground,
    remove: (name) => removeIn(ground, join(folder, name)),
    saveState(state) {
      const checked = toStored(state)
      act(open)
      const point = `${checked.history.length} save of ${checked.act?.kind ?? (checked.result === null ? 'a finished act' : 'the end')}`
      onPoint(`${point}: before`)
      act(() => replaceDurably(ground, join(folder, 'state.json'), `${JSON.stringify(checked, undefined, 2)}\n`))
      onPoint(`${point}: after`)
    },
    write(name, content) {
      const text = typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`
      act(() => {
        makeFolder(ground, dirname(join(folder, name)))
        replaceDurably(ground, join(folder, name), text)
      })
      written.set(name, text)
    },
    read: async (name) => JSON.parse(await textOf(name)) as unknown, // by `write`
    text: textOf,
    async addEvent(event, now) {
      act(() => {
        open()
        appendFile(ground, events, `${JSON.stringify({ timestamp: now.toISOString(), ...event })}\n`)
      })
    },
  }
}

/**
 * @param folder absolute path of a session's folder
 * @throws MdtestError `OPTION_SESSION` when there is none, or none that this version can read
 */
export async function readSessionState(folder: string): Promise<SessionState> {
  const file = join(folder, 'state.json')
  const read = readFileIn(groundOfSession(folder), file, maxBytes)
  if (!read.ok && read.why === 'refused') throw noSession(`\`${file}\` is not read: ${read.message}.`)
  if (!read.ok) throw noSession(`There is no session at \`${folder}\`.`)
  const text = read.bytes.toString('utf8')
  const parsed = sessionStateSchema.safeParse(parseJson(text))
  if (parsed.success) return fromStored(parsed.data)
  const [issue] = parsed.error.issues
  throw noSession(`\`${file}\` is no state of a session (${issue?.path.join('.')}: ${issue?.message}).`)
}

function noSession(message: string): MdtestError {
  return new MdtestError('OPTION_SESSION', message, { hint: '`mdtest sessions` lists those that are there.' })
}

/**
 * Keeps others from working on a session until the process ends or `release` is called.
 *
 * @throws MdtestError `OPTION_SESSION` while another process does
 */
export function lockSession(folder: string, pid: number): () => void {
  return lock(groundOfSession(folder), {
    file: join(folder, 'lock'),
    pid,
    what: `on the session in \`${folder}\``,
    hint: 'Wait for it, or end it.',
  })
}

/**
 * Keeps others from working on the files of a project, where no work tree keeps them apart.
 *
 * @param root absolute path
 * @throws MdtestError `OPTION_SESSION` while another process does
 */
export function lockFiles(root: string, pid: number): () => void {
  const hint = 'Wait for it, or give both as `--feature` of one command: each gets a work tree.'
  return lock(groundAt(root), {
    file: join(root, '.mdtest/lock'),
    pid,
    what: `with \`mdtest fix\` in \`${root}\``,
    hint,
  })
}

interface Lock {
  readonly file: string
  readonly pid: number
  readonly what: string
  readonly hint: string
}

function lock(ground: Ground, { file, pid, what, hint }: Lock): () => void {
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

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error: unknown) {
    return errorCode(error) === 'EPERM'
  }
}

/** More than any file of a session holds. */
const maxBytes = 1024 * 1024 * 1024

function replaceDurably(ground: Ground, file: string, content: string): void {
  replaceFile(ground, file, { content, isDurable: true, hasOneWriter: true })
}

function readText(ground: Ground, file: string): string {
  const read = readFileIn(ground, file, maxBytes)
  if (read.ok) return read.bytes.toString('utf8')
  throw noSession(`\`${file}\` cannot be read (${read.why}).`)
}

/** A crash may have cut it. */
function endLastLine(ground: Ground, file: string): void {
  const read = readFileIn(ground, file, maxBytes)
  if (read.ok && read.bytes.length > 0 && read.bytes.at(-1) !== lineFeed) appendFile(ground, file, '\n')
}

const lineFeed = 0x0a

function keepOutOfGit(ground: Ground, folder: string): void {
  const file = join(folder, '.gitignore')
  if (lookAt(ground, file) === undefined) replaceDurably(ground, file, '*\n')
}

/** An agent may have put a link or a file where a folder of the session was: nothing is written past it. */
function actionsIn(folder: string): (action: () => void) => void {
  return (action) => {
    try {
      action()
    } catch (error: unknown) {
      const why = messageOf(error)
      throw new MdtestError('OPTION_SESSION', `The session in \`${folder}\` cannot be written (${why}).`, {
        hint: 'Make it a folder that can be written.',
        cause: error,
      })
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The schema says what is wrong.
  }
}
