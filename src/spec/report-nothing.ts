import type { Report } from './spec-rules.ts'
import type { Block, Group, Scenario, Spec, Step } from './spec.ts'

/** Reports a spec that would test nothing. */
export function reportNothing({ agent, scenarios }: Spec, report: Report): void {
  const isNothing = agent === 'none' ? !scenarios.some(hasBlocks) : scenarios.length === 0
  if (!isNothing) return
  const message =
    'No agent acts here and there is no block to execute, so nothing would be tested. Mark a block, or name an agent.'
  report('nothing-to-execute', { line: 1, column: 1 }, message)
}

function hasBlocks(part: Scenario | Group | Step): boolean {
  const hooks: readonly (readonly Block[] | undefined)[] =
    'setup' in part || 'teardown' in part ? [part.setup?.blocks, part.teardown?.blocks] : []
  const children = 'children' in part ? part.children : []
  return (
    part.blocks.length > 0 ||
    hooks.some((blocks) => blocks !== undefined && blocks.length > 0) ||
    children.some(hasBlocks)
  )
}
