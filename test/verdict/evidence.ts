import type { ResultLog, StepReport, StepResult } from '../../src/records/result-log/result-log.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import type {
  AgentEvidence,
  Citation,
  ScenarioEvidence,
  ObservedCall,
  StepEvidence,
  Verdict,
} from '../../src/verdict/verdict.ts'

export const startedAtMs = 1_700_000_000_000

/** A step of prose that the agent was asked for; its heading is on line 10 × ordinal. */
export function step(ordinal: number, more: Partial<StepEvidence> = {}): StepEvidence {
  const base = { id: `${ordinal}-s`, title: `s${ordinal}`, line: ordinal * 10, checks: [], blocks: [] }
  return { ...base, actor: 'agent', ...more }
}

export function stepWith(ordinal: number, ...blocks: readonly BlockOutcome[]): StepEvidence {
  return step(ordinal, { blocks })
}

export function codeStep(ordinal: number, ...blocks: readonly BlockOutcome[]): StepEvidence {
  return step(ordinal, { actor: 'code', blocks })
}

export function check(n: number): StepEvidence['checks'][number] {
  return { n, line: 100 + n, text: `check ${n}` }
}

export function block(role: BlockOutcome['role'], status: BlockOutcome['status'] = 'pass'): BlockOutcome {
  return { role, status, message: status === 'pass' ? '' : `${role} ${status}`, line: 77 }
}

/** An agent that ended well and wrote a valid log of this run. */
export function agent(log: ResultLog = { status: 'pass' }, more: Partial<AgentEvidence> = {}): AgentEvidence {
  return {
    name: 'claude',
    ending: { kind: 'exited', exitCode: 0 },
    errors: [],
    denials: [],
    reading: { ok: true, log, body: '', modifiedAtMs: startedAtMs + 1000 },
    runId: 'run-1',
    startedAtMs,
    modifiedSpecFiles: [],
    tail: '',
    ...more,
  }
}

export function agentBut(more: Partial<AgentEvidence>): AgentEvidence {
  return agent(undefined, more)
}

export const noLog = { ok: false, code: 'LOG_MISSING', message: 'There is no result log.' } as const

export function scenario(steps: readonly StepEvidence[], more: Partial<ScenarioEvidence> = {}): ScenarioEvidence {
  return { steps, setup: [], teardown: [], policy: { minAssurance: 'claimed' }, ...more }
}

/** `1-s pass` as an entry of the log's list. */
export function entry(id: string, status: StepResult['status'] = 'pass', more: Partial<StepResult> = {}): StepResult {
  return { id, status, ...more }
}

/** A verdict in short: `pass claimed`, `fail STEP_FAILED@10 STATUS_CONTRADICTS_STEPS@10`. */
export function short({ outcome, assurance, reasons }: Verdict): string {
  const parts = reasons.map(({ code, line }) => `${code}@${line ?? '-'}`)
  return [outcome, ...(assurance === undefined ? [] : [assurance]), ...parts].join(' ')
}

/** `1-s pass` as a report over MCP. */
export function report(id: string, status: StepResult['status'] = 'pass', more: Partial<StepResult> = {}): StepReport {
  return { ...entry(id, status, more), at: '2026-02-10T14:30:00.000Z' }
}

/** Something that the agent was seen to do while a step was under way. */
export function observedCall(step: string | null, more: Partial<ObservedCall> = {}): ObservedCall {
  return { step, activity: true, ...more }
}

/** A quote for a step that was found. */
export function quote(stepId: string, more: Partial<Citation> = {}): Citation {
  return { stepId, kind: 'quote', what: '1 item in your cart', found: true, ...more }
}

export const one = [step(1)]
export const two = [step(1), step(2)]
export const three = [step(1), step(2), step(3)]
