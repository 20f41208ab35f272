import { lstat } from 'node:fs/promises'
import type { JournalEntry } from '../../result-log/journal.ts'
import type { LogPaths } from '../../result-log/log-paths.ts'
import { listEvidence, type EvidenceFile } from '../../result-log/newest-logs.ts'
import { readJournal } from '../../result-log/read-journal.ts'
import { readResultLog } from '../../result-log/read-result-log.ts'
import type { LogProblem, ResultLog, StepResult } from '../../result-log/result-log.ts'

/** One step of a run: what is said of it, and what the agent did for it. */
export interface ShownStep {
  readonly id: string
  /** Absent for a step that only the journal knows. */
  readonly result?: Omit<StepResult, 'id'>
  readonly calls: readonly JournalEntry[]
}

/** All there is to show of one run of a spec. */
export interface ShownRun {
  /** Absolute path of the spec. */
  readonly spec: string
  /** Start of the run, ISO 8601 UTC. */
  readonly startedAt: string
  readonly log: Omit<ResultLog, 'steps'> | Omit<LogProblem, 'ok'>
  readonly steps: readonly ShownStep[]
  /** Tool calls that belong to no step. */
  readonly otherCalls: readonly JournalEntry[]
  /** What is to be known of the journal besides its entries. */
  readonly journalNotes: readonly string[]
  readonly evidence: readonly EvidenceFile[]
  /** What the agent wrote below the front matter. */
  readonly body: string
  /** Absolute paths of what is there. */
  readonly files: Readonly<Partial<Record<'log' | 'journal' | 'raw' | 'evidence', string>>>
}

/** Reads what a run left behind. Never throws: what is missing or bad is said in the result. */
export async function readRun(spec: string, paths: LogPaths): Promise<ShownRun> {
  const [reading, journal] = await Promise.all([readResultLog(paths.log), readJournal(paths.journal)])
  const entries = journal.ok ? journal.entries : []
  const { steps = [], ...log } = reading.ok ? reading.log : withoutOk(reading)
  const shown = shownSteps(steps, entries)
  return {
    spec,
    startedAt: startOf(paths.stem),
    log,
    steps: shown,
    otherCalls: entries.filter(({ step }) => step === null),
    journalNotes: journal.ok ? notesOn(journal) : [journal.message],
    evidence: await listEvidence(paths.evidence),
    body: reading.ok ? reading.body : '',
    files: await existing(paths),
  }
}

function withoutOk({ code, message }: LogProblem): Omit<LogProblem, 'ok'> & { readonly steps?: never } {
  return { code, message }
}

/** Steps in the order of the log, then those that only the journal knows. An id that is reported twice has its calls once. */
function shownSteps(results: readonly StepResult[], entries: readonly JournalEntry[]): readonly ShownStep[] {
  const callsOf = (id: string): readonly JournalEntry[] => entries.filter(({ step }) => step === id)
  const ids = results.map(({ id }) => id)
  const reported = results.map(({ id, ...result }, index) => ({
    id,
    result,
    calls: ids.indexOf(id) === index ? callsOf(id) : [],
  }))
  const others = [...new Set(entries.flatMap(({ step }) => (step === null || ids.includes(step) ? [] : [step])))]
  return [...reported, ...others.map((id) => ({ id, calls: callsOf(id) }))]
}

function notesOn({
  entries,
  unreadableLines,
}: {
  readonly entries: readonly JournalEntry[]
  readonly unreadableLines: number
}): readonly string[] {
  const isEmpty = entries.length === 0 && unreadableLines === 0
  const bad = `${unreadableLines} ${unreadableLines === 1 ? 'line' : 'lines'} of the journal cannot be read.`
  return [
    ...(isEmpty ? ['The journal is empty: no tool call of the agent was seen.'] : []),
    ...(unreadableLines > 0 ? [bad] : []),
  ]
}

/** `2026-02-10T14-30-00Z-2` → `2026-02-10T14:30:00Z` */
function startOf(stem: string): string {
  return stem.replace(/T(\d\d)-(\d\d)-(\d\d)Z.*$/, 'T$1:$2:$3Z')
}

async function existing({ log, journal, raw, evidence }: LogPaths): Promise<ShownRun['files']> {
  const candidates = Object.entries({ log, journal, raw, evidence })
  const found = await Promise.all(
    candidates.map(async ([name, path]) => ((await lstat(path).catch(() => undefined)) ? [[name, path]] : [])),
  )
  return Object.fromEntries(found.flat())
}
