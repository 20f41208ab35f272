import type { Block } from '../spec.ts'

/** How long a browser block without `timeout` waits for a page. */
export const navigationTimeoutMs = 20_000

/** Time for a `secret(…)` call. If a one-time code was just used, the call waits for the next code. */
const codeMs = 35_000

/** Time limit of a browser block: the limit for a page times the number of `await` lines, plus time for codes. */
export function browserLimitMs({ code, attributes }: Extract<Block, { kind: 'browser' }>): number {
  const lines = code.split('\n').filter((line) => /\bawait\b/.test(line)).length
  const codes = code.split(/\bsecret\(/).length - 1
  return Math.max(1, lines) * (attributes.timeoutMs ?? navigationTimeoutMs) + codes * codeMs
}
