import { relative } from 'node:path'
import { formatSpent } from '../../records/agent-usage.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import type { EvidenceFile, ShownRun } from '../../records/folders/read-run.ts'
import type { VerdictRecord } from '../../records/verdict/verdict-record.ts'
import { formatCall, formatStep } from './format-step.ts'
import { indent, indentText, paintStatus, type Palette } from '../common/styled-text.ts'

/** How a run is printed. */
export interface Style {
  /** Absolute path that files are named relative to. */
  readonly cwd: string
  readonly palette: Palette
}

/** One run as text, for people. Nothing that an agent wrote or printed reaches the terminal as anything but text. */
export function formatRun(run: ShownRun, style: Style): string {
  const { palette } = style
  const sections = [
    [...title(run, style), ...indent(outcome(run, palette))],
    ...run.steps.map((step, index) => {
      const before = run.steps[index - 1]?.verdict?.source?.reason
      return indent(formatStep(step, { evidence: run.evidence, palette, runs: runsOf(run), misfitBefore: before }))
    }),
    indent(otherCalls(run, palette)),
    indent(run.journalNotes.map(palette.yellow)),
    indent(body(run, palette)),
    indent(files(run, style)),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

function runsOf({ verdict }: ShownRun): number | undefined {
  return 'repeat' in verdict ? verdict.repeat?.run : undefined
}

function title({ spec, startedAt, verdict, log }: ShownRun, { cwd, palette }: Style): readonly string[] {
  const named = 'problem' in verdict ? log : verdict
  const { scenario, attempt } = 'scenario' in named ? named : {}
  const name = [relative(cwd, spec), ...(scenario === undefined ? [] : [scenario])].map(plainLine).join(' > ')
  const again = attempt !== undefined && attempt > 1 ? `, attempt ${attempt}` : ''
  return [`${palette.bold(name)} ${palette.dim(`${startedAt}${again}`)}`]
}

/** Reasons stand at their steps. What the log says is no verdict: anybody can write it. */
function outcome({ verdict, log, steps }: ShownRun, palette: Palette): readonly string[] {
  if ('problem' in verdict) {
    const said =
      'code' in log
        ? `${palette.red(log.code)} ${plainLine(log.message)}`
        : `The log says ${paintStatus(log.status, palette)}.`
    return [palette.yellow(verdict.problem), said]
  }
  const { repeat } = verdict
  const run = repeat ? `, run ${repeat.run} of ${repeat.of}, ${repeat.required} required` : ''
  const { outcome: word } = verdict
  // Nothing passed.
  const isExpected = word === 'pass' && steps.every((step) => step.verdict?.expected !== undefined)
  const painted = isExpected ? palette.bold('failed as expected') : paintStatus(word, palette)
  return [`outcome ${painted}${run}`, ...used(verdict)]
}

function used({ usage }: Pick<VerdictRecord, 'usage'>): readonly string[] {
  if (usage === undefined) return []
  const spent = formatSpent(usage)
  return [
    `${spent === 'usage unknown' ? '' : 'used '}${spent}${usage.model === undefined ? '' : ` (${plainLine(usage.model)})`}`,
  ]
}

function otherCalls({ otherCalls: calls }: ShownRun, palette: Palette): readonly string[] {
  if (calls.length === 0) return []
  return [palette.bold('Outside of the steps'), ...indent(calls.flatMap((call) => formatCall(call, palette)))]
}

function body({ body: text }: ShownRun, palette: Palette): readonly string[] {
  return text.trim() === '' ? [] : [palette.bold('What the agent wrote'), ...indentText(text.trim())]
}

const fileTitles = {
  log: 'result log',
  verdict: 'verdict',
  journal: 'journal',
  raw: 'output',
  evidence: 'evidence',
} as const // literal keys

function files({ files: paths, evidence }: ShownRun, { cwd, palette }: Style): readonly string[] {
  const lines = (['log', 'verdict', 'journal', 'raw', 'evidence'] as const).flatMap((name) => {
    // literals, for the keys
    const path = paths[name]
    return path === undefined ? [] : [`${fileTitles[name].padEnd(10)}  ${plainLine(relative(cwd, path))}`]
  })
  if (lines.length === 0) return []
  return [palette.bold('Files'), ...indent([...lines, ...indent(evidence.map(evidenceLine))])]
}

function evidenceLine({ name, bytes }: EvidenceFile): string {
  return `${plainLine(name)}${bytes === undefined ? '' : ` (${bytes} bytes)`}`
}
