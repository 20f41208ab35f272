import type { SpecLine } from '../../spec/spec.ts'
import { hasReports, isReported } from '../account.ts'
import { blocked, fail } from './rule.ts'
import type { Finding, JudgedStep, Rule } from './rule.ts'
import type { AgentEnding, AgentEvidence, BlockedCode } from '../verdict.ts'
import { describeExit } from '../../system/text/wording.ts'

/** Fail-closed: without an agent's run there is nothing that a pass could rest on. */
export const agentMissing: Rule = ({ step, evidence }) =>
  evidence.agent === undefined ? [blocked('AGENT_CRASHED', 'No agent has carried out this step.', step)] : []

/**
 * An agent for which mdtest alone was to execute, and which had a shell or an editor of its own, proves nothing, whatever
 * it says: not even of the steps before, because nobody knows when it got out.
 */
export const executorEscaped: Rule = ({ step, evidence: { agent } }) => {
  const error = agent?.errors.find(({ cause }) => cause === 'executor')
  return agent && error ? [describeError(error, { at: step, name: agent.name, lack: '' })] : []
}

/**
 * An unfinished run is no pass, even where its log is valid. The exit code and a signal do not decide. Steps that were
 * reported before stand, all but the last: it settles with the agent's end.
 */
export const agentUnfinished: Rule = (judged) => {
  const { step, evidence } = judged
  const ending = evidence.agent && describeUnfinished(evidence.agent)
  return ending === undefined || isSettledBefore(judged) ? [] : [blocked(ending.code, ending.message, step)]
}

/** Why there is no log: what kept the agent from its work, else that it did not write one. */
export const logMissing: Rule = ({ step, evidence: { agent } }) => {
  if (agent === undefined || hasReports(agent) || agent.reading.ok || agent.reading.code !== 'LOG_MISSING') return []
  const hindrance = describeHindrance(agent, { at: step, lack: 'wrote no result log' })
  return [hindrance ?? fail('LOG_MISSING', describeMissingLog(agent), step)]
}

/** What kept the agent from a step that it did not report, though it reported others. */
export const reportHindered: Rule = ({ step, evidence: { agent } }) => {
  if (agent === undefined || !hasReports(agent) || isReported(step, agent)) return []
  const hindrance = describeHindrance(agent, { at: step, lack: `did not report \`${step.id}\`` })
  return hindrance === undefined ? [] : [hindrance]
}

/**
 * An agent that was killed is judged by what it did itself. That it reported is seen in its stream; where there is none,
 * or it had not reported yet, whoever killed it may have spoken for it. A log of one whose stream was never seen counts
 * as ever.
 */
export const agentKilled: Rule = ({ step, evidence: { agent } }) => {
  const signal = agent && killerOf(agent)
  if (agent === undefined || signal === undefined) return []
  const hasStream = agent.journal !== undefined
  if (hasReports(agent) === hasStream) return []
  if (!hasReports(agent) && !agent.reading.ok) return []
  const doubt = hasStream
    ? 'reported nothing itself. Its result log may be of whoever killed it'
    : 'nothing could be seen of what it did. Its reports may be of whoever killed it'
  return [blocked('AGENT_CRASHED', `The agent \`${agent.name}\` was killed by ${signal}, and ${doubt}.`, step)]
}

function killerOf({ ending }: AgentEvidence): string | undefined {
  return ending.kind === 'killed' && ending.isOurs ? undefined : describeSignal(ending)
}

function isSettledBefore({ step, evidence: { agent }, isLastAsked }: JudgedStep): boolean {
  if (agent === undefined || !isReported(step, agent)) return false
  if (agent.ending.kind === 'working') return true
  return agent.ending.kind !== 'not-found' && agent.ending.kind !== 'not-ready' && !isLastAsked
}

interface Unfinished {
  readonly code: BlockedCode
  readonly message: string
}

function describeUnfinished({ ending, name, tail, errors }: AgentEvidence): Unfinished | undefined {
  switch (ending.kind) {
    case 'working':
      return {
        code: 'AGENT_CRASHED',
        message: `The agent \`${name}\` is still at work and has not reported this step.`,
      }
    case 'not-found':
      return { code: 'AGENT_NOT_FOUND', message: ending.message }
    case 'not-ready':
      return { code: ending.code, message: ending.message }
    case 'hard-timeout':
      return {
        code: 'AGENT_TIMEOUT',
        message: `The agent \`${name}\` was stopped after its time limit of ${ending.limitMs} ms. Raise \`timeout\` in the spec's front matter, or make the scenario smaller.${lastWords({ tail, errors })}`,
      }
    case 'step-timeout':
      return {
        code: 'AGENT_TIMEOUT',
        message: `The agent \`${name}\` was stopped, because the step "${ending.step}" took longer than its \`timeout\` of ${ending.limitMs} ms. Raise it, or make the step smaller.${lastWords({ tail, errors })}`,
      }
    case 'silence-timeout':
      return {
        code: 'AGENT_SILENT',
        message: `The agent \`${name}\` was stopped after ${ending.limitMs} ms without a sign of life. Raise \`silence-timeout\` in the spec's front matter when it works that long in silence.${lastWords({ tail, errors })}`,
      }
    case 'over-budget':
      return { code: 'AGENT_BUDGET', message: ending.message }
    case 'lost':
      return { code: 'AGENT_CRASHED', message: ending.message }
    case 'canceled':
      return { code: 'AGENT_CRASHED', message: `The agent \`${name}\` was canceled before it was done.` }
    case 'exited':
    case 'killed':
      return undefined
    default:
      return unknownEnding(ending)
  }
}

