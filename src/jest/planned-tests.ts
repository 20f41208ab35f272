import { isExecuted } from '../scenario/plan-blocks.ts'
import { placedSteps, type Scenario, type Spec, type Step } from '../spec/spec.ts'

export interface PlannedTest {
  readonly scenario: Scenario
  readonly step: Step
  /** Full name of the test. Jest compares this name with `--testNamePattern`. */
  readonly name: string
  readonly isOnly: boolean
  readonly retry: number
}

export function plannedTests({ scenarios }: Pick<Spec, 'scenarios'>): readonly PlannedTest[] {
  return scenarios.flatMap(placedSteps).map(({ scenario, step, headings, titles }) => ({
    scenario,
    step,
    name: titles.join(' '),
    isOnly: headings.some(({ directives }) => directives.only === true),
    retry: headings.findLast(({ directives }) => directives.retry !== undefined)?.directives.retry ?? 0,
  }))
}

/** Ordinals of the steps that will run. Other steps are excluded by a filter or a directive. */
export function selectedSteps(
  tests: readonly PlannedTest[],
  { scenario, namePattern }: { readonly scenario: Scenario; readonly namePattern: string | undefined },
): ReadonlySet<number> {
  const isFocused = tests.some(({ step, isOnly }) => isOnly && isExecuted(step))
  const pattern = namePattern ? new RegExp(namePattern, 'i') : undefined // Jest also ignores case
  const selected = tests.filter(
    (test) =>
      test.scenario.ordinal === scenario.ordinal &&
      isExecuted(test.step) &&
      (test.isOnly || !isFocused) &&
      (pattern?.test(test.name) ?? true),
  )
  return new Set(selected.map(({ step }) => step.ordinal))
}
