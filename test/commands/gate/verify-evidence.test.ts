import { describe, expect, test } from 'vitest'
import {
  compareRuns,
  verifyEvidence,
  type GateEvidence,
  type GateResults,
  type TestEvidence,
} from '../../../src/commands/gate/evidence.ts'
import type { GateConfig } from '../../../src/commands/project-config/gate-config.ts'
import type { GateRun } from '../../../src/commands/gate/run-gates.ts'
type Results = GateResults['gate_results']

const passed: GateEvidence = { status: 'pass', command: 'tsc', exit_code: 0, output: '' }
const skipped: GateEvidence = { status: 'skipped', command: null, exit_code: null, output: '' }
const failed: GateEvidence = { status: 'fail', command: 'tsc', exit_code: 2, output: 'error' }
const counts = { pass_count: 12, fail_count: 0, failing_tests: [], attempts: 1, fix_attempts: [] }
const tested: TestEvidence = { ...passed, command: 'npm test', ...counts }
const fix = { what_failed: 'test', fix_applied: 'x', result: 'fail' as const, changed: [], left_out: [] }
const red: TestEvidence = { ...tested, status: 'fail', exit_code: 1, fail_count: 1, failing_tests: ['adds'] }

const limits = { argv: ['sh'] as const, timeoutMs: 1 }
const commands: GateConfig['commands'] = {
  compile: { ...limits, shown: 'tsc' },
  test: { ...limits, shown: 'npm test' },
}

type Row = readonly [name: string, results: Results, pass: boolean, validation: string, concerns: readonly string[]]

const table: readonly Row[] = [
  ['all pass', { compile: passed, lint: skipped, test: tested }, true, 'pass skipped pass', []],
  [
    'skipped although configured',
    { compile: skipped, lint: skipped, test: tested },
    false,
    'skipped skipped pass',
    ['compile: skipped, although `tsc` is configured.'],
  ],
  [
    'test is missing although configured',
    { compile: passed },
    false,
    'pass missing missing',
    ['test: no evidence, although `npm test` is configured.'],
  ],
  [
    'failed without an attempt to fix it',
    { compile: passed, test: red },
    false,
    'pass missing fail',
    ['test: failed.', 'test: failed, and no fix was attempted.'],
  ],
  [
    'failed after attempts',
    { compile: passed, test: { ...red, fix_attempts: [fix] } },
    false,
    'pass missing fail',
    ['test: failed.'],
  ],
  [
    'another gate failed after attempts',
    { compile: failed, test: { ...tested, fix_attempts: [fix] } },
    false,
    'fail missing pass',
    ['compile: failed.'],
  ],
  [
    'pass after a fix that failed',
    { compile: passed, test: { ...tested, fix_attempts: [fix] } },
    true,
    'pass missing pass',
    ['test: no gate failed, but the last fix is `fail`.'],
  ],
  [
    'pass with an exit code',
    { compile: { ...passed, exit_code: 2 }, test: tested },
    false,
    'fail missing pass',
    ['compile: said to pass, but exit_code is 2.'],
  ],
  [
    'pass that contradicts itself',
    { compile: passed, test: { ...red, status: 'pass', exit_code: 0, attempts: 0 } },
    false,
    'pass missing fail',
    [
      'test: said to pass, but fail_count is 1.',
      'test: said to pass, but failing_tests names 1.',
      'test: said to pass, but attempts is 0.',
    ],
  ],
  [
    'skipped that contradicts itself',
    { compile: { ...skipped, exit_code: 2 }, test: { ...red, status: 'skipped', exit_code: null, command: null } },
    false,
    'fail missing fail',
    [
      'compile: said to be skipped, but exit_code is 2.',
      'test: said to be skipped, but fail_count is 1.',
      'test: said to be skipped, but failing_tests names 1.',
    ],
  ],
  [
    'pass whose output is red',
    { compile: passed, test: { ...tested, output: ' Tests  3 failed | 2 passed (5)\n' } },
    false,
    'pass missing fail',
    ['test: said to pass, but its output reports 3 failed.'],
  ],
  [
    'pass of no command',
    { compile: { ...passed, command: null }, test: tested },
    false,
    'fail missing pass',
    ['compile: said to pass, but no command was run.'],
  ],
  [
    'pass of another command',
    { compile: { ...passed, command: 'true' }, test: tested },
    true,
    'pass missing pass',
    ['compile: `true` was run, and `tsc` is configured.'],
  ],
  [
    'pass without a test',
    { compile: passed, test: { ...tested, pass_count: 0 } },
    true,
    'pass missing pass',
    ['test: no test was executed.'],
  ],
  [
    'counts that are not known',
    { compile: passed, test: { ...tested, pass_count: null, fail_count: null } },
    true,
    'pass missing pass',
    ['test: no test was seen to run; name `runner` or `junit`, as in `"test": { "runner": "node" }`.'],
  ],
]

