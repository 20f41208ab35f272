import { join } from 'node:path'
import { z } from 'zod'
import type { FinishedAct } from '../../commands/fix/session/history.ts'
import { implementerStatusSchema } from '../../commands/fix/session/attempts.ts'
import { testResultsSchema } from '../../commands/fix/session/test-results.ts'
import { groundOfSession } from '../../commands/fix/session/session-store.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import type { ReadResults } from './compare-tests.ts'
import type { SessionMaterial } from './tell-chapters.ts'

/** The files of a session. What is missing or broken is noted, and never thrown. */
export interface SessionFiles {
  readonly results: ReadResults
  text(name: string): string | undefined
  json<Schema extends z.ZodType>(name: string, schema: Schema): z.infer<Schema> | undefined
  /** What was asked of implementers and what they found, for so many attempts. */
  asked(attempts: number): SessionMaterial['asked']
  /** When acts ended. */
  times(history: readonly FinishedAct[]): SessionMaterial['times']
  /** Grows while files are read. */
  readonly notes: ReadonlySet<string>
}

const maxBytes = 64 * 1024 * 1024

const promptSchema = z.object({ prompt: z.string(), written_by: z.string() })
const statusSchema = z.object({ answer: implementerStatusSchema.partial().nullable() })
const eventSchema = z.object({ timestamp: z.iso.datetime(), agent: z.string(), action: z.string() })

/** @param folder absolute path of the session's folder */
export function openSessionFiles(folder: string): SessionFiles {
  const ground = groundOfSession(folder)
  const notes = new Set<string>()
  const text = (name: string): string | undefined => {
    const read = readFileIn(ground, join(folder, name), maxBytes)
    if (read.ok) return read.bytes.toString('utf8')
    notes.add(`${name}: ${read.why === 'missing' ? 'is not there' : 'cannot be read'}.`)
    return undefined
  }
  const json = <Schema extends z.ZodType>(name: string, schema: Schema): z.infer<Schema> | undefined => {
    const found = text(name)
    if (found === undefined) return undefined
    const parsed = schema.safeParse(parseJson(found))
    if (parsed.success) return parsed.data
    notes.add(`${name}: is not what this version of mdtest writes.`)
    return undefined
  }
  return {
    notes,
    text,
    json,
    results: remembered((file) => json(file, testResultsSchema)),
    asked(attempts) {
      const all = Array.from({ length: attempts }, (_, index) => index + 1)
      return new Map(all.map((attempt) => [attempt, readAttempt(`artifacts/attempts/${attempt}`, json)]))
    },
    times: (history) => timesOf(history, text('events.jsonl') ?? ''),
  }
}

function readAttempt(
  folder: string,
  json: SessionFiles['json'],
): NonNullable<ReturnType<SessionMaterial['asked']['get']>> {
  const prompt = json(`${folder}/implementer_prompt.json`, promptSchema)
  const rootCause = json(`${folder}/implementer_status.json`, statusSchema)?.answer?.root_cause
  return {
    ...(prompt && { prompt: { text: prompt.prompt, writtenBy: prompt.written_by } }),
    ...(rootCause !== undefined && { rootCause }),
  }
}

/** Nothing where a crash has lost an event: a wrong time would be worse. */
function timesOf(history: readonly FinishedAct[], text: string): SessionMaterial['times'] {
  const events = text.split('\n').flatMap((line) => eventSchema.safeParse(parseJson(line)).data ?? [])
  const ended = events.filter(({ agent, action }) => agent === 'orchestrator' && !action.startsWith('stop '))
  // Going on is no act of the orchestrator.
  const acts = history.filter(({ kind }) => kind !== 'resumed')
  if (ended.length !== acts.length || acts.some(({ kind }, index) => kind !== ended[index]?.action)) return []
  const times = ended.values()
  return history.map(({ kind }) => (kind === 'resumed' ? undefined : times.next().value?.timestamp))
}

function remembered<T>(read: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    if (!known.has(name)) known.set(name, read(name))
    return known.get(name) as T // it was set
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // No schema takes it.
  }
}
