import { expect, test } from 'vitest'
import { errorCause, isProviderLimit } from '../../src/agents/provider-errors.ts'

test.for([
  ['API Error: Request rejected (429) · rate limit: slow down', 429, 'other', true],
  ['API Error: 529 Overloaded. This is a server-side issue, usually temporary', 529, 'other', true],
  ['exceeded retry limit, last status: 429 Too Many Requests', undefined, 'other', true],
  ["You've hit your usage limit. Upgrade, or try again at 3:05 PM.", undefined, 'budget', true],
  ["You've hit your limit · resets 3pm", undefined, 'budget', true],
  ['5-hour limit reached ∙ resets 3pm', undefined, 'budget', true],
  ["You've reached your weekly Opus limit", undefined, 'budget', true],
  ['You have reached the rate limit', undefined, 'other', true],
  ['Quota exceeded for quota metric', 429, 'other', true],
  ['You have reached the max turns limit', undefined, 'other', false],
  ['Loaded cached credentials. ANTHROPIC_API_KEY is used. Logged in as ann', undefined, 'other', false],
  ['Run `claude auth login` to authenticate.', undefined, 'auth', false],
  ['Your session expired.', undefined, 'auth', false],
  ['No API key found for OpenAI', undefined, 'auth', false],
  ['Missing OPENAI_API_KEY', undefined, 'auth', false],
  ['API key not valid. Please pass a valid API key.', 400, 'auth', false],
  ['Please sign in first', undefined, 'auth', false],
  ['The author of the plugin assigned in vain; see the dialog in question', undefined, 'other', false],
  ['You exceeded your current quota, please check your plan and billing details.', 429, 'budget', false],
  ['Your credit balance is too low.', 400, 'budget', false],
  ['error_max_budget_usd', undefined, 'budget', false],
  ['Invalid API key', 401, 'auth', false],
  ['API Error: 500 Internal server error', 500, 'other', false],
] as const)('%s', ([message, status, cause, isLimit]) => {
  expect(errorCause(message, status)).toBe(cause)
  expect(isProviderLimit({ message, ...(status !== undefined && { status }) })).toBe(isLimit)
})