describe('evidence', () => {
  test.each(table)('%s', (_name, results, pass, validation, concerns) => {
    const verdict = verifyEvidence({ gate_results: results }, commands)
    const { compile, lint, test: tests } = verdict.gate_validation
    expect(verdict).toEqual({ pass, gate_validation: expect.anything(), concerns })
    expect([compile, lint, tests].join(' ')).toBe(validation)
  })

  test('of a test gate with `"tests": "required"` has counts', () => {
    const needing = { test: { argv: ['npm', 'test'], shown: 'npm test', timeoutMs: 1, needsTests: true } } as const
    const results = { test: { ...tested, pass_count: null, fail_count: null } }
    const { pass, concerns } = verifyEvidence({ gate_results: results }, needing)
    expect(concerns).toEqual(['test: said to pass, but pass_count is null, and tests are `required`.'])
    expect(pass).toBe(false)
  })

  test('is not contradicted by its output where a report is configured', () => {
    const results = { test: { ...tested, output: ' Tests  1 failed | 2 passed (3)\n' } }
    const reported = { test: { ...limits, shown: 'npm test', junit: 'report.xml' } }
    expect(verifyEvidence({ gate_results: results }, reported)).toMatchObject({ pass: true, concerns: [] })
  })

  test('without a configuration', () => {
    const { pass, concerns } = verifyEvidence({ gate_results: {} }, undefined)
    expect({ pass, concerns }).toEqual({ pass: true, concerns: [expect.stringContaining('not known')] })
  })
})

describe('the commands, run again,', () => {
  const run: GateRun = {
    command: 'npm test',
    isPass: true,
    exitCode: 0,
    head: '',
    tail: '',
    results: { counts: { total: 12, passed: 12, failed: 0, skipped: 0 }, failingTests: [] },
    executed: { tests: [], areAll: false },
    concerns: [],
    durationMs: 1,
  }
  const claim: Results = { compile: passed, test: tested }
  const compare = (results: Results, runs: Parameters<typeof compareRuns>[1]['runs']): ReturnType<typeof compareRuns> =>
    compareRuns(verifyEvidence({ gate_results: results }, commands), { claim: results, runs })

  test('bear a claim out', () => {
    expect(compare(claim, { compile: run, test: run })).toMatchObject({ pass: true, concerns: [] })
  })

  test('refute it', () => {
    expect(compare(claim, { compile: run, test: { ...run, isPass: false, exitCode: 1 } })).toEqual({
      pass: false,
      gate_validation: { compile: 'pass', lint: 'missing', test: 'fail' },
      concerns: ['test: claimed pass, run again it failed (exit code 1).'],
    })
  })

  test('refute silence, too', () => {
    const { pass, concerns } = compare({ compile: passed }, { test: { ...run, isPass: false, exitCode: 1 } })
    expect(pass).toBe(false)
    expect(concerns).toContain('test: claimed missing, run again it failed (exit code 1).')
  })

  test('do not make a failure a pass', () => {
    const results = { compile: passed, test: { ...red, fix_attempts: [fix] } }
    expect(compare(results, { test: run })).toMatchObject({
      pass: false,
      concerns: ['test: failed.', 'test: claimed fail, run again it passed.'],
    })
  })

  test('tell of other counts', () => {
    const fewer = { ...run, results: { ...run.results, counts: { total: 3, passed: 3, failed: 0, skipped: 0 } } }
    expect(compare(claim, { test: fewer }).concerns).toEqual(['test: claimed 12 passed, run again 3 did.'])
  })
})

test('evidence is rejected where the configuration names no gate', () => {
  const { pass, concerns } = verifyEvidence({ gate_results: { compile: passed, test: tested } }, {})
  expect([pass, concerns]).toEqual([false, ['The configuration names no gate.']])
})
