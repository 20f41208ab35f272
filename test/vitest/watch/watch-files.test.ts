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
})

test('all changes before the run that is due are one', () => {
  const guard = new RerunGuard()
  expect(Array.from({ length: 10 }, (_, ms) => guard.judge('a', ms))).not.toContain('ignored')
})

test('two specs that start each other come to rest, and start again with a change of somebody else', () => {
  const guard = new RerunGuard()
  let nowMs = 1000
  const pingPong = (): number => {
    let runs = 0
    for (let spec = 'a'; runs < 100 && guard.judge(spec, nowMs) === 'run'; runs += 1) {
      guard.began(spec)
      nowMs += 300
      guard.ended(spec, nowMs)
      // The change is seen after the end, and the next run begins later than that counts for.
      nowMs += 200
      spec = spec === 'a' ? 'b' : 'a'
    }
    return runs
  }
  const first = pingPong()
  expect(first).toBe(6)
  nowMs += 600
  expect(pingPong()).toBe(first)
})

test('a slow start of a run that is due does not count as rest', () => {
  const guard = new RerunGuard()
  const rulings = Array.from({ length: 10 }, (_, round) => {
    const nowMs = round * 3000
    const ruling = guard.judge('a', nowMs)
    // Another spec runs from one to the other: `a` is due for 2 s, and done in between.
    if (ruling === 'run') guard.began('a')
    guard.ended('a', nowMs + 2000)
    guard.began('b')
    return ruling
  })
  expect(rulings).toEqual(['run', 'run', 'run', ...Array.from({ length: 7 }, () => expect.not.stringMatching('run'))])
})

test('a spec that was canceled is over with its run', () => {
  const guard = new RerunGuard()
  guard.began('a')
  guard.endedAll(100)
  expect(guard.judge('a', 601)).toBe('run')
})