/** Reached only when a caller hands over an ending of another version: fail-closed. */
function unknownEnding(ending: never): Unfinished {
  return { code: 'AGENT_CRASHED', message: `The agent ended in an unknown way: ${JSON.stringify(ending)}.` }
}

interface Lack {
  readonly at: SpecLine
  readonly lack: string
}

function describeHindrance(agent: AgentEvidence, { at, lack }: Lack): Finding | undefined {
  const { name, tail } = agent
  const [error] = causesFirst.flatMap((cause) => agent.errors.find((one) => one.cause === cause) ?? [])
  if (error !== undefined) return describeError(error, { at, lack, name })
  const signal = describeSignal(agent.ending)
  if (signal === undefined) return undefined
  return blocked('AGENT_CRASHED', `The agent \`${name}\` was killed by ${signal} and ${lack}.${lastOutput(tail)}`, at)
}

type AgentError = AgentEvidence['errors'][number]

/** The ones that a user can do something about come first. */
const causesFirst: readonly AgentError['cause'][] = [
  'auth',
  'budget',
  'mcp',
  'browser',
  'model',
  'question',
  'other',
  'no-verdict',
]

function describeError({ cause, message }: AgentError, { at, lack, name }: Lack & { name: string }): Finding {
  switch (cause) {
    case 'executor':
      return blocked(
        'EXECUTOR_UNAVAILABLE',
        `The agent \`${name}\` acted past mdtest, which alone was to execute (\`executor: mdtest\`): ${message}`,
        at,
      )
    case 'auth':
      return blocked('AGENT_AUTH', `The agent \`${name}\` has no access: ${message} Log in or set its key.`, at)
    case 'budget':
      return blocked(
        'AGENT_BUDGET',
        `The agent \`${name}\` is over its budget: ${message} Raise the budget or wait.`,
        at,
      )
    case 'mcp':
      return blocked(
        'MCP_UNAVAILABLE',
        `The agent \`${name}\` lacks an MCP server and ${lack}: ${message} If it is mdtest's own, allow connections to 127.0.0.1.`,
        at,
      )
    case 'browser':
      return blocked('BROWSER_UNAVAILABLE', `The agent \`${name}\` cannot use its browser, and ${lack}: ${message}`, at)
    case 'model':
      return blocked(
        'MODEL_UNAVAILABLE',
        `The agent \`${name}\` gets no answer of its model that it can use, and ${lack}: ${message}`,
        at,
      )
    case 'no-verdict':
      return fail('STEP_UNREPORTED', `The agent \`${name}\` gave no verdict and ${lack}: ${message}`, at)
    case 'question':
      return blocked('AGENT_CRASHED', `The agent \`${name}\` ${lack}: it ${message}`, at)
    case 'other':
      return blocked('AGENT_CRASHED', `The agent \`${name}\` reported an error and ${lack}: ${message}`, at)
    default:
      return blocked('AGENT_CRASHED', `The agent met an unknown error: ${JSON.stringify(cause satisfies never)}.`, at)
  }
}

/** A program that handles a signal says so as a shell would: with exit code 128 + n. Claude Code does for SIGTERM. */
function describeSignal(ending: AgentEnding): string | undefined {
  if (ending.kind === 'killed') return ending.signal
  if (ending.kind !== 'exited' || ending.exitCode <= 128 || ending.exitCode > 128 + lastSignal) return undefined
  return `signal ${ending.exitCode - 128} (exit code ${ending.exitCode})`
}

/** Signals are 1 to 31; the ones above are for programs among themselves. */
const lastSignal = 31

function describeMissingLog({ name, ending, reading, tail }: AgentEvidence): string {
  const found = reading.ok ? '' : reading.message
  // The same once is enough: the place of the log that is not there.
  const place = /^There is no result log( at .*)?\.$/s.exec(found)
  const rest = place === null ? `. ${found}` : `${place[1] ?? ''}.`
  const end = ending.kind === 'exited' ? describeExit(ending.exitCode) : 'ended'
  return `The agent \`${name}\` ${end} and wrote no result log${rest.trimEnd()}${lastOutput(tail)}`
}

const maxTailCharacters = 500

/** What an agent was waiting for when it was stopped, where that is known. */
function lastWords({ tail, errors }: Pick<AgentEvidence, 'tail' | 'errors'>): string {
  const question = errors.find(({ cause }) => cause === 'question')
  if (question !== undefined) return ` It ${question.message}`
  const silence = errors.find(({ cause }) => cause === 'model' || cause === 'browser')
  return silence === undefined ? lastOutput(tail) : ` ${silence.message}`
}

function lastOutput(tail: string): string {
  const text = tail.trim()
  return text === '' ? '' : ` Its last output: ${text.slice(-maxTailCharacters)}`
}
