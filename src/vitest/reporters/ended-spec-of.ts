import { resolve } from 'node:path'
import type { TestCase, TestModule } from 'vitest/node'
import type { EndedSpec, EndedStep } from '../../report/data/spec-record.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type {} from '../plugin/provided.ts'
import { outcomeOf, pathOf } from './spec-results.ts'
import { errorsOf, reasonFile } from './summary/job-summary-of-spec.ts'

/** Collects the data of a finished spec for the report. With shards, the spec may have run on another machine. */
export async function endedSpecOf(
  module: TestModule,
  { root, config, now }: { readonly root: string; readonly config: SpecsConfig; readonly now: Date },
): Promise<EndedSpec> {
  const { endedStepOf, readSource, withFiles } = await import('../../report/data/ended-step.ts')
  const file = resolve(root, module.relativeModuleId)
  const tests = [...module.children.allTests()]
  const times = tests.flatMap((test) => test.diagnostic() ?? [])
  const starts = times.map(({ startTime }) => startTime)
  const ends = times.map(({ startTime, duration }) => startTime + duration)
  const { name } = module.project
  const stepOf = (test: TestCase): EndedStep => {
    const { state, errors = [] } = test.result()
    const line = test.location?.line
    const logText = logTextOf(test)
    const step = endedStepOf(
      {
        titles: pathOf(test).map((each) => each.name),
        ...(line !== undefined && { line }),
        durationMs: Math.round(test.diagnostic()?.duration ?? 0),
        state,
        meta: test.meta().mdtest,
        errors: errors.map(({ message }) => message),
      },
      (log) => resolve(root, log),
    )
    const named = withFiles(step, (each) => resolve(root, reasonFile({ file: each }, module)))
    return { ...named, ...(logText !== undefined && { logText }) }
  }
  return {
    file,
    root,
    ...(name !== 'mdtest' && name !== '' && { project: name }),
    startedAt: new Date(starts.length > 0 ? Math.min(...starts) : now).toISOString(),
    endedAt: new Date(ends.length > 0 ? Math.max(...ends) : now).toISOString(),
    durationMs: Math.round(module.diagnostic().duration),
    outcome: outcomeOf(module),
    problems: errorsOf(module).map(({ message, line }) => ({ message, ...(line !== undefined && { line }) })),
    steps: tests.map(stepOf),
    ...readSource(file, { root, config }),
  }
}

/** Reads the log from the annotations, because merged results of shards contain no log files. */
function logTextOf(test: TestCase): string | undefined {
  const { body, bodyEncoding } = test.annotations().find(({ type }) => type === 'mdtest:log')?.attachment ?? {}
  if (typeof body !== 'string') return body === undefined ? undefined : Buffer.from(body).toString('utf8')
  return bodyEncoding === 'utf-8' ? body : Buffer.from(body, 'base64').toString('utf8')
}
