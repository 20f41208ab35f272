import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'
import type { Host } from '../host/host.ts'
import { ownsStdout } from './owns-stdout.ts'
import type {} from './provided.ts'
import { summarizeRun, type EndedStep } from './summarize-run.ts'

/** Prints the last lines of a run: what agents used, and how passes are backed. */
export function summaryReporter(project: TestProject, host: Host): Reporter {
  const { vitest } = project
  return {
    onTestRunStart: () => host.beginRun(),
    onTestRunEnd(modules) {
      const steps = modules.filter((module) => module.project === project).flatMap(stepsIn)
      const lines = summarizeRun(steps, host.usage)
      if (lines.length === 0) return
      const text = lines.join('\n')
      if (ownsStdout(reportersOnStdout(vitest))) vitest.logger.error(text)
      else vitest.logger.log(`${text}\n`)
    },
  }
}

function stepsIn(module: TestModule): readonly EndedStep[] {
  return [...module.children.allTests()].map((test) => ({ state: test.result().state, meta: test.meta().mdtest }))
}

/** By name; what was given as an object is a reporter of the user's, or ours, and writes what it likes. */
function reportersOnStdout({ config }: Vitest): readonly string[] {
  const { outputFile } = config
  const filed = typeof outputFile === 'object' ? Object.keys(outputFile) : []
  return config.reporters.flatMap((reporter) => {
    const [name, options] = Array.isArray(reporter) ? reporter : [undefined, undefined]
    const hasFile = typeof outputFile === 'string' || hasOutputFile(options)
    return typeof name !== 'string' || hasFile || filed.includes(name) ? [] : [name]
  })
}

function hasOutputFile(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'outputFile' in options && options.outputFile !== undefined
}
