import { pathIn } from '../../system/files/paths.ts'
import type { CliAgent } from '../../agents/agent.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import { type ScenarioVerdict, type VerdictRecord, writeVerdict } from '../../records/verdict/verdict-record.ts'
import { withReason } from '../../records/step-source.ts'
import type { AgentUsage } from '../../records/agent-usage.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import type { ScenarioRequest, Screenshot } from '../protocol/protocol.ts'

/** The run that a verdict is on. */
interface JudgedRun {
  readonly agent: Pick<CliAgent, 'name'>
  readonly request: Pick<ScenarioRequest, 'root' | 'specFile' | 'title' | 'attempt'>
  readonly logs: Pick<LogPaths, 'ground' | 'verdict'>
  readonly runId: string
  readonly startedAtMs: number
  readonly redactor: Redactor
  readonly usage?: AgentUsage
  readonly images?: readonly Screenshot[]
}

/**
 * Writes the verdict beside the log, without secrets.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when it cannot be written.
 */
export async function recordVerdict(verdict: ScenarioVerdict, run: JudgedRun): Promise<void> {
  const { agent, request, logs, runId, startedAtMs, redactor, usage, images = [] } = run
  const imagesOf = (step?: string): { images?: string[] } => filesOf(images.filter((one) => one.step === step))
  const record: VerdictRecord = {
    version: 1,
    spec: pathIn(request.root, request.specFile),
    scenario: request.title,
    attempt: request.attempt,
    ...(verdict.repeat && { repeat: verdict.repeat }),
    run: runId,
    agent: agent.name,
    startedAt: new Date(startedAtMs).toISOString(),
    outcome: verdict.outcome,
    steps: verdict.steps.map((step) => ({
      ...withPath(step, request.root),
      reasons: step.reasons.map((reason) => withPath(reason, request.root)),
      ...(step.source && { source: withReason(step.source, (reason) => withPath(reason, request.root)) }),
      ...imagesOf(step.id),
      ...(step.unreproduced && { unreproduced: withPath(step.unreproduced, request.root) }),
      ...(step.expected && { expected: step.expected.map((reason) => withPath(reason, request.root)) }),
    })),
    ...(usage && { usage }),
    ...imagesOf(),
  }
  writeVerdict(logs, redactTexts(record, redactor.redact))
}

function filesOf(images: readonly Screenshot[]): { images?: string[] } {
  return images.length === 0 ? {} : { images: images.map(({ file }) => file) }
}

function withPath<T extends { readonly file?: string }>(part: T, root: string): T {
  return part.file === undefined ? part : { ...part, file: pathIn(root, part.file) }
}
