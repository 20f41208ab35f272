import { expect, test } from 'vitest'
import {
  sessionStateSchema,
  createSession,
  defaultSettings,
  reopenSession,
  slug,
} from '../../../../src/commands/fix/session/session-state.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const session = createSession({
  feature: 'Cart',
  settings: { ...defaultSettings, root: '/p' },
  runMark: 'mdtest-1',
  now,
})

test.each([
  ['Cart & checkout', 'cart-checkout'],
  ['../../etc/passwd', 'etc-passwd'],
  ['ÄÖÜ', 'a-o-u'],
  ['買い物', 'feature'],
  ['', 'feature'],
  ['---', 'feature'],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ['x'.repeat(100), 'x'.repeat(40)],
  ['a.lock', 'a-lock'],
])('the feature %j can be a folder and a part of a ref: %s', (feature, name) => {
  expect(slug(feature)).toBe(name)
})

test('a new session fits its schema, and its id sorts by time', () => {
  expect(session.session_id).toMatch(/^cart-20260102T030405-[0-9a-f]{6}$/)
  expect(sessionStateSchema.parse(session)).toEqual(session)
})

test('two sessions of one second have two ids', () => {
  const other = createSession({ feature: 'Cart', settings: session.settings, runMark: 'mdtest-1', now })
  expect(other.session_id).not.toBe(session.session_id)
})

test('a session that was interrupted goes on as it was, with other settings', () => {
  expect(reopenSession(session, { max_attempts: 3 })).toEqual({
    ...session,
    settings: { ...session.settings, max_attempts: 3 },
  })
})

test('what had stopped one is settled: it is resumed, by a new implementer, and its unknown costs are accepted', () => {
  const ended = {
    ...session,
    ...{ result: 'error' as const, reason: 'No login.', agent_session_id: 's' },
    calls_without_cost: ['1-a', '2-b'],
  }
  expect(reopenSession(ended, {})).toEqual({
    ...ended,
    ...{ result: null, reason: null, agent_session_id: null, accepted_without_cost: 2 },
    history: [{ kind: 'resumed' }],
  })
})
