import type { Runner } from '../../runner.ts'

export type PlainReader = NonNullable<Runner['readPlain']>

/** Nobody reads more, and a program can print millions of lines that look like failures. */
export const maxFailures = 1000

/** The number before a word, `0` where the word is missing: 3 in `3 failed, 1 passed` for `failed`. */
export function countIn(text: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}\\b`).exec(text)?.[1] ?? 0)
}
