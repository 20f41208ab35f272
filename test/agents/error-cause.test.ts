import { expect, test } from 'vitest'
import { errorCause, isProviderLimit } from '../../src/agents/provider-errors.ts'

test.for([
  ['API Error: Request rejected (429) · rate limit: slow down', 429, 'other', true],
  ['API Error: 529 Overloaded. This is a server-side issue, usually temporary', 529, 'other', true],
  ['exceeded retry limit, last status: 429 Too Many Requests', undefined, 'other', true],
  ["You've hit your usage limit. Upgrade, or try again at 3:05 PM.", undefined, 'budget', true],
  ["You've hit your limit · resets 3pm", undefined, 'other', true],
  ['You exceeded your current quota, please check your plan and billing details.', 429, 'budget', false],
  ['Your credit balance is too low.', 400, 'budget', false],
  ['error_max_budget_usd', undefined, 'budget', false],
  ['Invalid API key', 401, 'auth', false],
  ['API Error: 500 Internal server error', 500, 'other', false],
] as const)('%s', ([message, status, cause, isLimit]) => {
  expect(errorCause(message, status)).toBe(cause)
  expect(isProviderLimit({ message, ...(status !== undefined && { status }) })).toBe(isLimit)
})
