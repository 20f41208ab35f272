import type { Reporter, TestModule, TestProject, TestCase } from 'vitest/node'
import type { Host } from '../../../host/server/host.ts'
import { printLine } from '../lines/print-line.ts'
import { pathOf } from '../spec-results.ts'
import { summarizeRun } from '../../../plan/summary-lines.ts'
import type { RunUsage } from '../../../host/agent-run/budget.ts'
import { countedUsage, sumUsage } from '../../../records/tokens-and-cost.ts'
import type { SkippedCode } from '../../../verdict/verdict.ts'
import { howToStart } from '../../watch/agents-on-demand.ts'
import { plainLine } from '../../../system/text/plain-text.ts'
import { plural } from '../../../system/text/wording.ts'

/** Printed only with Vitest 4. Vitest 5 also finds results of a project at another path. */
const otherPath =
  'mdtest: Some of the merged results are from a project at another path, and this version of Vitest leaves them out of all reports. Use the same path for the project on every machine.'

export function summaryReporter(project: TestProject, host: Host): Reporter {
  const { vitest } = project
  return {
    onTestRunStart: (specifications) =>
      host.beginRun({ specCount: specifications.filter((specification) => specification.project === project).length }),
    async onTestRunEnd(modules) {
      await host.endRun()
      const isMerged = vitest.config.mergeReports !== undefined
      if (isMerged && modules.length < vitest.state.getTestModules().length) vitest.logger.error(otherPath)
      const specs = modules.filter((module) => module.project === project)
      const tests = specs.flatMap((module) => [...module.children.allTests()])
      const usage = isMerged ? runUsageOf(tests) : host.usage
      const steps = tests.map((test) => ({ state: test.result().state, meta: test.meta().mdtest }))
      const lines = [...leftOutLines(specs), ...onDemandLines(specs), ...summarizeRun(steps, usage)]
      if (lines.length > 0) printLine(vitest, lines.join('\n'))
    },
  }
}

/** Sums up the usage recorded in the tests, because a run that merges results starts no agents. */
function runUsageOf(tests: readonly TestCase[]): RunUsage {
  const paid = tests.flatMap((test) => {
    const { usage } = test.meta().mdtest ?? {}
    return usage === undefined ? [] : [{ scenario: pathOf(test)[0]?.id, usage: countedUsage(usage) }]
  })
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

const codes: readonly string[] = ['REQUIRES_UNMET', 'SIDE_EFFECTS', 'SKIPPED_BY_BLOCK'] satisfies readonly SkippedCode[]
const maxLines = 10

/** Lines with the reasons of skipped specs, because most reporters do not print reasons. */
function leftOutLines(modules: readonly TestModule[]): readonly string[] {
  const lines = modules.flatMap((module) => {
    const reasons = [...module.children.allTests()].flatMap((test) => test.meta().mdtest?.reasons ?? [])
    // Usually all steps of a spec have the same reason, so show each message once.
    const messages = new Set(reasons.filter(({ code }) => codes.includes(code)).map(({ message }) => message))
    return messages.size === 0 ? [] : [plainLine(`skipped ${module.relativeModuleId}: ${[...messages].join(' ')}`)]
  })
  const rest = lines.length - maxLines
  return rest <= 0 ? lines : [...lines.slice(0, maxLines), `skipped ${rest} more for such reasons`]
}

function onDemandLines(modules: readonly TestModule[]): readonly string[] {
  const tests = modules.flatMap(({ children }) => [...children.allTests()])
  const waiting = tests.filter((test) => test.meta().mdtest?.reasons.some(({ code }) => code === 'AGENT_ON_DEMAND'))
  if (waiting.length === 0) return []
  const specs = plural(new Set(waiting.map(({ module }) => module)).size, 'spec')
  const wait = waiting.length === 1 ? 'waits' : 'wait'
  return [`on demand: ${plural(waiting.length, 'step')} in ${specs} ${wait} for an agent. ${howToStart}`]
}
