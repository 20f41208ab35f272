import type { ErrorEvent } from './agent.ts'

const auth =
  /not logged in|failed to authenticate|authentication|unauthorized|forbidden|invalid api key|missing environment variable|please run \/login|codex login/i
const budget =
  /usage limit|credit balance|insufficient[ _]quota|exceeded your current quota|billing|max_budget|spend(ing)? limit/i

/** Kind of an error in an agent's output. The HTTP status outranks the words. */
export function errorCause(message: string, status?: number): 'auth' | 'budget' | 'other' {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402 || budget.test(message)) return 'budget'
  return status === undefined && auth.test(message) ? 'auth' : 'other'
}

export function toErrorEvent(message: string, status?: number): ErrorEvent {
  return { type: 'error', cause: errorCause(message, status), message, ...(status !== undefined && { status }) }
}

/** The HTTP status of an error, if the text has a number such as 429. */
export function statusIn(text: string): number | undefined {
  const digits = /\b[45]\d\d\b/.exec(text)?.[0]
  return digits === undefined ? undefined : Number(digits)
}

const later = /rate.?limit|overloaded|usage limit|hit your (?:\w+ )?limit|too many requests/i

/** Whether the provider asks to try again later; false if the account has no money. */
export function isProviderLimit({ message, status }: { readonly message: string; readonly status?: number }): boolean {
  const isNoMoney = status === 402 || budget.test(message.replaceAll(/usage limit/gi, ''))
  return !isNoMoney && (status === 429 || status === 529 || later.test(message))
}
