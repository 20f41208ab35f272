import { basename, dirname, join } from 'node:path'
import { agents } from '../../agents/registry.ts'
import { sumUsage } from '../../records/tokens-and-cost.ts'
import { logPathsOf, type LogPaths } from '../../records/folders/log-paths.ts'
import { readRun, type ShownRun, type ShownStep } from '../../records/folders/read-run.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'
import { parseResultLog } from '../../records/result-log/parse-result-log.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import type { KeptFiles } from '../folder/kept-files.ts'
import type { AgentRun, EndedStep, KeptFile, KeptImage, ReportedCall, StepFindings } from './spec-record.ts'
import { createFindings } from './console-and-network.ts'

export interface ReadStep extends Pick<ShownStep, 'id' | 'verdict' | 'result'> {
  readonly calls: readonly ReportedCall[]
  readonly findings?: StepFindings
}

export interface ReadAgentRun {
  readonly run: AgentRun
  readonly steps: readonly ReadStep[]
}

interface AgentRunInput {
  readonly specFile: string
  readonly logFile: string
  readonly title: string
  readonly ordinal?: number
  readonly ended: readonly EndedStep[]
  readonly kept: KeptFiles
}

export async function readAgentRun(input: AgentRunInput): Promise<ReadAgentRun> {
  const { specFile, logFile, title, ordinal, ended, kept } = input
  const paths = logPathsOf(dirname(logFile), basename(logFile, '.log.md'))
  const shown = await readRun(specFile, paths)
  if (Object.keys(shown.files).length === 0) return fromText(input)
  const verdict = 'problem' in shown.verdict ? undefined : shown.verdict
  const narrative = shown.body.trim()
  const words = narrative === '' ? lastWords(paths, verdict?.agent) : ''
  const run: AgentRun = {
    scenario: verdict?.scenario ?? title,
    ...(ordinal !== undefined && { ordinal }),
    ...(verdict && { agent: verdict.agent, attempt: verdict.attempt }),
    startedAt: verdict?.startedAt ?? shown.startedAt,
    ...knownUsage(ended, verdict?.usage),
    narrative,
    ...(words !== '' && { lastWords: words }),
    otherCalls: shown.otherCalls.map(reportedCall),
    notes: notesOn(shown),
    ...keepFiles(shown, paths, kept),
  }
  return { run, steps: stepsOf(shown, paths) }
}

function reportedCall({ at, kind, title, exitCode, denied, excerpt }: JournalEntry): ReportedCall {
  return { at, kind, title, exitCode, denied, excerpt }
}

function notesOn({ verdict, journalNotes, evidence, evidenceRefused }: ShownRun): AgentRun['notes'] {
  const left = evidence.filter(({ bytes }) => bytes === undefined).map(({ name }) => name)
  return [
    ...('problem' in verdict ? [verdict.problem] : []),
    ...journalNotes,
    ...(evidenceRefused === undefined ? [] : [`Not copied: ${evidenceRefused}.`]),
    ...(left.length === 0 ? [] : [`Not copied, because they are links, or no files of their own: ${listed(left)}`]),
  ]
}

const maxNamed = 10

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function fromText({ title, ordinal, ended }: AgentRunInput): ReadAgentRun {
  const text = ended.find(({ logText }) => logText !== undefined)?.logText
  const reading = text === undefined ? undefined : parseResultLog(text)
  const log = reading?.ok ? reading.log : undefined
  const run: AgentRun = {
    scenario: log?.scenario ?? title,
    ...(ordinal !== undefined && { ordinal }),
    ...(log?.attempt !== undefined && { attempt: log.attempt }),
    ...knownUsage(ended, undefined),
    narrative: reading?.ok ? reading.body.trim() : '',
    notes: ['Journal, screenshots and output are on the machine of the run, and were not copied here.'],
    ...{ otherCalls: [], images: [], files: [] },
  }
  return { run, steps: (log?.steps ?? []).map(({ id, ...result }) => ({ id, result, calls: [] })) }
}

