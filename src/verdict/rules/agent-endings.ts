import type { SpecLine } from '../../spec/spec.ts'
import { hasReports, isReported } from '../agent-results.ts'
import { blocked, fail, type Finding, type JudgedStep, type Rule } from './rule.ts'
import type { AgentEnding, AgentEvidence, BlockedCode } from '../verdict.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { describeExit } from '../../system/text/wording.ts'

/** Even earlier steps prove nothing: the agent may have bypassed mdtest before anyone noticed. */
export const executorEscaped: Rule = ({ step, evidence: { agent } }) => {
  const error = agent?.errors.find(({ cause }) => cause === 'executor')
  return agent && error ? [errorFinding(error, { at: step, name: agent.name, lack: '' })] : []
}

/** A run that the agent did not finish is no pass, even if the log says so. Earlier reports still count. */
export const agentUnfinished: Rule = (judged) => {
  const { step, evidence } = judged
  const unfinished = describeUnfinished(evidence.agent)
  return unfinished === undefined || isSettledBefore(judged) ? [] : [blocked(...unfinished, step)]
}

/** Says what stopped an agent that wrote no log, or that reported other steps but not this one. */
export const workMissing: Rule = ({ step, evidence: { agent } }) => {
  if (agent === undefined) return []
  if (hasReports(agent)) {
    const lack = `did not report \`${step.id}\``
    return isReported(step, agent) ? [] : (describeHindrance(agent, { at: step, lack }) ?? [])
  }
  if (agent.reading.ok || agent.reading.code !== 'LOG_MISSING') return []
  const hindrance = describeHindrance(agent, { at: step, lack: 'wrote no result log' })
  return hindrance ?? [fail('LOG_MISSING', describeMissingLog(agent), step)]
}

/** The killer of an agent may have written its reports (if there is no event stream) or its log (without reports). */
export const agentKilled: Rule = ({ step, evidence: { agent } }) => {
  if (agent === undefined || (agent.ending.kind === 'killed' && agent.ending.isOurs)) return []
  const signal = describeSignal(agent.ending)
  const hasStream = agent.journal !== undefined
  if (signal === undefined || hasReports(agent) === hasStream) return []
  if (!hasReports(agent) && !agent.reading.ok) return []
  const doubt = hasStream
    ? 'reported nothing itself. Its result log may be of whoever killed it'
    : 'nothing could be seen of what it did. Its reports may be of whoever killed it'
  return [blocked('AGENT_CRASHED', `The agent \`${agent.name}\` was killed by ${signal}, and ${doubt}.`, step)]
}

function isSettledBefore({ step, evidence: { agent }, isLastAsked }: JudgedStep): boolean {
  if (agent === undefined || !isReported(step, agent)) return false
  if (agent.ending.kind === 'working') return true
  return agent.ending.kind !== 'not-ready' && !isLastAsked
}

function describeUnfinished(agent: AgentEvidence | undefined): readonly [BlockedCode, string] | undefined {
  if (agent === undefined) return ['AGENT_CRASHED', 'No agent has carried out this step.']
  const { ending } = agent
  const who = `The agent \`${agent.name}\``
  const stopped = (why: string): string => `${who} was stopped${why}${lastWords(agent)}`
  switch (ending.kind) {
    case 'working':
      return ['AGENT_CRASHED', `${who} is still at work and has not reported this step.`]
    case 'not-ready':
    case 'stopped':
      return [ending.code, ending.message]
    case 'hard-timeout': {
      const advice = "Raise `timeout` in the spec's front matter, or make the scenario smaller."
      return ['AGENT_TIMEOUT', stopped(` after its time limit of ${ending.limitMs} ms. ${advice}`)]
    }
    case 'step-timeout': {
      const why = `the step "${ending.step}" took longer than its \`timeout\` of ${ending.limitMs} ms`
      return ['AGENT_TIMEOUT', stopped(`, because ${why}. Raise it, or make the step smaller.`)]
    }
    case 'silence-timeout': {
      const advice = "Raise `silence-timeout` in the spec's front matter when it works that long in silence."
      return ['AGENT_SILENT', stopped(` after ${ending.limitMs} ms without a sign of life. ${advice}`)]
    }
    case 'canceled':
      return ['AGENT_CRASHED', `${who} was canceled before it was done.`]
    case 'exited':
    case 'killed':
      return undefined
    default:
      // An ending that this version does not know must not pass.
      return ['AGENT_CRASHED', `The agent ended in an unknown way: ${JSON.stringify(ending satisfies never)}.`]
  }
}

