import type { Fence } from './read-fence.ts'
import { isMarkedFence } from './swallowed-fence.ts'

/** Languages that mdtest executes. */
export const executedLanguages: readonly string[] = ['console', 'sh', 'bash', 'js', 'ts']

const outputLanguages: readonly string[] = ['output', 'stdout', 'stderr']

/** What a fence is to us; `left-out` is a block that would run without its `skip`. */
export type FenceUse = 'block' | 'output' | 'left-out' | 'prose'

/** Decides what a fence is, from its info string alone. */
export function classifyFence(
  { language, words, container }: Fence,
  { isAgentNone, followsBlock }: { readonly isAgentNone: boolean; readonly followsBlock: boolean },
): FenceUse {
  if (isMarkedFence(words)) return 'block'
  if (isAgentNone && executedLanguages.includes(language)) {
    return words.some(({ name, value }) => name === 'skip' && value === undefined) ? 'left-out' : 'block'
  }
  // For an agent, output that belongs to no block of ours is part of its instructions.
  const isOutput = outputLanguages.includes(language) && container === undefined
  return isOutput && (isAgentNone || followsBlock) ? 'output' : 'prose'
}
