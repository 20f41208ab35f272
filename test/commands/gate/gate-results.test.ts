import { expect, test } from 'vitest'
import { formatGates, formatValidation } from '../../../src/commands/gate/gate.ts'
import { gateResultsSchema, toGateResults, verifyEvidence } from '../../../src/commands/gate/evidence.ts'
import type { GateRun } from '../../../src/commands/gate/run-gates.ts'

function ran(more: Partial<GateRun> = {}): GateRun {
  return {
    ...{ command: 'npm test', isPass: true, exitCode: 0, head: 'all fine', tail: '', concerns: [], durationMs: 1 },
    results: { counts: null, failingTests: [] },
    executed: { tests: [], areAll: false },
    ...more,
  }
}

const once = { attempts: 1, fixAttempts: [] }

test('all gates are in the evidence, also those without a command, and nothing speaks against them', () => {
  const evidence = { gate_results: toGateResults({ runs: { compile: ran() }, ...once }) }
  expect(evidence.gate_results).toMatchObject({
    compile: { status: 'pass', command: 'npm test', exit_code: 0, output: 'all fine' },
    lint: { status: 'skipped', command: null, exit_code: null, output: '' },
    test: { status: 'skipped', attempts: 0, pass_count: null, failing_tests: [] },
  })
  expect(gateResultsSchema.parse(evidence)).toEqual(evidence)
  expect(verifyEvidence(evidence, undefined).pass).toBe(true)
})

test('what the exit code does not say stands first, names stand once, and the output is cut between characters', () => {
  const failingTests = ['adds', 'adds', 'halves'].map((name) => ({ name, message: '' }))
  const run = ran({
    ...{ isPass: false, exitCode: null, reason: 'It was ended by SIGKILL.', head: '😀'.repeat(600) },
    results: { counts: { total: 3, passed: 0, failed: 3, skipped: 0 }, failingTests },
  })
  const { test: evidence } = toGateResults({ runs: { test: run }, attempts: 3, fixAttempts: [] })
  expect(evidence).toMatchObject({ status: 'fail', fail_count: 3, failing_tests: ['adds', 'halves'], attempts: 3 })
  expect(evidence.output.startsWith('mdtest: It was ended by SIGKILL.\n😀')).toBe(true)
  expect(Array.from(evidence.output)).toHaveLength(500)
  expect(evidence.output).not.toMatch(/\p{Surrogate}/u)
})

test('each gate is told in a line, whatever its command is called', () => {
  const counts = { total: 13, passed: 12, failed: 1, skipped: 0 }
  const runs = {
    compile: ran({ command: 'make\n- **Test:** PASS' }),
    test: ran({ isPass: false, exitCode: 1, results: { counts, failingTests: [] } }),
  }
  const results = toGateResults({ runs, ...once })
  const lines = formatGates(results)
  expect(lines).toHaveLength(3)
  expect(lines.every((line) => !line.includes('\n'))).toBe(true)
  expect(lines[1]).toBe('- **Lint:** SKIPPED')
  expect(lines[2]).toBe('- **Test:** FAIL (command: npm test, exit_code: 1, pass: 12, fail: 1, attempts: 1)')
  const unknown = formatGates(toGateResults({ runs: { test: ran() }, ...once }))
  expect(unknown[2]).toContain('pass: unknown, fail: unknown')
  expect(formatValidation(verifyEvidence({ gate_results: results }, undefined))).toBe(
    '- **gate_validation:** compile: pass, lint: skipped, test: fail',
  )
})
