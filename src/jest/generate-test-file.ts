import { generateTests, type GeneratedModule, quoteTitle } from '../plan/module-lines.ts'
import { stepTimeoutMs } from '../plan/scenario-timeout.ts'
import { plannedTests, type PlannedTest } from './planned-tests.ts'
import type { JestPlan } from './protocol.ts'

/** Puts each `describe` and `test` on the line of its heading. @param runtime path of a CommonJS file */
export function generateTestFile(
  plan: JestPlan,
  { text, runtime }: { readonly text: string; readonly runtime: string },
): GeneratedModule {
  const json = JSON.stringify(JSON.stringify(plan))
  const tests = plannedTests(plan.spec)
  return generateTests(plan.spec, text, {
    start: [
      `const { describe, test: jestTest, afterAll } = require("@jest/globals");`,
      `const mdtest = require(${JSON.stringify(runtime)}).openSpec(JSON.parse(${json}));`,
      `const test = mdtest.testOf(jestTest);`,
    ],
    open: ({ title }) => `describe(${quoteTitle(title)}, () => {`,
    step: (step) =>
      tests
        .filter((test) => test.step === step)
        .map(callOf)
        .join(''),
    tearDown: ({ ordinal }) => `afterAll(() => mdtest.end(${ordinal}), ${stepTimeoutMs});`,
    // Jest runs hooks in the order of their definition, and `close` must run last.
    end: `afterAll(() => mdtest.close(), ${stepTimeoutMs});`,
  })
}

/** Puts `skip` and `only` on steps, not on `describe`: in a `describe.only`, a `test.only` skips the other steps. */
function callOf({ scenario, step, isOnly }: PlannedTest): string {
  const title = quoteTitle(step.title)
  const { skip, todo } = step.directives
  if (step.actor === 'todo' || todo) return `test.todo(${title});`
  const call = skip !== undefined ? 'test.skip' : isOnly ? 'test.only' : 'test'
  return `${call}(${title}, () => mdtest.step(${scenario.ordinal}, ${step.ordinal}), ${stepTimeoutMs});`
}
