import { at } from '../lib/at.ts'
import { actions, openLoop } from '../lib/browser-loop.ts'
import type { Measure } from '../lib/measure.ts'

interface Sent {
  readonly steps: number
  /** Tokens of all requests together */
  readonly sum: number
  /** Tokens of all requests together if nothing were removed from the conversation */
  readonly wholeSum: number
}

const stepCounts = [20, 40, 80]
/** A rule of thumb for English and JSON */
const bytesPerToken = 4

/** Compares the tokens sent for browser specs with those of a conversation from which nothing is removed. */
export const browserTokens: Measure = async ({ log }) => {
  const loop = await openLoop(actions.key)
  if (loop === undefined) return [{ name: 'tokens sent', verdict: 'skipped', note: 'no Chrome or Chromium' }]
  try {
    const rows: Sent[] = []
    for (const steps of stepCounts) {
      const sent = (await loop.run(steps)).map(({ bodyBytes }) => bodyBytes / bytesPerToken)
      log(
        `${steps} steps: ${thousands(at(sent, 0))} tokens in the first request, ${thousands(at(sent, -1))} in the last`,
      )
      rows.push({ steps, sum: sum(sent), wholeSum: sum(wholeConversation(sent)) })
    }
    return rows.map(({ steps, sum: ours, wholeSum }, index) => ({
      name: `tokens sent in ${steps} steps`,
      ours: `${thousands(ours / steps)} a step`,
      plain: `${thousands(wholeSum / steps)} a step`,
      result: `${(ours / wholeSum).toFixed(2)}x`,
      ...(index > 0 && growthFrom(at(rows, index - 1), { steps, sum: ours, wholeSum })),
    }))
  } finally {
    await loop.close()
  }
}

/** Sizes of the requests if nothing were removed: each step adds as much as the first. */
function wholeConversation(sent: readonly number[]): readonly number[] {
  const [first, second] = [at(sent, 0), at(sent, 1)]
  return sent.map((_, index) => first + index * (second - first))
}

function growthFrom(before: Sent, after: Sent): { note: string } {
  const exponent = (of: (row: Sent) => number): number =>
    Math.log(of(after) / of(before)) / Math.log(after.steps / before.steps)
  const ours = exponent((row) => row.sum)
  return {
    note: `grows with exponent ${ours.toFixed(2)} from ${before.steps} steps; whole ${exponent((row) => row.wholeSum).toFixed(2)}`,
  }
}

function thousands(tokens: number): string {
  return `${(tokens / 1000).toFixed(1)} k`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
