import type { Report } from './spec-rules.ts'
import { blocksOf, type Spec } from './spec.ts'

/** Reports a spec that would test nothing. */
export function reportNothing({ agent, scenarios }: Spec, report: Report): void {
  const isNothing = agent === 'none' ? scenarios.flatMap(blocksOf).length === 0 : scenarios.length === 0
  if (!isNothing) return
  const message =
    'No agent acts here and there is no block to execute, so nothing would be tested. Mark a block, or name an agent.'
  report('nothing-to-execute', { line: 1, column: 1 }, message)
}
