import { resolve } from 'node:path'
import type { TestCase, TestModule, TestSuite } from 'vitest/node'
import type { EndedSpec, EndedStep } from '../../report/records/ended-spec.ts'
import { countedUsage } from '../../records/agent-usage.ts'
import { withReasons } from '../../records/step-source.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type {} from '../plugin/provided.ts'
import { outcomeOf } from './spec-results.ts'
import { errorsOf, fileOf } from './summary/spec-summary.ts'

interface EndedContext {
  /** Absolute path of the suite root. */
  readonly root: string
  readonly config: SpecsConfig
  readonly now: Date
}

/** What a report has to know of a spec that has ended, here or on another machine. */
export async function endedSpecOf(module: TestModule, { root, config, now }: EndedContext): Promise<EndedSpec> {
  const file = resolve(root, module.relativeModuleId)
  const tests = [...module.children.allTests()]
  const times = tests.flatMap((test) => test.diagnostic() ?? [])
  const starts = times.map(({ startTime }) => startTime)
  const ends = times.map(({ startTime, duration }) => startTime + duration)
  const { name } = module.project
  return {
    file,
    root,
    ...(name !== 'mdtest' && name !== '' && { project: name }),
    startedAt: new Date(starts.length > 0 ? Math.min(...starts) : now).toISOString(),
    endedAt: new Date(ends.length > 0 ? Math.max(...ends) : now).toISOString(),
    durationMs: Math.round(module.diagnostic().duration),
    outcome: outcomeOf(module),
    problems: errorsOf(module).map(({ message, line }) => ({ message, ...(line !== undefined && { line }) })),
    steps: tests.map((test) => endedStepOf(test, root)),
    ...(await sourceOf(file, { root, config })),
  }
}

const maxSpecBytes = 512 * 1024 * 1024

/** As it is now: between the run and this moment nobody but `-u` changes a spec. */
async function sourceOf(
  file: string,
  { root, config }: Pick<EndedContext, 'root' | 'config'>,
): Promise<Pick<EndedSpec, 'text' | 'parsed' | 'included' | 'baseUrl'>> {
  const bytes = readForeignFile(file, maxSpecBytes)
  if (bytes === undefined) return { included: new Map() }
  const { planSpec } = await import('../../plan/plan-spec.ts')
  const planned = planSpec(bytes, { file, root, ...config })
  const text = bytes.toString('utf8')
  if (!planned.ok) return { text, included: planned.included }
  const { spec: parsed, settings } = planned.plan
  const { baseUrl } = settings.browser
  return { text, included: planned.included, parsed, ...(baseUrl !== undefined && { baseUrl }) }
}

function endedStepOf(test: TestCase, root: string): EndedStep {
  const meta = test.meta().mdtest
  const { state, errors = [] } = test.result()
  const line = test.location?.line
  const relativeTo = <T extends Pick<EndedStep['reasons'][number], 'file'>>(reason: T): T =>
    reason.file === undefined ? reason : { ...reason, file: fileOf(reason, test.module) }
  const common = {
    titles: titlesOf(test),
    ...(line !== undefined && { line }),
    durationMs: Math.round(test.diagnostic()?.duration ?? 0),
  }
  if (meta === undefined) {
    const reasons = errors.map(({ message }) => ({ code: 'ERROR', message }))
    return { ...common, outcome: outcomes[state], reasons }
  }
  const { outcome, assurance, source, executor, reasons, expected, change, rate, flaky, log, usage } = meta
  const logText = logTextOf(test)
  return {
    ...common,
    // Something else may have failed it, for example its time limit.
    outcome: state === 'failed' && (outcome === 'pass' || outcome === 'skipped') ? 'fail' : outcome,
    ...(assurance && { assurance }),
    ...(source && { source: withReasons(source, relativeTo) }),
    ...(executor && { executor }),
    reasons: reasons.map(relativeTo),
    ...(expected && { expected: expected.map(relativeTo) }),
    ...(change !== undefined && { change }),
    ...(rate && { rate }),
    ...(flaky && { flaky }),
    ...(log !== undefined && { logFile: resolve(root, log) }),
    ...(logText !== undefined && { logText }),
    ...(usage && { usage: countedUsage(usage) }),
  }
}

const outcomes = { passed: 'pass', failed: 'fail', skipped: 'skipped', pending: 'fail' } as const // literals

function titlesOf(test: TestCase): readonly string[] {
  const titles = [test.name]
  for (let { parent }: TestCase | TestSuite = test; parent.type === 'suite'; { parent } = parent)
    titles.unshift(parent.name)
  return titles
}

/** The log travels with the results of a shard, its other files do not. */
function logTextOf(test: TestCase): string | undefined {
  const { body, bodyEncoding } = test.annotations().find(({ type }) => type === 'mdtest:log')?.attachment ?? {}
  if (typeof body !== 'string') return body === undefined ? undefined : Buffer.from(body).toString('utf8')
  return bodyEncoding === 'utf-8' ? body : Buffer.from(body, 'base64').toString('utf8')
}
