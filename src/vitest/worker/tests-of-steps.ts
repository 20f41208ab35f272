import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { describesOf, type Group, type Scenario, type Step } from '../../spec/spec.ts'

/** The tests of a scenario's steps, by ordinal. A title is unique under its parent. */
export function testsOfSteps(file: RunnerTestFile, scenario: Scenario): ReadonlyMap<number, RunnerTestCase> {
  const tests = new Map(file.tasks.flatMap((task) => testsBelow(task, [])))
  const path = describesOf(scenario)
  return new Map(
    stepsWithPaths(scenario.children, path).flatMap(([step, name]) => {
      const test = tests.get(name)
      return test ? [[step.ordinal, test] as const] : [] // a pair, not a list
    }),
  )
}

function pathName(titles: readonly string[]): string {
  return JSON.stringify(titles)
}

function testsBelow(task: RunnerTask, above: readonly string[]): readonly (readonly [string, RunnerTestCase])[] {
  const path = [...above, task.name]
  return task.type === 'suite' ? task.tasks.flatMap((child) => testsBelow(child, path)) : [[pathName(path), task]]
}

function stepsWithPaths(
  nodes: readonly (Group | Step)[],
  above: readonly string[],
): readonly (readonly [Step, string])[] {
  return nodes.flatMap((node) => {
    const path = [...above, node.title]
    return node.kind === 'step' ? [[node, pathName(path)] as const] : stepsWithPaths(node.children, path) // a pair, not a list
  })
}
