import type { Reporter, TestModule, TestProject } from 'vitest/node'
import type { Host } from '../../../host/server/host.ts'
import { leftOutLines, onDemandLines } from '../lines/left-out-lines.ts'
import { printLine } from '../lines/print-line.ts'
import type {} from '../../plugin/provided.ts'
import { runUsageOf } from '../run-usage-of.ts'
import { summarizeRun, type EndedStep } from '../../../plan/summarize-run.ts'

/** Vitest 5 finds them. */
const otherPath =
  'mdtest: Some of the merged results are of a project at another path, and this version of Vitest puts them into no report. Use the same path for the project on every machine.'

/** Prints the last lines of a run: which specs were left out, what agents used, and how passes are backed. */
export function summaryReporter(project: TestProject, host: Host): Reporter {
  const { vitest } = project
  return {
    onTestRunStart: (specifications) =>
      host.beginRun({ hasSpecs: specifications.some((specification) => specification.project === project) }),
    onTestRunEnd(modules) {
      const isMerged = vitest.config.mergeReports !== undefined
      if (isMerged && modules.length < vitest.state.getTestModules().length) vitest.logger.error(otherPath)
      const specs = modules.filter((module) => module.project === project)
      const leftOut = leftOutLines(specs)
      const usage = isMerged ? runUsageOf(specs) : host.usage
      const lines = [...leftOut, ...onDemandLines(specs), ...summarizeRun(specs.flatMap(stepsIn), usage)]
      if (lines.length === 0) return
      printLine(vitest, lines.join('\n'))
    },
  }
}

function stepsIn(module: TestModule): readonly EndedStep[] {
  return [...module.children.allTests()].map((test) => ({ state: test.result().state, meta: test.meta().mdtest }))
}
