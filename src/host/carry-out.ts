import { randomBytes } from 'node:crypto'
import type { AgentEvent, CliAgent } from '../agents/agent.ts'
import { agentEnvironment } from '../agents/agent-environment.ts'
import { buildPrompt } from '../agents/prompt.ts'
import { mergeDenials } from '../agents/merge-denials.ts'
import type { AgentChoice } from '../agents/resolve-agent.ts'
import { resolveSpecAgent } from '../agents/resolve-spec-agent.ts'
import type { CommandEnd } from '../exec/command.ts'
import { startCommand } from '../exec/run-command.ts'
import { reserveLogs, type LogPaths } from '../result-log/log-paths.ts'
import { readResultLog } from '../result-log/read-result-log.ts'
import type { AgentEnding, AgentEvidence } from '../verdict/verdict.ts'
import { hashFile } from './hash-file.ts'
import type { LiveTrees } from './live-trees.ts'
import type { ScenarioReply, ScenarioRequest } from './protocol.ts'

interface CarryOutContext {
  readonly agent: AgentChoice | 'none'
  readonly env: NodeJS.ProcessEnv
  readonly processes: LiveTrees
  readonly runMark: string
  /** Start of the run: its logs are never pruned. */
  readonly startedAt: Date
  readonly now: () => Date
  readonly signal: AbortSignal
}

/** Time that an agent has after SIGTERM, in milliseconds: codex removes its mount points only then. */
const agentGraceMs = 5_000

/** Has one agent carry out one scenario, to whatever end. Never rejects for anything the agent does. */
export async function carryOut(request: ScenarioRequest, context: CarryOutContext): Promise<ScenarioReply> {
  const runId = randomBytes(16).toString('hex')
  const startedAtMs = context.now().getTime()
  const resolved = resolveSpecAgent(request.specAgent, {
    option: context.agent,
    path: context.env.PATH ?? '',
    cwd: request.cwd,
  })
  if (!resolved.ok) return { evidence: notFound(request.specAgent, resolved.error.message, { runId, startedAtMs }) }
  const logs = await reserveLogs({
    specFile: request.specFile,
    root: request.root,
    now: new Date(startedAtMs),
    keep: request.settings.logs.keep,
    keepSince: context.startedAt,
    ...(request.settings.logs.dir !== undefined && { dir: request.settings.logs.dir }),
  })
  const hashBefore = await hashFile(request.specFile)
  const watched = await runAgent(resolved.agent, { request, logs, runId }, context)
  const evidence: AgentEvidence = {
    name: resolved.agent.name,
    ...watched,
    reading: await readResultLog(logs.log),
    runId,
    startedAtMs,
    modifiedSpecFiles: (await hashFile(request.specFile)) === hashBefore ? [] : [request.specFile],
  }
  return { evidence, logFile: logs.log }
}

interface AgentTask {
  readonly request: ScenarioRequest
  readonly logs: LogPaths
  readonly runId: string
}

type Watched = Pick<AgentEvidence, 'ending' | 'errors' | 'denials' | 'tail'>

async function runAgent(
  agent: CliAgent,
  { request, logs, runId }: AgentTask,
  context: CarryOutContext,
): Promise<Watched> {
  const { settings } = request
  const prompt = buildPrompt({
    specFile: request.specFile,
    logFile: logs.log,
    runId,
    steps: request.steps,
    otherSteps: request.otherSteps,
    hooks: { setupProse: request.hasSetupProse, teardownProse: request.hasTeardownProse },
    ...(request.scenarioTitle !== undefined && { scenarioTitle: request.scenarioTitle }),
  })
  const command = agent.buildCommand({
    prompt,
    cwd: request.cwd,
    specFile: request.specFile,
    logFile: logs.log,
    env: { ...agentEnvironment(context.env), ...request.env },
    allow: settings.allow,
    network: settings.network,
    dangerouslyAllowAllActions: settings.dangerouslyAllowAllActions,
  })
  const events: AgentEvent[] = []
  const started: number[] = []
  const running = startCommand(command, {
    hardTimeoutMs: settings.hardTimeoutMs,
    silenceTimeoutMs: settings.silenceTimeoutMs,
    graceMs: agentGraceMs,
    mark: runId,
    runMark: context.runMark,
    signal: context.signal,
    rawLogFile: logs.raw,
    onLine: (stream, line) => {
      if (stream === 'stdout') events.push(...agent.readEvents(line).filter(isOfUse))
    },
    onSpawn: (pid) => {
      started.push(pid)
      context.processes.add({ pid, mark: runId })
    },
  })
  const { end, tail } = await running.ended
  for (const pid of started) context.processes.remove(pid)
  return { ending: endingOf(end), errors: errorsOf(events), denials: denialsOf(events), tail }
}

function isOfUse({ type }: AgentEvent): boolean {
  return type === 'error' || type === 'denial'
}

function errorsOf(events: readonly AgentEvent[]): AgentEvidence['errors'] {
  return events.flatMap((event) => (event.type === 'error' ? [{ cause: event.cause, message: event.message }] : []))
}

function denialsOf(events: readonly AgentEvent[]): AgentEvidence['denials'] {
  return mergeDenials(events.filter((event) => event.type === 'denial'))
}

function endingOf(end: CommandEnd): AgentEnding {
  switch (end.reason) {
    case 'exit':
      return { kind: 'exited', exitCode: end.exitCode }
    case 'signal':
      return { kind: 'killed', signal: end.signal }
    case 'hard-timeout':
    case 'silence-timeout':
      return { kind: end.reason, limitMs: end.limitMs }
    case 'canceled':
      return { kind: 'canceled' }
    case 'spawn-failed':
      return { kind: 'not-found', message: end.error.message }
    default:
      return end satisfies never
  }
}

function notFound(name: string, message: string, times: Pick<AgentEvidence, 'runId' | 'startedAtMs'>): AgentEvidence {
  return {
    name,
    ending: { kind: 'not-found', message },
    errors: [],
    denials: [],
    reading: { ok: false, code: 'LOG_MISSING', message: 'No agent was started.' },
    modifiedSpecFiles: [],
    tail: '',
    ...times,
  }
}
