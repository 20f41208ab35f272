import type { TestCase, TestModule } from 'vitest/node'
import { plural } from '../../../system/text/plural.ts'
import type { SkippedCode } from '../../../verdict/verdict.ts'
import { howToStart } from '../../watch/on-demand.ts'
import type {} from '../../plugin/provided.ts'
import { plainLine } from '../../../system/text/plain-text.ts'

const codes: readonly string[] = ['REQUIRES_UNMET', 'SIDE_EFFECTS', 'SKIPPED_BY_BLOCK'] satisfies readonly SkippedCode[]
const maxLines = 10

/** A line for each spec of which something was left out, with why: most reporters do not say it. */
export function leftOutLines(modules: readonly TestModule[]): readonly string[] {
  const lines = modules.flatMap((module) => {
    const reasons = reasonsOf(module)
    return reasons.length === 0 ? [] : [plainLine(`skipped ${module.relativeModuleId}: ${reasons.join(' ')}`)]
  })
  const rest = lines.length - maxLines
  return rest <= 0 ? lines : [...lines.slice(0, maxLines), `skipped ${rest} more for such reasons`]
}

/** One line for all steps that wait for an agent until somebody asks for it. */
export function onDemandLines(modules: readonly TestModule[]): readonly string[] {
  const counts = modules.map(({ children }) => [...children.allTests()].filter(isOnDemand).length)
  const steps = counts.reduce((sum, count) => sum + count, 0)
  if (steps === 0) return []
  const specs = counts.filter((count) => count > 0).length
  const wait = steps === 1 ? 'waits' : 'wait'
  return [`on demand: ${plural(steps, 'step')} in ${plural(specs, 'spec')} ${wait} for an agent. ${howToStart}`]
}

function isOnDemand(test: TestCase): boolean {
  const { reasons = [] } = test.meta().mdtest ?? {}
  return reasons.some(({ code }) => code === 'AGENT_ON_DEMAND')
}

/** Each once: what holds for a spec holds for each of its steps. */
function reasonsOf({ children }: TestModule): readonly string[] {
  const reasons = [...children.allTests()].flatMap((test) => test.meta().mdtest?.reasons ?? [])
  return [...new Set(reasons.filter(({ code }) => codes.includes(code)).map(({ message }) => message))]
}
