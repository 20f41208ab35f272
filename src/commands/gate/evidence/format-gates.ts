import { plainLine } from '../../../system/text/plain-text.ts'
import { gateNames, type GateName } from '../../project-config/gate-config.ts'
import { type GateEvidence, type CompleteResults, type TestEvidence } from './gate-results.ts'
import type { GateValidation } from './verify-evidence.ts'

/** A line for each gate, in markdown: `- **Test:** PASS (command: npm test, exit_code: 0, pass: 12, fail: 0, attempts: 1)`. */
export function formatGates(results: CompleteResults): readonly string[] {
  return gateNames.map((name) => formatGate(name, results[name]))
}

/** `- **gate_validation:** compile: pass, lint: skipped, test: pass`. */
export function formatValidation(validation: GateValidation): string {
  return `- **gate_validation:** ${gateNames.map((name) => `${name}: ${validation[name]}`).join(', ')}`
}

function formatGate(name: GateName, evidence: GateEvidence | TestEvidence): string {
  const title = `- **${name.charAt(0).toUpperCase()}${name.slice(1)}:** ${evidence.status.toUpperCase()}`
  if (evidence.status === 'skipped') return title
  const facts = [`command: ${plainLine(evidence.command ?? '')}`, `exit_code: ${evidence.exit_code}`]
  return `${title} (${[...facts, ...('attempts' in evidence ? factsOfTests(evidence) : [])].join(', ')})`
}

function factsOfTests({ pass_count: passed, fail_count: failed, attempts }: TestEvidence): readonly string[] {
  return [`pass: ${passed ?? 'unknown'}`, `fail: ${failed ?? 'unknown'}`, `attempts: ${attempts}`]
}
