import type { TestCase, TestModule, TestSuite } from 'vitest/node'
import type { RunUsage } from '../../host/agent-run/spending.ts'
import { countedUsage, sumUsage } from '../../records/agent-usage.ts'
import type {} from '../plugin/provided.ts'

/** What the agents of these specs used, as their tests say: for a merged run, of which this process started none. */
export function runUsageOf(modules: readonly TestModule[]): RunUsage {
  const paid = modules
    .flatMap((module) => [...module.children.allTests()])
    .flatMap((test) => ({ test, usage: test.meta().mdtest?.usage }))
    .flatMap(({ test, usage }) =>
      usage === undefined ? [] : [{ scenario: scenarioOf(test), usage: countedUsage(usage) }],
    )
  const scenarios = new Set(paid.map(({ scenario }) => scenario)).size
  const { inputTokens, outputTokens, costUsd } = sumUsage(paid.map(({ usage }) => usage))
  return {
    scenarios,
    agents: scenarios,
    inputTokens,
    outputTokens,
    ...(costUsd !== undefined && { costUsd }),
    withoutCost: paid.filter(({ usage }) => usage.costUsd === undefined).length,
  }
}

/** The outermost heading is that of the scenario. */
function scenarioOf(test: TestCase): string {
  let outermost: TestCase | TestSuite = test
  while (outermost.parent.type !== 'module') outermost = outermost.parent
  return outermost.id
}
