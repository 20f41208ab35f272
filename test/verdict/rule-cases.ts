import type { ResultLog } from '../../src/records/result-log/result-log.ts'
import type { AgentEvidence, RuleName, ScenarioEvidence, StepEvidence } from '../../src/verdict/verdict.ts'
import {
  agent,
  block,
  check,
  codeStep,
  entry,
  noLog,
  quote,
  scenario,
  observedCall,
  startedAtMs,
  step,
} from './evidence.ts'

const of = (more: Partial<AgentEvidence>, log?: ResultLog): ScenarioEvidence =>
  scenario([step(1)], { agent: agent(log, more) })
const withLog = (log: ResultLog, one: StepEvidence = step(1)): ScenarioEvidence =>
  scenario([one], { agent: agent(log) })
const withBlock = (role: 'run' | 'verify', status: 'fail' | 'timeout'): ScenarioEvidence =>
  scenario([step(1, { blocks: [block(role, status)] })], { agent: agent() })
const badLog = (
  code: 'LOG_NO_FRONT_MATTER' | 'LOG_INVALID_YAML' | 'LOG_INVALID_STATUS' | 'LOG_TOO_LARGE' | 'LOG_UNREADABLE',
) => of({ reading: { ok: false, code, message: 'm' } })
const missing = (more: Partial<AgentEvidence>): ScenarioEvidence => of({ reading: noLog, ...more })
const checked = step(1, { checks: [check(1)] })
const failed = [block('run', 'fail')]

/** For each rule what it alone, or with the one that rests on it, keeps from passing. */
export const ruleCases: Readonly<Record<RuleName, readonly [evidence: ScenarioEvidence, ...alsoOff: RuleName[]]>> = {
  LOG_MISSING: [missing({})],
  LOG_NO_FRONT_MATTER: [badLog('LOG_NO_FRONT_MATTER')],
  LOG_INVALID_YAML: [badLog('LOG_INVALID_YAML')],
  LOG_INVALID_STATUS: [badLog('LOG_INVALID_STATUS')],
  LOG_TOO_LARGE: [badLog('LOG_TOO_LARGE')],
  LOG_UNREADABLE: [badLog('LOG_UNREADABLE')],
  LOG_STALE: [of({ startedAtMs: startedAtMs + 60_000 })],
  LOG_WRONG_RUN: [withLog({ status: 'pass', run: 'run-2' })],
  STEP_FAILED: [withLog({ status: 'fail' })],
  CHECK_FAILED: [
    withLog({ status: 'pass', steps: [entry('1-s', 'pass', { checks: [{ n: 1, status: 'fail' }] })] }, checked),
  ],
  STEP_UNREPORTED: [withLog({ status: 'pass', steps: [] })],
  CHECK_UNREPORTED: [withLog({ status: 'pass', steps: [entry('1-s')] }, checked)],
  STEP_UNKNOWN: [withLog({ status: 'pass', steps: [entry('1-s'), entry('9-x')] })],
  STATUS_CONTRADICTS_STEPS: [withLog({ status: 'fail', steps: [entry('1-s')] })],
  VERIFY_FAILED: [withBlock('verify', 'fail')],
  RUN_FAILED: [withBlock('run', 'fail')],
  BLOCK_TIMEOUT: [withBlock('verify', 'timeout')],
  SETUP_FAILED: [scenario([step(1)], { agent: agent(), setup: failed })],
  TEARDOWN_FAILED: [scenario([step(1)], { agent: agent(), teardown: failed })],
  SPEC_MODIFIED: [of({ modifiedSpecFiles: ['/x.test.md'] })],
  SOURCE_MODIFIED: [of({ modifiedSources: [{ file: 'cart.ts' }] })],
  NO_ACTIVITY: [of({ journal: [] })],
  EVIDENCE_UNKNOWN: [of({ journal: [observedCall(null)], citations: [quote('1-s', { found: false })] })],
  ASSURANCE_TOO_LOW: [{ ...of({}), policy: { minAssurance: 'observed' } }],
  PASSED_UNEXPECTEDLY: [scenario([step(1, { isExpectedToFail: true })], { agent: agent() })],
  REPLAY_MISSING: [scenario([{ ...codeStep(1, block('run')), replay: 'missing' }])],
  REPLAY_STALE: [scenario([{ ...codeStep(1, block('run')), replay: 'stale' }])],
  REPLAY_DIFFERS: [
    scenario([
      { ...codeStep(1, { ...block('run', 'fail'), isRecorded: true, isOutputOnly: true }), replay: 'current' },
    ]),
  ],
  NOT_REPRODUCED: [{ ...of({}), reproduction: { isRequired: true, steps: {} } }],
  AGENT_NOT_FOUND: [of({ ending: { kind: 'not-ready', code: 'AGENT_NOT_FOUND', message: 'm' } })],
  MODEL_UNAVAILABLE: [of({ ending: { kind: 'not-ready', code: 'MODEL_UNAVAILABLE', message: 'm' } })],
  LOGIN_FAILED: [of({ ending: { kind: 'not-ready', code: 'LOGIN_FAILED', message: 'm' } })],
  AGENT_TIMEOUT: [of({ ending: { kind: 'hard-timeout', limitMs: 1 } })],
  AGENT_SILENT: [of({ ending: { kind: 'silence-timeout', limitMs: 1 } })],
  AGENT_CRASHED: [of({ ending: { kind: 'canceled' } })],
  AGENT_BLOCKED: [
    withLog({ status: 'fail', steps: [entry('1-s', 'pass', { checks: [{ n: 1, status: 'blocked' }] })] }, checked),
  ],
  // These explain why there is no pass: what they explain has to be off as well.
  AGENT_AUTH: [missing({ errors: [{ cause: 'auth', message: 'm' }] }), 'LOG_MISSING'],
  AGENT_BUDGET: [missing({ errors: [{ cause: 'budget', message: 'm' }] }), 'LOG_MISSING'],
  MCP_UNAVAILABLE: [missing({ errors: [{ cause: 'mcp', message: 'm' }] }), 'LOG_MISSING'],
  BROWSER_UNAVAILABLE: [missing({ errors: [{ cause: 'browser', message: 'm' }] }), 'LOG_MISSING'],
  EXECUTOR_UNAVAILABLE: [of({ errors: [{ cause: 'executor', message: 'm' }] })],
  AGENT_DENIED: [of({ denials: [{ what: 'x' }] }, { status: 'fail' }), 'STEP_FAILED'],
}

export const ruleNames = Object.keys(ruleCases) as readonly RuleName[] // a record of all of them
