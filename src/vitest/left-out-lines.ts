import type { TestModule } from 'vitest/node'
import type { SkippedCode } from '../verdict/verdict.ts'
import type {} from './provided.ts'

const codes: readonly string[] = ['REQUIRES_UNMET', 'SIDE_EFFECTS'] satisfies readonly SkippedCode[]
const maxLines = 10

/** A line for each spec that was left out before anything of it started, with why: most reporters do not say it. */
export function leftOutLines(modules: readonly TestModule[]): readonly string[] {
  const lines = modules.flatMap((module) => {
    const reasons = reasonsOf(module)
    return reasons.length === 0 ? [] : [`skipped ${module.relativeModuleId}: ${reasons.join(' ')}`]
  })
  const rest = lines.length - maxLines
  return rest <= 0 ? lines : [...lines.slice(0, maxLines), `skipped ${rest} more for such reasons`]
}

/** What holds for a spec holds for each of its steps. */
function reasonsOf({ children }: TestModule): readonly string[] {
  for (const test of children.allTests()) {
    const { reasons = [] } = test.meta().mdtest ?? {}
    const messages = reasons.filter(({ code }) => codes.includes(code)).map(({ message }) => message)
    if (messages.length > 0) return messages
  }
  return []
}
