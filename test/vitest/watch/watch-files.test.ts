import { expect, test } from 'vitest'
import { RerunGuard } from '../../../src/vitest/watch/watch-files.ts'

test('what changes while a spec runs, and a moment later, is its own; that is news once in a run', () => {
  const guard = new RerunGuard()
  guard.began('a')
  expect([guard.judge('a', 10), guard.judge('a', 20)]).toEqual(['ignored', 'known'])
  guard.ended('a', 100)
  expect(guard.judge('a', 500)).toBe('known')
  expect(guard.judge('a', 601)).toBe('run')
  guard.began('a')
  expect(guard.judge('a', 700)).toBe('ignored')
  // A run that a key starts.
  guard.began('a')
  expect(guard.judge('a', 800)).toBe('ignored')
})

test('a change while another spec runs is ignored, too, so that no two start each other', () => {
  const guard = new RerunGuard()
  expect([guard.judge('a', 0), guard.judge('b', 1)]).toEqual(['run', 'run'])
  guard.began('a')
  expect(guard.judge('b', 100)).toBe('ignored')
  guard.ended('a', 200)
  expect([guard.judge('b', 699), guard.judge('b', 700)]).toEqual(['known', 'run'])
})

test('a spec that was canceled is over with its run', () => {
  const guard = new RerunGuard()
  guard.began('a')
  guard.endedAll(100)
  expect(guard.judge('a', 601)).toBe('run')
})
