import { basename, dirname, join } from 'node:path'
import { logPathsOf, type LogPaths } from '../../records/folders/log-paths.ts'
import { parseResultLog } from '../../records/result-log/parse-result-log.ts'
import { readRun, type ShownRun } from '../../records/folders/read-run.ts'
import { sumUsage } from '../../records/agent-usage.ts'
import type { EndedStep } from './ended-spec.ts'
import type { KeptFiles } from '../folder/kept-files.ts'
import { lastWords, withFindings, withoutBlankPages, type ReadStep } from './read-browser-run.ts'
import type { AgentRun } from './spec-record.ts'

/** What an agent did for a scenario, and of each step what it said and did. */
export interface ReadAgentRun {
  readonly run: AgentRun
  readonly steps: readonly ReadStep[]
}

interface AgentRunInput {
  readonly specFile: string
  readonly logFile: string
  /** Title of the scenario, where the run does not say. */
  readonly title: string
  /** Which scenario of the spec it is, counted from 1; absent where the spec is another one now. */
  readonly ordinal?: number
  /** The steps that name this log. */
  readonly ended: readonly EndedStep[]
  readonly kept: KeptFiles
}

/** Reads a run from its files or, where they are on another machine, from what its tests carry of the log. */
export async function readAgentRun(input: AgentRunInput): Promise<ReadAgentRun> {
  const { specFile, logFile, title, ordinal, ended, kept } = input
  const paths = logPathsOf(dirname(logFile), basename(logFile, '.log.md'))
  const shown = await readRun(specFile, paths)
  if (Object.keys(shown.files).length === 0) return fromText(input)
  const verdict = 'problem' in shown.verdict ? undefined : shown.verdict
  const run: AgentRun = {
    scenario: verdict?.scenario ?? title,
    ...(ordinal !== undefined && { ordinal }),
    ...(verdict && { agent: verdict.agent, attempt: verdict.attempt }),
    startedAt: verdict?.startedAt ?? shown.startedAt,
    ...usedIn(ended, verdict?.usage),
    narrative: shown.body.trim(),
    ...(shown.body.trim() === '' && lastWords(paths, verdict?.agent)),
    otherCalls: [...shown.otherCalls],
    notes: notesOn(shown),
    images: keepImages({ ...shown, evidence: withoutBlankPages(shown) }, { paths, kept }),
    files: [...keepLogs(paths, kept), ...keepTexts(shown, { paths, kept })],
  }
  return { run, steps: withFindings(shown, paths) }
}

function notesOn({ verdict, journalNotes, evidence, evidenceRefused }: ShownRun): AgentRun['notes'] {
  const left = evidence.filter(({ bytes }) => bytes === undefined).map(({ name }) => name)
  const notes = [
    ...journalNotes,
    ...(evidenceRefused === undefined ? [] : [`Not copied: ${evidenceRefused}.`]),
    ...(left.length === 0 ? [] : [`Not copied, because they are links, or no files of their own: ${listed(left)}`]),
  ]
  if ('problem' in verdict) return [verdict.problem, ...notes]
  return notes
}

const maxNamed = 10

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const elsewhere = 'Journal, screenshots and output are on the machine of the run, and were not copied here.'

function fromText({ title, ordinal, ended }: AgentRunInput): ReadAgentRun {
  const text = ended.find(({ logText }) => logText !== undefined)?.logText
  const reading = text === undefined ? undefined : parseResultLog(text)
  const log = reading?.ok ? reading.log : undefined
  const run: AgentRun = {
    scenario: log?.scenario ?? title,
    ...(ordinal !== undefined && { ordinal }),
    ...(log?.attempt !== undefined && { attempt: log.attempt }),
    ...usedIn(ended, undefined),
    narrative: reading?.ok ? reading.body.trim() : '',
    otherCalls: [],
    notes: [elsewhere],
    images: [],
    files: [],
  }
  return { run, steps: (log?.steps ?? []).map(({ id, ...result }) => ({ id, result, calls: [] })) }
}

/** The tests know of tries that the last verdict does not. */
function usedIn(ended: readonly EndedStep[], recorded: AgentRun['usage']): Pick<AgentRun, 'usage'> {
  const told = ended.flatMap(({ usage }) => usage ?? [])
  const usage = told.length > 0 ? sumUsage(told) : recorded
  return usage === undefined ? {} : { usage }
}

interface KeepContext {
  readonly paths: LogPaths
  readonly kept: KeptFiles
}

function keepImages({ evidence }: ShownRun, { paths, kept }: KeepContext): AgentRun['images'] {
  const { ground } = paths
  const images = evidence
    .filter(({ bytes }) => bytes !== undefined)
    .map(({ name }) => ({ name, path: kept.keepImage({ file: join(paths.evidence, name), ground }) }))
  return images.flatMap(({ name, path }) => (path === undefined ? [] : [{ name, path }]))
}

/** What a browser shows as text, or nothing but saves. */
const textName = /\.(?:txt|log|md|jsonl?|csv|har)$/i

function keepTexts({ evidence }: ShownRun, { paths, kept }: KeepContext): AgentRun['files'] {
  const { ground } = paths
  const texts = evidence
    .filter(({ name, bytes }) => bytes !== undefined && textName.test(name))
    .map(({ name }) => ({ title: name, copy: kept.keepLog({ file: join(paths.evidence, name), ground }) }))
  return texts.flatMap(copied)
}

function keepLogs({ ground, log, raw, journal }: LogPaths, kept: KeptFiles): AgentRun['files'] {
  const candidates = [
    ['result log', log],
    ['journal', journal],
    ['agent output', raw],
  ] as const // pairs, not lists
  return candidates.map(([title, file]) => ({ title, copy: kept.keepLog({ file, ground }) })).flatMap(copied)
}

interface Copy {
  readonly title: string
  readonly copy: ReturnType<KeptFiles['keepLog']>
}

function copied({ title, copy }: Copy): AgentRun['files'] {
  return copy === undefined ? [] : [{ title, ...copy }]
}
