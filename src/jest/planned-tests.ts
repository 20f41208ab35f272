import { isExecuted } from '../scenario/plan-blocks.ts'
import type { Group, Scenario, Spec, Step } from '../spec/spec.ts'

export interface PlannedTest {
  readonly scenario: Scenario
  readonly step: Step
  /** Full name of the test. Jest compares this name with `--testNamePattern`. */
  readonly name: string
  readonly isOnly: boolean
  readonly retry: number
}

export function plannedTests({ scenarios }: Pick<Spec, 'scenarios'>): readonly PlannedTest[] {
  return scenarios.flatMap((scenario) => {
    const { title, directives, hasDescribe, groups = [] } = scenario
    const top = { scenario, titles: groups.map((group) => group.title), isOnly: false, retry: 0 }
    const above = hasDescribe ? within(top, { title, directives }) : top
    return scenario.children.flatMap((child) => testsBelow(child, above))
  })
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

interface Above {
  readonly scenario: Scenario
  readonly titles: readonly string[]
  readonly isOnly: boolean
  readonly retry: number
}

function testsBelow(child: Group | Step, above: Above): readonly PlannedTest[] {
  const here = within(above, child)
  if (child.kind === 'group') return child.children.flatMap((grandchild) => testsBelow(grandchild, here))
  const { titles, ...rest } = here
  return [{ ...rest, step: child, name: titles.join(' ') }]
}

function within(above: Above, { title, directives }: Pick<Group, 'title' | 'directives'>): Above {
  return {
    ...above,
    titles: [...above.titles, title],
    isOnly: above.isOnly || directives.only === true,
    retry: directives.retry ?? above.retry,
  }
}
