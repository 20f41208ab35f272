import type { Reporter, TestModule, TestProject } from 'vitest/node'
import type { Host } from '../host/host.ts'
import { leftOutLines } from './left-out-lines.ts'
import { ownsStdout } from './owns-stdout.ts'
import type {} from './provided.ts'
import { reportersOnStdout } from './reporters-on-stdout.ts'
import { runUsageOf } from './run-usage-of.ts'
import { summarizeRun, type EndedStep } from './summarize-run.ts'

/** Prints the last lines of a run: which specs were left out, what agents used, and how passes are backed. */
export function summaryReporter(project: TestProject, host: Host): Reporter {
  const { vitest } = project
  return {
    onTestRunStart: () => host.beginRun(),
    onTestRunEnd(modules) {
      const specs = modules.filter((module) => module.project === project)
      const leftOut = leftOutLines(specs)
      const usage = vitest.config.mergeReports === undefined ? host.usage : runUsageOf(specs)
      const lines = [...leftOut, ...summarizeRun(specs.flatMap(stepsIn), usage)]
      if (lines.length === 0) return
      const text = lines.join('\n')
      if (ownsStdout(reportersOnStdout(vitest))) vitest.logger.error(text)
      else vitest.logger.log(text)
    },
  }
}

function stepsIn(module: TestModule): readonly EndedStep[] {
  return [...module.children.allTests()].map((test) => ({ state: test.result().state, meta: test.meta().mdtest }))
}
