import { join } from 'node:path'
import { agents } from '../../agents/registry.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import type { ShownRun, ShownStep } from '../../records/folders/read-run.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { createFindings, type PageTraffic } from './step-findings.ts'
import type { AgentRun, StepFindings } from './spec-record.ts'

const maxTrafficBytes = 20 * 1024 * 1024
const maxRawBytes = 256 * 1024 * 1024
const maxWordsCharacters = 20_000

/** A step of a run, with what the browser told while it was under way. */
export type ReadStep = Pick<ShownStep, 'id' | 'verdict' | 'result' | 'calls'> & { readonly findings?: StepFindings }

/** The steps of a run, with what the browser told while they were under way. */
export function withFindings({ steps, evidence }: ShownRun, paths: LogPaths): readonly ReadStep[] {
  const findingsOf = createFindings()
  return steps.map((step) => {
    const kept = evidence.find(({ name }) => isTrafficOf(name, step.id))
    if (kept === undefined) return step
    const findings = findingsOf(readTraffic(kept.name.replace(trafficEnd, ''), paths))
    return findings ? { ...step, findings } : step
  })
}

function readTraffic(stem: string, { evidence, ground }: LogPaths): PageTraffic {
  const read = (part: string): string | undefined => {
    const reading = readFileIn(ground, join(evidence, `${stem}.${part}.txt`), maxTrafficBytes)
    return reading.ok ? reading.bytes.toString('utf8') : undefined
  }
  const [console, network] = [read('console'), read('network')]
  return { ...(console !== undefined && { console }), ...(network !== undefined && { network }) }
}

const trafficEnd = /\.(?:console|network)\.txt$/

/** Whether a file holds console or network of a step: `01-1-pay.console.txt` that of `1-pay`. */
export function isTrafficOf(name: string, stepId: string): boolean {
  return trafficEnd.test(name) && name.replace(trafficEnd, '').replace(/^\d+-/, '') === stepId
}

/** Evidence without pictures that mdtest made while the browser had no page open yet: they show nothing. */
export function withoutBlankPages({ steps, verdict, evidence, otherCalls }: ShownRun): ShownRun['evidence'] {
  let isOpen = false
  const blank = new Set<string>()
  for (const { calls, verdict: judged } of steps) {
    isOpen ||= calls.some(opensPage)
    if (!isOpen) for (const name of judged?.images ?? []) blank.add(name)
  }
  isOpen ||= otherCalls.some(opensPage)
  if (!isOpen && 'images' in verdict) for (const name of verdict.images ?? []) blank.add(name)
  return evidence.filter(({ name }) => !blank.has(name))
}

/** Whether a call led to a page, or its answer shows one. */
function opensPage({ title, excerpt, denied }: JournalEntry): boolean {
  if (denied) return false
  return /^browser_navigate \{"url":"(?!about:blank")/.test(title) || /^- Page URL: (?!about:blank\s*$)/m.test(excerpt)
}

/** What the model of an agent said last, in the output of its program. */
export function lastWords({ raw, ground }: LogPaths, agent: string | undefined): Pick<AgentRun, 'lastWords'> {
  const reader = agents.find(({ name }) => name === agent)
  const read = reader && readFileIn(ground, raw, maxRawBytes)
  if (!read?.ok) return {}
  let words = ''
  for (const line of read.bytes.toString('utf8').split('\n')) {
    if (!line.startsWith(outputStart)) continue
    for (const event of reader?.readEvents(line.slice(outputStart.length)) ?? [])
      if (event.type === 'text') words = event.text
  }
  return words.trim() === '' ? {} : { lastWords: words.trim().slice(0, maxWordsCharacters) }
}

const outputStart = 'out| '
