import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MdtestError } from '../shared/mdtest-error.ts'
import { sessionStateSchema, type SessionState } from './session-state.ts'

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

/** Told at each point at which the process may be killed: before and after whatever lasts. The number is that of finished acts. */
export type OnPoint = (name: string) => void

export const sessionsDir = '.mdtest/sessions'

/** @param root absolute path of the project */
export function sessionFolder(root: string, id: string): string {
  return join(root, sessionsDir, id)
}

/** Opens the folder of a session, and makes it. */
export async function openSessionStore(folder: string, onPoint: OnPoint = () => undefined): Promise<SessionStore> {
  const open = (): void => {
    mkdirSync(join(folder, 'artifacts'), { recursive: true })
    keepOutOfGit(join(folder, '../..'))
  }
  open()
  const events = join(folder, 'events.jsonl')
  await endLastLine(events)
  /** An agent may remove or change what is ours: what we wrote ourselves is not asked of the disk. */
  const written = new Map<string, string>()
  const textOf = async (name: string): Promise<string> => {
    const text = written.get(name) ?? (await readFile(join(folder, name), 'utf8'))
    written.set(name, text)
    return text
  }
  return {
    folder,
    saveState(state) {
      const checked = sessionStateSchema.parse(state)
      open()
      const point = `${checked.history.length} save of ${checked.act?.kind ?? (checked.result === null ? 'a finished act' : 'the end')}`
      onPoint(`${point}: before`)
      replaceFile(join(folder, 'state.json'), `${JSON.stringify(checked, undefined, 2)}\n`)
      onPoint(`${point}: after`)
    },
    write(name, content) {
      const text = typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      replaceFile(join(folder, name), text)
      written.set(name, text)
    },
    read: async (name) => JSON.parse(await textOf(name)) as unknown, // by `write`
    text: textOf,
    async addEvent(event, now) {
      open()
      await appendFile(events, `${JSON.stringify({ timestamp: now.toISOString(), ...event })}\n`)
    },
  }
}

/**
 * @param folder absolute path of a session's folder
 * @throws MdtestError `OPTION_SESSION` when there is none, or none that this version can read
 */
export async function readSessionState(folder: string): Promise<SessionState> {
  const file = join(folder, 'state.json')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) throw noSession(`There is no session at \`${folder}\`.`)
  const parsed = sessionStateSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
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
  return lock(join(folder, 'lock'), { pid, what: `on the session in \`${folder}\``, hint: 'Wait for it, or end it.' })
}

/**
 * Keeps others from working on the files of a project, where no work tree keeps them apart.
 *
 * @param root absolute path
 * @throws MdtestError `OPTION_SESSION` while another process does
 */
export function lockFiles(root: string, pid: number): () => void {
  const hint = 'Wait for it, or give both as `--feature` of one command: each gets a work tree.'
  return lock(join(root, '.mdtest/lock'), { pid, what: `with \`mdtest fix\` in \`${root}\``, hint })
}

function lock(
  file: string,
  { pid, what, hint }: { readonly pid: number; readonly what: string; readonly hint: string },
): () => void {
  const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN
  if (other !== pid && isAlive(other)) {
    throw new MdtestError('OPTION_SESSION', `Process ${other} is working ${what}.`, {
      hint: `${hint} If it is no mdtest, remove \`${file}\`.`,
    })
  }
  replaceFile(file, String(pid))
  return () => rmSync(file, { force: true })
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error: unknown) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** By a temporary file of one name: what a crash left of it is replaced by the next one. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.tmp`
  const descriptor = openSync(temporary, 'w')
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
  syncFolder(dirname(file))
}

/** A rename lasts once its folder is on disk. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } catch {
    // A file system that cannot.
  } finally {
    closeSync(descriptor)
  }
}

/** A crash may have cut it. */
async function endLastLine(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '')
  if (text !== '' && !text.endsWith('\n')) await appendFile(file, '\n')
}

function keepOutOfGit(folder: string): void {
  const file = join(folder, '.gitignore')
  if (!existsSync(file)) replaceFile(file, '*\n')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The schema says what is wrong.
  }
}
