import { listFiles, readFolderIfAny } from '../../system/files/list-files.ts'
import type { Ground } from '../../system/files/trusted-folder.ts'
import { lookAt, readFileIn } from '../../system/files/read-file.ts'
import { plural } from '../../system/text/wording.ts'
import { parseJournal, type JournalEntry } from '../journal/journal.ts'
import { readResultLog } from '../result-log/read-result-log.ts'
import type { LogProblem, ResultLog, StepResult } from '../result-log/result-log.ts'
import { readVerdict, type RecordedStep, type VerdictRecord } from '../verdict/verdict-record.ts'
import { describeFileProblem, groundOfLog, groundOfLogFolder } from './log-file.ts'
import { newestFirst, stemOf } from './log-names.ts'
import { logPathsOf, type LogPaths } from './log-paths.ts'

export interface ShownStep {
  readonly id: string
  readonly verdict?: Omit<RecordedStep, 'id'>
  readonly result?: Omit<StepResult, 'id'>
  readonly calls: readonly JournalEntry[]
}

export interface ShownRun {
  readonly spec: string
  readonly startedAt: string
  readonly verdict: Omit<VerdictRecord, 'steps'> | { readonly problem: string }
  readonly log: Omit<ResultLog, 'steps'> | Omit<LogProblem, 'ok'>
  readonly steps: readonly ShownStep[]
  readonly otherCalls: readonly JournalEntry[]
  readonly journalNotes: readonly string[]
  readonly evidence: FoundEvidence['files']
  readonly evidenceRefused?: string
  readonly body: string
  readonly files: Readonly<Partial<Record<'log' | 'verdict' | 'journal' | 'raw' | 'evidence', string>>>
}

/** Reads the files of a run. Never throws: the result describes missing and invalid files. */
export async function readRun(spec: string, paths: LogPaths): Promise<ShownRun> {
  const verdict = readVerdict(paths.verdict, paths.ground)
  const reading = await readResultLog(paths.log, paths)
  const { entries, notes: journalNotes } = readJournal(paths.journal, paths.ground)
  const evidence = listEvidence(paths.evidence, paths.ground)
  const { steps: judged = [], ...told } = verdict.ok ? verdict.record : { problem: verdict.message }
  const { steps = [], ...log } = reading.ok ? reading.log : { code: reading.code, message: reading.message }
  return {
    spec,
    startedAt: paths.stem.replace(/T(\d\d)-(\d\d)-(\d\d)Z.*$/, 'T$1:$2:$3Z'),
    verdict: told,
    log,
    steps: shownSteps(judged, steps, entries),
    otherCalls: entries.filter(({ step }) => step === null),
    journalNotes,
    evidence: evidence.files,
    ...(evidence.refused !== undefined && { evidenceRefused: evidence.refused }),
    body: reading.ok ? reading.body : '',
    files: existing(paths),
  }
}

/** Returns steps in this order: those of the verdict, others of the log, others of the journal. */
function shownSteps(
  verdicts: readonly RecordedStep[],
  results: readonly StepResult[],
  entries: readonly JournalEntry[],
): readonly ShownStep[] {
  const named = [...verdicts, ...results].map(({ id }) => id)
  const ids = new Set([...named, ...entries.flatMap(({ step }) => step ?? [])])
  return [...ids].flatMap((id) => {
    const verdict = verdicts.find((each) => each.id === id)
    // If the log reports an id twice, verdict and calls belong to the first of both entries.
    const [first, ...again] = results.filter((each) => each.id === id)
    const calls = entries.filter(({ step }) => step === id)
    const shown = {
      id,
      ...(verdict && { verdict: withoutId(verdict) }),
      ...(first && { result: withoutId(first) }),
      calls,
    }
    return [shown, ...again.map((result) => ({ id, result: withoutId(result), calls: [] }))]
  })
}

function withoutId<T extends { readonly id: string }>({ id: _id, ...rest }: T): Omit<T, 'id'> {
  return rest
}

function existing({ ground, log, verdict, journal, raw, evidence }: LogPaths): ShownRun['files'] {
  const candidates = Object.entries({ log, verdict, journal, raw, evidence })
  return Object.fromEntries(candidates.filter(([, path]) => lookAt(ground, path) !== undefined))
}

const maxJournalBytes = 256 * 1024 * 1024

export function readJournal(
  file: string,
  ground: Ground = groundOfLog(file),
): { readonly entries: readonly JournalEntry[]; readonly notes: readonly string[] } {
  const read = readFileIn(ground, file, maxJournalBytes)
  if (!read.ok) {
    const described = { what: 'journal', maxBytes: maxJournalBytes, missing: 'There is no journal.' }
    return { entries: [], notes: [describeFileProblem(read, described)] }
  }
  const { entries, unreadableLines } = parseJournal(read.bytes.toString('utf8'))
  const isEmpty = entries.length === 0 && unreadableLines === 0
  const notes = [
    ...(isEmpty ? ['The journal is empty: no tool call of the agent was seen.'] : []),
    ...(unreadableLines > 0 ? [`${plural(unreadableLines, 'line')} of the journal cannot be read.`] : []),
  ]
  return { entries, notes }
}

export function newestLogs(dir: string): LogPaths | undefined {
  const entries = readFolderIfAny(groundOfLogFolder(dir), dir)
  const [newest] = entries.flatMap((entry) => stemOf(entry) ?? []).toSorted(newestFirst)
  return newest === undefined ? undefined : logPathsOf(dir, newest)
}

export interface FoundEvidence {
  /** `bytes` is absent if the file has hard links or is no regular file. */
  readonly files: readonly { readonly name: string; readonly bytes?: number }[]
  readonly refused?: string
}

const maxFiles = 100_000

export function listEvidence(dir: string, ground: Ground = groundOfLog(dir)): FoundEvidence {
  const { files, refused } = listFiles(ground, dir, { maxFiles })
  const named = files.map(({ name, stats }) => ({
    name,
    ...(stats.isFile() && stats.nlink === 1 && { bytes: stats.size }),
  }))
  return {
    files: named.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    ...(refused !== undefined && { refused }),
  }
}
