import { relative } from 'node:path'
import { formatSpent } from '../../shared/agent-usage.ts'
import { plainLine } from '../../shared/plain-text.ts'
import type { EvidenceFile } from '../../result-log/newest-logs.ts'
import { formatCall } from './format-call.ts'
import { formatStep } from './format-step.ts'
import { indent, indentText, paintStatus } from './layout.ts'
import type { Palette } from './palette.ts'
import type { ShownRun } from './read-run.ts'

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
    [...title(run, style), ...indent(verdict(run, palette))],
    ...run.steps.map((step) => indent(formatStep(step, { evidence: run.evidence, palette }))),
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

function title({ spec, startedAt, log }: ShownRun, { cwd, palette }: Style): readonly string[] {
  const { scenario, attempt } = 'code' in log ? {} : log
  const name = [relative(cwd, spec), ...(scenario === undefined ? [] : [scenario])].map(plainLine).join(' > ')
  const again = attempt !== undefined && attempt > 1 ? `, attempt ${attempt}` : ''
  return [`${palette.bold(name)} ${palette.dim(`${startedAt}${again}`)}`]
}

function verdict({ log }: ShownRun, palette: Palette): readonly string[] {
  if ('code' in log) return [`${palette.red(log.code)} ${plainLine(log.message)}`]
  const { status, outcome, reasons = [], usage } = log
  const line =
    outcome === undefined
      ? `${paintStatus(status, palette)} as the log says; the verdict was not written into it`
      : `outcome ${paintStatus(outcome, palette)}`
  const spent = usage && {
    inputTokens: usage['input-tokens'],
    outputTokens: usage['output-tokens'],
    ...(usage['cost-usd'] !== undefined && { costUsd: usage['cost-usd'] }),
  }
  return [
    line,
    ...reasons.flatMap(({ code, message }) => reason(code, message, palette)),
    ...(spent ? [`used ${formatSpent(spent)}${usage.model === undefined ? '' : ` (${plainLine(usage.model)})`}`] : []),
  ]
}

/** Messages may hold a diff, so their lines are kept. */
function reason(code: string, message: string, palette: Palette): readonly string[] {
  const [first = '', ...rest] = indentText(message)
  return [`${palette.red(plainLine(code))} ${first.trimStart()}`, ...rest]
}

function otherCalls({ otherCalls: calls }: ShownRun, palette: Palette): readonly string[] {
  if (calls.length === 0) return []
  return [palette.bold('Outside of the steps'), ...indent(calls.flatMap((call) => formatCall(call, palette)))]
}

function body({ body: text }: ShownRun, palette: Palette): readonly string[] {
  return text.trim() === '' ? [] : [palette.bold('What the agent wrote'), ...indentText(text.trim())]
}

const fileTitles = { log: 'result log', journal: 'journal', raw: 'output', evidence: 'evidence' } as const // literal keys

function files({ files: paths, evidence }: ShownRun, { cwd, palette }: Style): readonly string[] {
  const lines = (['log', 'journal', 'raw', 'evidence'] as const).flatMap((name) => {
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
