import { posix } from 'node:path'
import type { EvidenceFile, ShownStep } from '../../records/folders/read-run.ts'
import type { CheckResult, StepResult } from '../../records/result-log/result-log.ts'
import type { RecordedReason } from '../../records/recorded-reason.ts'
import type { RecordedStep } from '../../records/verdict/verdict-record.ts'
import type { Assurance } from '../../records/outcome.ts'
import { describeMisfit, sourceWord, type StepSource } from '../../records/step-source.ts'
import { executorWord } from '../../records/used-executor.ts'
import { plainLine, cutLine, plainText } from '../../system/text/plain-text.ts'
import { indent, indentText, paintStatus, type Palette } from '../common/styled-text.ts'
import type { JournalEntry } from '../../records/journal/journal.ts'

/** What a step is shown with. */
export interface StepContext {
  /** What is in the folder for evidence. */
  readonly evidence: readonly EvidenceFile[]
  /** How often the scenario was run up to then; absent where that is once. */
  readonly runs: number | undefined
  readonly palette: Palette
  /** Why a recording did not fit, as it was told with the step before; all of a scenario is handed over at once. */
  readonly misfitBefore?: RecordedReason | undefined
}

/** A step: the verdict on it, what the log says, what it cites, and the tool calls made for it. */
export function formatStep({ id, verdict, result, calls }: ShownStep, context: StepContext): readonly string[] {
  const { palette } = context
  return [
    `${palette.bold(plainLine(id))} ${[...judged(verdict, palette), ...carriedOut(verdict, palette), ...rated(verdict, context), ...reported(result, verdict, palette)].join(', ')}`,
    ...indent([
      ...recording(verdict?.source, context),
      ...(verdict?.reasons ?? []).flatMap((reason) => formatReason(reason, palette)),
      ...(verdict?.expected ?? []).flatMap((reason) => [
        palette.dim('what failed:'),
        ...indent(formatReason(reason, palette)),
      ]),
      ...(result ? told(result, context) : []),
      ...(result?.checks ?? []).flatMap((check, index) => formatCheck(check, index, context)),
      ...calls.flatMap((call) => formatCall(call, palette)),
    ]),
  ]
}

function judged(verdict: ShownStep['verdict'], palette: Palette): readonly string[] {
  if (verdict === undefined) return []
  const { outcome, assurance, expected, change, durationMs } = verdict
  const name = change === undefined ? '' : ` (change ${plainLine(change)})`
  const isEarly = outcome === 'pass' && expected === undefined && change !== undefined
  const seconds = palette.dim(`in ${(durationMs / 1000).toFixed(1)} s`)
  return [
    [
      expected ? palette.bold(`failed as expected${name}`) : paintStatus(outcome, palette),
      ...(assurance ? [paintAssurance(assurance, palette)] : []),
      ...(isEarly ? [`early${name}`] : []),
      ...(durationMs > 0 ? [seconds] : []),
    ].join(' '),
  ]
}

/** A pass that nothing backs is no green like others. */
function paintAssurance(assurance: Assurance, { bold, yellow }: Palette): string {
  return assurance === 'claimed' ? bold(yellow('? claimed')) : assurance
}

function carriedOut(verdict: ShownStep['verdict'], { yellow }: Palette): readonly string[] {
  const { source, executor } = verdict ?? {}
  return [
    ...(source ? [source.kind === 'handed-over' ? yellow(plainLine(sourceWord(source))) : source.kind] : []),
    ...(executor ? [`executor ${plainLine(executorWord(executor))}`] : []),
  ]
}

/** Why a recording did not fit. */
function recording(source: StepSource | undefined, { misfitBefore }: StepContext): readonly string[] {
  const reason = source?.reason
  if (reason === undefined) return []
  const isTold = misfitBefore?.message === reason.message && misfitBefore.line === reason.line
  const misfit = `the recording did not fit: ${plainLine(describeMisfit(reason))}`
  return [misfit, ...(isTold ? [] : indentText(reason.message))]
}

function rated(verdict: ShownStep['verdict'], { runs }: StepContext): readonly string[] {
  const passed = verdict?.passedRuns
  return passed === undefined || runs === undefined ? [] : [`passed in ${passed} of ${runs} runs`]
}

/** The agent may have said something else than was found, or nothing: it may not have been asked for this step. */
function reported(result: ShownStep['result'], verdict: ShownStep['verdict'], palette: Palette): readonly string[] {
  if (result) return [`reported ${paintStatus(result.status, palette)}`]
  return verdict ? [] : [palette.yellow('not reported')]
}

/** Messages may hold a diff, so their lines are kept. */
function formatReason({ code, message }: RecordedStep['reasons'][number], palette: Palette): readonly string[] {
  const [first = '', ...rest] = indentText(message)
  return [`${palette.red(plainLine(code))} ${first.trimStart()}`, ...rest]
}

function formatCheck(check: CheckResult, index: number, context: StepContext): readonly string[] {
  const { n, line } = check
  const name = n === undefined && line !== undefined ? `check at line ${line}` : `check ${n ?? index + 1}`
  return [`${name} ${paintStatus(check.status, context.palette)}`, ...indent(told(check, context))]
}

function told(
  { observed, evidence = [] }: Pick<StepResult, 'observed' | 'evidence'>,
  context: StepContext,
): readonly string[] {
  return [
    ...(observed === undefined ? [] : [`observed: ${plainLine(observed)}`]),
    ...evidence.map((cited) => `cites: ${formatCited(cited, context)}`),
  ]
}

function formatCited(cited: NonNullable<StepResult['evidence']>[number], { evidence, palette }: StepContext): string {
  if (typeof cited !== 'string') return `“${plainLine(cited.quote)}”`
  const isThere = evidence.some(({ name }) => name === posix.normalize(cited))
  return `${plainLine(cited)}${isThere ? '' : ` ${palette.yellow('(no such file)')}`}`
}

const maxExcerptLines = 3
const maxLineCharacters = 160

/** A tool call: time, kind, title and exit code, then the first lines of what it gave. */
export function formatCall(call: JournalEntry, palette: Palette): readonly string[] {
  const { at, kind, title, exitCode, denied, excerpt } = call
  const time = at.slice('2026-02-10T'.length, '2026-02-10T14:30:00'.length)
  const notes = [
    ...(denied ? [palette.yellow('refused')] : []),
    ...(exitCode === undefined ? [] : [exitCode === 0 ? palette.dim('exit 0') : palette.red(`exit ${exitCode}`)]),
  ]
  const head = `${palette.dim(`${time} ${kind}`)} ${cutLine(plainLine(title), maxLineCharacters)}`
  return [[head, ...notes].join('  '), ...excerptLines(excerpt).map((line) => palette.dim(`  | ${line}`))]
}

function excerptLines(excerpt: string): readonly string[] {
  const text = plainText(excerpt).trimEnd()
  if (text === '') return []
  const lines = text.split('\n')
  const shown = lines.slice(0, maxExcerptLines).map((line) => cutLine(line, maxLineCharacters))
  const left = lines.length - shown.length
  return left === 0 ? shown : [...shown, `… ${left} more ${left === 1 ? 'line' : 'lines'}`]
}
