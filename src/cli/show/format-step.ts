import { posix } from 'node:path'
import type { EvidenceFile } from '../../result-log/newest-logs.ts'
import type { CheckResult, StepResult } from '../../result-log/result-log.ts'
import { plainLine } from '../../shared/plain-text.ts'
import { formatCall } from './format-call.ts'
import { indent, paintStatus } from './layout.ts'
import type { Palette } from './palette.ts'
import type { ShownStep } from './read-run.ts'

/** What a step is shown with. */
export interface StepContext {
  /** What is in the folder for evidence. */
  readonly evidence: readonly EvidenceFile[]
  readonly palette: Palette
}

/** A step: what the log says of it, what it cites, and the tool calls made for it. */
export function formatStep({ id, result, calls }: ShownStep, context: StepContext): readonly string[] {
  const { palette } = context
  const status = result === undefined ? palette.yellow('not in the log') : paintStatus(result.status, palette)
  return [
    `${palette.bold(plainLine(id))} ${status}`,
    ...indent([
      ...(result ? told(result, context) : []),
      ...(result?.checks ?? []).flatMap((check, index) => formatCheck(check, index, context)),
      ...calls.flatMap((call) => formatCall(call, palette)),
    ]),
  ]
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
