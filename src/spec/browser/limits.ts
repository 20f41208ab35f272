import type { Block } from '../spec.ts'

/** How long a browser block waits for a page, where it has no `timeout`, in milliseconds. */
export const navigationTimeoutMs = 20_000

/** What is typed may be a one-time code that was used a moment ago: then the next one is waited for. */
const codeMs = 35_000

/** For a whole browser block, in milliseconds: the limit of a page for each line that awaits something. */
export function browserLimitMs({ code, attributes }: Extract<Block, { kind: 'browser' }>): number {
  const lines = code.split('\n').filter((line) => /\bawait\b/.test(line)).length
  const codes = code.split(/\bsecret\(/).length - 1
  return Math.max(1, lines) * (attributes.timeoutMs ?? navigationTimeoutMs) + codes * codeMs
}
