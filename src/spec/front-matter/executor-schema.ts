import { didYouMean } from '../../system/text/did-you-mean.ts'
import { z } from 'zod'
import { executorModes, sandboxModes, type GivenExecutor } from './executor.ts'

/** Takes the mode alone, or a mapping. */
export const executorSchema = z
  .union([
    z.enum(executorModes),
    z.strictObject({ mode: z.enum(executorModes).exactOptional(), sandbox: z.enum(sandboxModes).exactOptional() }),
  ])
  .transform((given): GivenExecutor => (typeof given === 'string' ? { mode: given } : given))

/** Which word was likely meant in a value of `executor` that is none, to be put behind a sentence; else empty. */
export function executorHint(value: unknown): string {
  if (typeof value === 'string') return didYouMean(value, executorModes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  return Object.entries(value)
    .map(([key, word]) => {
      const words: readonly string[] | undefined = wordsOf.get(key)
      if (words === undefined) return didYouMean(key, [...wordsOf.keys()])
      return typeof word === 'string' && !words.includes(word) ? didYouMean(word, words) : ''
    })
    .join('')
}

const wordsOf = new Map<string, readonly string[]>([
  ['mode', executorModes],
  ['sandbox', sandboxModes],
])
