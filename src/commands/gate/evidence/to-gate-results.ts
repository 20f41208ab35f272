import { cutOutput, type CompleteResults, type FixAttempt, type GateEvidence } from './gate-results.ts'
import type { GateRun } from '../gates/run-gate.ts'
import type { GateRuns } from '../gates/run-gates.ts'

interface Outcome {
  /** The last run of each gate. */
  readonly runs: GateRuns
  /** How often they were run. */
  readonly attempts: number
  readonly fixAttempts: readonly FixAttempt[]
}

/** The evidence of gates. All of them are in it, also those without a command. */
export function toGateResults({ runs, attempts, fixAttempts }: Outcome): CompleteResults {
  const counts = runs.test?.results.counts ?? null
  return {
    compile: toEvidence(runs.compile),
    lint: toEvidence(runs.lint),
    test: {
      ...toEvidence(runs.test),
      pass_count: counts?.passed ?? null,
      fail_count: counts?.failed ?? null,
      failing_tests: namesOf(runs.test),
      attempts: runs.test === undefined ? 0 : attempts,
      fix_attempts: [...fixAttempts],
    },
  }
}

function toEvidence(run: GateRun | undefined): GateEvidence {
  if (run === undefined) return { status: 'skipped', command: null, exit_code: null, output: '' }
  // What the exit code does not say has to be in the evidence, too.
  const reason = run.reason === undefined ? '' : `mdtest: ${run.reason}\n`
  return {
    status: run.isPass ? 'pass' : 'fail',
    command: run.command,
    exit_code: run.exitCode,
    output: cutOutput(`${reason}${run.head}`),
  }
}

function namesOf(run: GateRun | undefined): string[] {
  return [...new Set(run?.results.failingTests.map(({ name }) => name))]
}
