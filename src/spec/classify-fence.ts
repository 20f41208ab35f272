import type { Fence } from './read-fence.ts'
import type { Word } from './parse-words.ts'

/** Languages that mdtest executes. */
export const executedLanguages: readonly string[] = ['console', 'sh', 'bash', 'js', 'ts', 'scrut']

const outputLanguages: readonly string[] = ['output', 'stdout', 'stderr']

/** What a fence is to us; `left-out` is a block that would run without its `skip`. */
export type FenceUse = 'block' | 'output' | 'left-out' | 'prose'

/** Whether the words of an info string make a fence ours. */
function isMarkedFence(words: readonly Word[]): boolean {
  return words.some(({ name, value }) => (value === undefined ? name === 'run' || name === 'verify' : name === 'file'))
}

/** The language of an info string and its other words; a fence may begin with an attribute. */
export function splitInfo(all: readonly Word[]): Pick<Fence, 'language' | 'words'> {
  return isMarkedFence(all.slice(0, 1))
    ? { language: '', words: all }
    : { language: all[0]?.raw ?? '', words: all.slice(1) }
}

/** Decides what a fence is, from its info string alone. */
export function classifyFence(
  { language, words, container }: Pick<Fence, 'language' | 'words' | 'container'>,
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
