import type { SummarizedSpec, SummaryReason } from '../../../pull-request/job-summary.ts'
import { pathIn } from '../../../system/files/paths.ts'
import type { TestCase, TestModule } from 'vitest/node'
import type { Reason } from '../../../verdict/verdict.ts'
import type {} from '../../plugin/provided.ts'
import { outcomeOf } from '../spec-results.ts'

export function summarizeSpec(module: TestModule): SummarizedSpec {
  const tests = [...module.children.allTests()]
  const metas = tests.flatMap((test) => test.meta().mdtest ?? [])
  const costs = metas.flatMap(({ usage }) => usage?.costUsd ?? [])
  return {
    file: module.relativeModuleId,
    outcome: outcomeOf(module),
    assurances: metas.flatMap(({ assurance, expected }) => (expected === undefined && assurance) || []),
    expected: metas.filter(({ expected }) => expected !== undefined).length,
    sources: metas.flatMap(({ source }) => source ?? []),
    reasons: [...errorsOf(module), ...tests.flatMap(testReasons)],
    ...(costs.length > 0 && { costUsd: costs.reduce((sum, one) => sum + one, 0) }),
    durationMs: module.diagnostic().duration,
  }
}

export function errorsOf(module: TestModule): readonly SummaryReason[] {
  const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors())
  return errors.map(({ message, stacks }) => ({
    code: undefined,
    message,
    file: module.relativeModuleId,
    line: stacks?.[0]?.line,
  }))
}

function testReasons(test: TestCase): readonly SummaryReason[] {
  const { module, location } = test
  const { outcome, reasons = [] } = test.meta().mdtest ?? {}
  const { state, errors = [] } = test.result()
  // Omit "an earlier step failed", because the reasons of that step are listed anyway.
  const own = reasons.filter(({ code }) => code !== 'PREDECESSOR_FAILED')
  if (outcome !== undefined && outcome !== 'pass') {
    return own.map((reason) => ({ ...reason, file: reasonFile(reason, module), line: reason.line ?? location?.line }))
  }
  const file = module.relativeModuleId
  if (state === 'failed') return errors.map(({ message }) => ({ code: undefined, message, file, line: location?.line }))
  return []
}

/** Path of a reason's file, relative to the root. File and root may be paths of another machine, where the spec ran. */
export function reasonFile({ file }: Pick<Reason, 'file'>, { moduleId, relativeModuleId }: TestModule): string {
  if (file === undefined) return relativeModuleId
  return pathIn(moduleId.slice(0, -relativeModuleId.length), file)
}
