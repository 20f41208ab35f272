import type { RunnerTask, RunnerTestFile } from 'vitest'
import type { Group, Scenario, Step } from '../spec/spec.ts'

/** Ordinals of the steps of a scenario that this run reports; a filter leaves out the others. */
export function selectedSteps(file: RunnerTestFile, scenario: Scenario): ReadonlySet<number> {
  const names = new Set(file.tasks.flatMap((task) => runningTests(task, [])))
  const path = scenario.hasDescribe ? [scenario.title] : []
  return new Set(
    stepsWithPaths(scenario.children, path).flatMap(([step, name]) => (names.has(name) ? [step.ordinal] : [])),
  )
}

/** Titles are unique under one parent, so the titles from the top name a test. */
function pathName(titles: readonly string[]): string {
  return JSON.stringify(titles)
}

function runningTests(task: RunnerTask, above: readonly string[]): readonly string[] {
  const path = [...above, task.name]
  if (task.type === 'suite') return task.tasks.flatMap((child) => runningTests(child, path))
  return task.mode === 'run' || task.mode === 'queued' ? [pathName(path)] : []
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
