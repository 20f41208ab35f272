import { didYouMean } from '../../system/text/did-you-mean.ts'
import { z } from 'zod'
import { handsModes, sandboxModes, type GivenHands } from './hands.ts'

/** Takes the mode alone, or a mapping. */
export const handsSchema = z
  .union([
    z.enum(handsModes),
    z.strictObject({ mode: z.enum(handsModes).exactOptional(), sandbox: z.enum(sandboxModes).exactOptional() }),
  ])
  .transform((given): GivenHands => (typeof given === 'string' ? { mode: given } : given))

/** Which word was likely meant in a value of `hands` that is none, to be put behind a sentence; else empty. */
export function handsHint(value: unknown): string {
  if (typeof value === 'string') return didYouMean(value, handsModes)
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
  ['mode', handsModes],
  ['sandbox', sandboxModes],
])
