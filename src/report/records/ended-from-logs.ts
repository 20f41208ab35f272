import { logPathsOf } from '../../records/folders/log-paths.ts'
import { groundOfLogFolder } from '../../records/result-log/log-ground.ts'
import { compareStems, parseLogEntry } from '../../records/folders/log-names.ts'
import { readVerdict } from '../../records/verdict/verdict-file.ts'
import { outcomeOfRuns } from '../../records/verdict/outcome-of-runs.ts'
import type { RecordedStep, VerdictRecord } from '../../records/verdict/verdict-record.ts'
import { readFolderIfAny } from '../../system/files/list-files.ts'
import { summarizeOutcomes } from '../../verdict/summarize-outcomes.ts'
import type { EndedSpec, EndedStep } from './ended-spec.ts'
import { placesIn } from '../render/place-steps.ts'

interface LogsInput extends Pick<EndedSpec, 'file' | 'root' | 'text' | 'parsed' | 'included' | 'baseUrl'> {
  /** Absolute path of the folder that holds the logs of the spec. */
  readonly logFolder: string
}

/** What the newest verdict on each scenario says; nothing where there is none. Scenarios without an agent leave none. */
export async function endedFromLogs({ logFolder, ...source }: LogsInput): Promise<EndedSpec | undefined> {
  const { verdicts, isNewestOpen } = await readNewest(logFolder)
  if (verdicts.length === 0) return undefined
  const titles = source.parsed?.scenarios.map(({ title }) => title) ?? []
  const ordered = verdicts.toSorted(
    (one, other) => titles.indexOf(one.record.scenario) - titles.indexOf(other.record.scenario),
  )
  const steps = ordered.flatMap((verdict) => stepsOf(verdict, source))
  const starts = verdicts.map(({ record }) => Date.parse(record.startedAt))
  const ends = verdicts.map(({ record }) => Date.parse(record.startedAt) + (record.usage?.durationMs ?? 0))
  return {
    ...source,
    startedAt: new Date(Math.min(...starts)).toISOString(),
    endedAt: new Date(Math.max(...ends)).toISOString(),
    durationMs: steps.reduce((sum, { durationMs }) => sum + durationMs, 0),
    outcome: summarizeOutcomes(steps.map(({ outcome }) => outcome)),
    problems: isNewestOpen
      ? [{ message: 'The newest run did not come to its end. What stands here is of one before.' }]
      : [],
    steps,
  }
}

interface FoundVerdict {
  readonly record: VerdictRecord
  /** Absolute path of the result log. */
  readonly log: string
}

async function readNewest(
  folder: string,
): Promise<{ readonly verdicts: readonly FoundVerdict[]; readonly isNewestOpen: boolean }> {
  const ground = groundOfLogFolder(folder)
  const entries = readFolderIfAny(ground, folder)
  const stems = entries.flatMap((entry) => parseLogEntry(entry)?.stem ?? []).toSorted(compareStems)
  const newest = new Map<string, FoundVerdict>()
  let isNewestOpen = false
  for (const [index, stem] of [...new Set(stems.map(({ text }) => text))].entries()) {
    const { verdict, log } = logPathsOf(folder, stem, ground)
    const reading = await readVerdict(verdict, ground)
    if (index === 0) isNewestOpen = !reading.ok
    if (reading.ok && !newest.has(reading.record.scenario))
      newest.set(reading.record.scenario, { record: reading.record, log })
  }
  return { verdicts: [...newest.values()], isNewestOpen }
}

function stepsOf({ record, log }: FoundVerdict, { parsed }: Pick<EndedSpec, 'parsed'>): readonly EndedStep[] {
  const places = parsed ? placesIn(parsed).filter(({ scenario }) => scenario.title === record.scenario) : []
  return record.steps.map((step, index) => {
    const place = places.find((one) => one.step.id === step.id)
    return {
      titles: place?.titles ?? [record.scenario, step.title],
      line: step.line,
      ...judged(step, record),
      ...(step.source && { source: step.source }),
      ...(step.executor && { executor: step.executor }),
      reasons: step.reasons,
      ...(step.expected && { expected: step.expected }),
      ...(step.change !== undefined && { change: step.change }),
      durationMs: step.durationMs,
      logFile: log,
      // It stands at one step, for the scenario as a whole.
      ...(index === 0 && record.usage && { usage: record.usage }),
    }
  })
}

function judged(step: RecordedStep, { repeat }: VerdictRecord): Pick<EndedStep, 'outcome' | 'assurance' | 'rate'> {
  const { assurance, passedRuns } = step
  const outcome = outcomeOfRuns(step, repeat)
  return {
    outcome,
    ...(outcome === 'pass' && assurance && { assurance }),
    ...(repeat &&
      passedRuns !== undefined && { rate: { passed: passedRuns, runs: repeat.run, required: repeat.required } }),
  }
}