interface Lack {
  readonly at: SpecLine
  readonly lack: string
}

function describeHindrance(agent: AgentEvidence, { at, lack }: Lack): readonly Finding[] | undefined {
  const { name, tail } = agent
  const [error] = Object.keys(causes).flatMap((cause) => agent.errors.find((one) => one.cause === cause) ?? [])
  if (error !== undefined) return [errorFinding(error, { at, lack, name })]
  const signal = describeSignal(agent.ending)
  if (signal === undefined) return undefined
  return [blocked('AGENT_CRASHED', `The agent \`${name}\` was killed by ${signal} and ${lack}.${lastOutput(tail)}`, at)]
}

type AgentError = AgentEvidence['errors'][number]

type Cause = readonly [code: BlockedCode | 'STEP_UNREPORTED', say: (message: string, lack: string) => string]

/** Ordered: what the user can remedy comes first. */
const causes: Readonly<Record<AgentError['cause'], Cause>> = {
  executor: ['EXECUTOR_UNAVAILABLE', (message) => `${bypassed}: ${message}`],
  auth: ['AGENT_AUTH', (message) => `has no access: ${message} Log in or set its key.`],
  budget: ['AGENT_BUDGET', (message) => `is over its budget: ${message} Raise the budget or wait.`],
  mcp: ['MCP_UNAVAILABLE', (message, lack) => `lacks an MCP server and ${lack}: ${message} ${allowLoopback}`],
  browser: ['BROWSER_UNAVAILABLE', (message, lack) => `cannot use its browser, and ${lack}: ${message}`],
  model: ['MODEL_UNAVAILABLE', (message, lack) => `gets no usable answer from its model, and ${lack}: ${message}`],
  question: ['AGENT_CRASHED', (message, lack) => `${lack}: it ${message}`],
  other: ['AGENT_CRASHED', (message, lack) => `reported an error and ${lack}: ${message}`],
  'no-verdict': ['STEP_UNREPORTED', (message, lack) => `gave no verdict and ${lack}: ${message}`],
}
const bypassed = 'bypassed mdtest, although only mdtest was to execute (`executor: mdtest`)'
const allowLoopback = "If it is mdtest's own, allow connections to 127.0.0.1."

function errorFinding({ cause, message }: AgentError, { at, lack, name }: Lack & { name: string }): Finding {
  const [code, say] = causes[cause]
  const text = `The agent \`${name}\` ${say(message, lack)}`
  return code === 'STEP_UNREPORTED' ? fail(code, text, at) : blocked(code, text, at)
}

/** Signals 1 to 31 can end a process. Higher signals are for communication between programs. */
const lastSignal = 31

/** By convention, a program that ends itself after signal n exits with 128 + n, as Claude Code does after SIGTERM. */
function describeSignal(ending: AgentEnding): string | undefined {
  if (ending.kind === 'killed') return ending.isOurs ? undefined : ending.signal
  if (ending.kind !== 'exited' || ending.exitCode <= 128 || ending.exitCode > 128 + lastSignal) return undefined
  return `signal ${ending.exitCode - 128} (exit code ${ending.exitCode})`
}

function describeMissingLog({ name, ending, reading, tail }: AgentEvidence): string {
  const found = reading.ok ? '' : reading.message
  // The message already says that the log is missing. Only its path is new.
  const place = /^There is no result log( at .*)?\.$/s.exec(found)
  const rest = place === null ? `. ${found}` : `${place[1] ?? ''}.`
  const advice = name === 'command' ? ` What it has to write: \`${ownCommand} docs scripted-agent\`.` : ''
  const end = ending.kind === 'exited' ? describeExit(ending.exitCode) : 'ended'
  return `The agent \`${name}\` ${end} and wrote no result log${rest.trimEnd()}${advice}${lastOutput(tail)}`
}

const maxTailCharacters = 500

function lastWords({ tail, errors }: AgentEvidence): string {
  const question = errors.find(({ cause }) => cause === 'question')
  if (question !== undefined) return ` It ${question.message}`
  const silence = errors.find(({ cause }) => cause === 'model' || cause === 'browser')
  return silence === undefined ? lastOutput(tail) : ` ${silence.message}`
}

function lastOutput(tail: string): string {
  const text = tail.trim()
  if (text.length <= maxTailCharacters) return text === '' ? '' : ` Its last output: ${text}`
  return ` The end of its output: ${text.slice(-maxTailCharacters).replace(/^[^\n]*\n/, '')}`
}