/** Prefers the usage that the tests report, because it includes all tries. The verdict knows only the last try. */
function knownUsage(ended: readonly EndedStep[], recorded: AgentRun['usage']): Pick<AgentRun, 'usage'> {
  const told = ended.flatMap(({ usage }) => usage ?? [])
  const usage = told.length > 0 ? sumUsage(told) : recorded
  return usage === undefined ? {} : { usage }
}

/** Browsers show these files as text, or download them. HTML is missing here, because a browser would render it. */
const textName = /\.(?:txt|log|md|jsonl?|csv|har)$/i

function keepFiles(shown: ShownRun, paths: LogPaths, kept: KeptFiles): Pick<AgentRun, 'images' | 'files'> {
  const { ground, log, journal, raw } = paths
  const blank = blankPages(shown)
  const evidence = shown.evidence
    .filter(({ name, bytes }) => bytes !== undefined && !blank.has(name))
    .map(({ name }) => ({ name, file: join(paths.evidence, name) }))
  const texts = [
    { name: 'result log', file: log },
    { name: 'journal', file: journal },
    { name: 'agent output', file: raw },
    ...evidence.filter(({ name }) => textName.test(name)),
  ]
  return {
    images: evidence.flatMap(({ name, file }): KeptImage[] => {
      const path = kept.keepImage({ file, ground })
      return path === undefined ? [] : [{ name, path }]
    }),
    files: texts.flatMap(({ name, file }): KeptFile[] => {
      const copy = kept.keepLog({ file, ground })
      return copy === undefined ? [] : [{ title: name, ...copy }]
    }),
  }
}

/** Names of screenshots that show nothing, because the browser had not opened a page yet. */
function blankPages({ steps, verdict, otherCalls }: ShownRun): ReadonlySet<string> {
  let isOpen = false
  const blank = new Set<string>()
  for (const { calls, verdict: judged } of steps) {
    isOpen ||= calls.some(opensPage)
    if (!isOpen) for (const name of judged?.images ?? []) blank.add(name)
  }
  isOpen ||= otherCalls.some(opensPage)
  if (!isOpen && 'images' in verdict) for (const name of verdict.images ?? []) blank.add(name)
  return blank
}

function opensPage({ title, excerpt, denied }: JournalEntry): boolean {
  if (denied) return false
  return /^browser_navigate \{"url":"(?!about:blank")/.test(title) || /^- Page URL: (?!about:blank\s*$)/m.test(excerpt)
}

const maxTrafficBytes = 20 * 1024 * 1024
const trafficEnd = /\.(?:console|network)\.txt$/

function stepsOf({ steps, evidence }: ShownRun, { evidence: folder, ground }: LogPaths): readonly ReadStep[] {
  const findingsOf = createFindings()
  return steps.map(({ calls, ...step }) => {
    const read = { ...step, calls: calls.map(reportedCall) }
    const traffic = evidence.find(({ name }) => isTrafficOf(name, step.id))
    if (traffic === undefined) return read
    const stem = join(folder, traffic.name.replace(trafficEnd, ''))
    const trafficText = (part: string): string => {
      const reading = readFileIn(ground, `${stem}.${part}.txt`, maxTrafficBytes)
      return reading.ok ? reading.bytes.toString('utf8') : ''
    }
    const findings = findingsOf({ console: trafficText('console'), network: trafficText('network') })
    return findings ? { ...read, findings } : read
  })
}

export function isTrafficOf(name: string, stepId: string): boolean {
  return trafficEnd.test(name) && name.replace(trafficEnd, '').replace(/^\d+-/, '') === stepId
}

const maxRawBytes = 256 * 1024 * 1024
const maxWordsCharacters = 20_000
const outputStart = 'out| '

function lastWords({ raw, ground }: LogPaths, agent: string | undefined): string {
  const reader = agents.find(({ name }) => name === agent)
  const read = reader && readFileIn(ground, raw, maxRawBytes)
  if (!read?.ok) return ''
  const lines = read.bytes.toString('utf8').split('\n')
  const words = lines
    .filter((line) => line.startsWith(outputStart))
    .flatMap((line) => reader?.readEvents(line.slice(outputStart.length)) ?? [])
    .flatMap((event) => (event.type === 'text' ? event.text : []))
  return (words.at(-1) ?? '').trim().slice(0, maxWordsCharacters)
}
