import { redactTexts, type Redact } from '../../system/redaction/redact-texts.ts'
import { formatResultLog, type ResultLogContent } from '../../records/result-log/format-result-log.ts'
import type { ResultLog, StepReport } from '../../records/result-log/result-log.ts'
import { leastExecutor } from '../../records/used-executor.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import { writeLogFile } from '../../records/folders/log-file.ts'
import type { Ground } from '../../system/files/trusted-folder.ts'
import type { AgentUsage } from '../../records/tokens-and-cost.ts'
import { orNothing } from '../../system/error-facts.ts'

export interface WrittenLog {
  readonly ground: Ground
  readonly file: string
  readonly run: string
  readonly scenario: string
  readonly attempt: number
  readonly redact: Redact
}

interface Closing {
  readonly body?: string
  readonly verdict?: ScenarioVerdict
  readonly usage?: AgentUsage | undefined
}

export function writeReportedLog(
  { ground, file, redact, ...head }: WrittenLog,
  reports: readonly StepReport[],
  { body = '', verdict, usage }: Closing = {},
): void {
  const steps = reports.map(({ at: _at, ...result }) => result)
  const status = verdict?.outcome === 'pass' ? 'pass' : 'fail'
  const reasons = verdict?.steps.flatMap((step) => step.reasons.map(({ code, message }) => ({ code, message })))
  const ofVerdict = verdict && { ...executorIn(verdict), outcome: verdict.outcome, reasons }
  // Redact before formatting, because line breaks and shortening could split a secret.
  const content = redactTexts({ status, ...head, ...ofVerdict, steps, body } as const, redact)
  // Ignore errors, because the verdict depends on reports, not on the log.
  orNothing(() =>
    writeLogFile(ground, file, formatResultLog({ ...content, ...(usage && { usage: noteUsage(usage) }) })),
  )
}

function executorIn({ steps }: ScenarioVerdict): Pick<ResultLogContent, 'executor' | 'sandbox'> {
  const executor = leastExecutor(steps.map((step) => step.executor))
  return executor ? { executor: 'mdtest', sandbox: executor.sandbox } : {}
}

function noteUsage(usage: AgentUsage): ResultLog['usage'] {
  const { inputTokens, outputTokens, cachedInputTokens, costUsd, turns, model, durationMs } = usage
  return {
    ...(model !== undefined && { model }),
    ...(turns !== undefined && { turns }),
    'input-tokens': inputTokens,
    'output-tokens': outputTokens,
    ...(cachedInputTokens !== undefined && { 'cached-input-tokens': cachedInputTokens }),
    ...(costUsd !== undefined && { 'cost-usd': costUsd }),
    'duration-ms': durationMs,
  }
}
