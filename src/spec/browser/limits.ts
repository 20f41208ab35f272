import type { Block } from '../spec.ts'

/** How long a browser block waits for a page, where it has no `timeout`, in milliseconds. */
export const navigationTimeoutMs = 20_000

/** For a whole browser block, in milliseconds: the limit of a page for each line that awaits something. */
export function browserLimitMs({ code, attributes }: Extract<Block, { kind: 'browser' }>): number {
  const lines = code.split('\n').filter((line) => /\bawait\b/.test(line)).length
  return Math.max(1, lines) * (attributes.timeoutMs ?? navigationTimeoutMs)
}
