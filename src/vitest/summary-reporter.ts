import type { Reporter, TestModule, TestProject } from 'vitest/node'
import type { Host } from '../host/host.ts'
import { leftOutLines, onDemandLines } from './left-out-lines.ts'
import { printLine } from './print-line.ts'
import type {} from './provided.ts'
import { summarizeRun, type EndedStep } from '../suite/summarize-run.ts'

/** Prints the last lines of a run: which specs were left out, what agents used, and how passes are backed. */
export function summaryReporter(project: TestProject, host: Host): Reporter {
  const { vitest } = project
  return {
    onTestRunStart: (specifications) =>
      host.beginRun({ hasSpecs: specifications.some((specification) => specification.project === project) }),
    onTestRunEnd(modules) {
      const specs = modules.filter((module) => module.project === project)
      const leftOut = leftOutLines(specs, vitest.config.root)
      const lines = [...leftOut, ...onDemandLines(specs), ...summarizeRun(specs.flatMap(stepsIn), host.usage)]
      if (lines.length === 0) return
      printLine(vitest, lines.join('\n'))
    },
  }
}

function stepsIn(module: TestModule): readonly EndedStep[] {
  return [...module.children.allTests()].map((test) => ({ state: test.result().state, meta: test.meta().mdtest }))
}
