import { isLeftOut } from '../../scenario/plan-blocks.ts'
import type { Block, Hook, Step } from '../../spec/spec.ts'

/** Who does a part of a step: the agent, or mdtest with a block of a kind; `todo` and `skip` where nobody does anything. */
export type Actor = 'agent' | BlockLabel | 'todo' | 'skip'
type BlockLabel = 'console' | 'sh' | 'ts' | 'js' | 'browser' | 'file'

/**
 * Who acts in a step, in order; the same one twice in a row stands there once.
 * @param blocks all that run in the step, those of the headings above included
 */
export function actorsOf(step: Step, blocks: readonly Block[]): readonly Actor[] {
  if (isLeftOut(step)) return [step.directives.skip === undefined ? 'todo' : 'skip']
  if (step.actor === 'todo') return ['todo']
  const before = blocks.filter(({ role }) => role !== 'verify')
  const after = blocks.filter(({ role }) => role === 'verify')
  return inOrder([before, step.actor === 'agent', after])
}

/** Who acts in a set-up or tear-down. A tear-down has blocks or prose, never both. */
export function actorsOfHook({ hasProse }: Hook, blocks: readonly Block[]): readonly Actor[] {
  return inOrder([blocks, hasProse, []])
}

type Course = readonly [before: readonly Block[], hasAgent: boolean, after: readonly Block[]]

function inOrder([before, hasAgent, after]: Course): readonly Actor[] {
  const agent: readonly Actor[] = hasAgent ? ['agent'] : []
  const all = [...before.map(labelOf), ...agent, ...after.map(labelOf)]
  return all.filter((actor, index) => actor !== all[index - 1])
}

/** A new kind of block is a type error here until it has a label. */
function labelOf(block: Block): BlockLabel {
  switch (block.kind) {
    case 'script':
      return 'sh'
    case 'module':
      return block.language
    case 'console':
    case 'browser':
    case 'file':
      return block.kind
    default:
      return block satisfies never
  }
}
