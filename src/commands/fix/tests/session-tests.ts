import type { ExecutedTests } from '../../../test-runners/executed-tests.ts'
import { collectSecrets } from '../../../system/redaction/redact-secrets.ts'
import type { FixTools } from '../loop/fix-context.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { SessionState } from '../session/session-state.ts'
import type { TestResults } from '../session/test-results.ts'

/** What a run of the tests of a session works with. */
export interface TestContext extends FixTools {
  readonly state: SessionState
  readonly store: SessionStore
}

/** What a run said. Where it said nothing, `results` has one failure that tells what came. */
export type SessionTests =
  | {
      readonly ok: true
      readonly results: TestResults
      /** By name, as far as the run told them. */
      readonly executed: ExecutedTests
    }
  | {
      readonly ok: false
      readonly results: TestResults
      readonly message: string
      /** Whether it did not even start: nothing that changes the code would help. */
      readonly isSetUp: boolean
    }

/** Of a run that told no test. */
export const noneExecuted: ExecutedTests = { tests: [], areAll: false }

/** Name of what fails where no test is known. */
export const wholeRun = '(the run of the tests)'

/** Tests get no secrets: what an agent writes is run with them. */
export function environmentOf({ env, state }: Pick<TestContext, 'env' | 'state'>): Readonly<Record<string, string>> {
  const kept = new Set(state.settings.passEnv)
  const secret = new Set(collectSecrets({ env, names: [] }).secrets.map(({ value }) => value))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => kept.has(name) || !secret.has(value.trim())))
}
