import type { ErrorEvent } from './agent.ts'

const lacking = '(?:no|not|missing|invalid|incorrect|bad|wrong|set|provide|expired|required)'
const key = '(?:api[ _-]?key|credential)'
const auth = new RegExp(
  String.raw`\b(?:not|be) (?:logged|signed)[ -]?in\b|\b(?:log|sign)[ -]?(?:in|out)\b|auth(?:enticat|ori[sz])|forbidden|(?:session|token) (?:has )?expired|missing environment variable|\b${lacking}\b.{0,30}${key}|${key}.{0,30}\b${lacking}\b`,
  'i',
)
/** Limits of a plan, which pass by themselves. Limits of a rate pass too soon to be one. */
const planLimit =
  /usage limit|(?:hit|reached) (?:your|the) (?!rate|context|output|max|token|turn)(?:[\w-]+ ){0,2}limit|\d-?h(?:our)? limit|weekly limit/i
const noMoney =
  /credit balance|insufficient[ _](?:quota|credits?|funds|balance)|out of credits|quota (?:exceeded(?! for quota metric)|exhausted)|(?:exceeded|exhausted) your [\w ]*quota|billing|payment required|max_budget|spend(?:ing)? limit/i

/** Kind of an error in an agent's output. The HTTP status outranks the words. */
export function errorCause(message: string, status?: number): 'auth' | 'budget' | 'other' {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402 || noMoney.test(message) || planLimit.test(message)) return 'budget'
  return (status ?? 400) === 400 && auth.test(message) ? 'auth' : 'other'
}

export function toErrorEvent(message: string, status?: number): ErrorEvent {
  return { type: 'error', cause: errorCause(message, status), message, ...(status !== undefined && { status }) }
}

/** The HTTP status of an error, if the text has a number such as 429. */
export function statusIn(text: string): number | undefined {
  const digits = /\b[45]\d\d\b/.exec(text)?.[0]
  return digits === undefined ? undefined : Number(digits)
}

const later = /rate.?limit|overloaded|too many requests/i

/** Whether the provider asks to try again later; false if the account has no money. */
export function isProviderLimit({ message, status }: { readonly message: string; readonly status?: number }): boolean {
  if (status === 402 || noMoney.test(message)) return false
  return status === 429 || status === 529 || later.test(message) || planLimit.test(message)
}
