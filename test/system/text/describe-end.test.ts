import { describe, expect, test } from 'vitest'
import { describeEnd, describeExit, type ProgramEnd } from '../../../src/system/text/wording.ts'

describe('how a program ended, behind its name', () => {
  test.each<[ProgramEnd, string]>([
    [{ reason: 'exit', exitCode: 0 }, 'ended with exit code 0'],
    [{ reason: 'exit', exitCode: 255 }, 'ended with exit code 255'],
    [{ reason: 'signal', signal: 'SIGKILL' }, 'was ended by SIGKILL'],
    [{ reason: 'hard-timeout', limitMs: 1500 }, 'took longer than 1500 ms and was ended'],
    [{ reason: 'silence-timeout', limitMs: 20 }, 'printed nothing for 20 ms and was ended'],
    [{ reason: 'canceled' }, 'was canceled and ended'],
  ])('%o', (end, words) => {
    expect(describeEnd(end)).toBe(words)
  })
})

test('a limit has the name that the user gave it', () => {
  const end = { reason: 'hard-timeout', limitMs: 5 } as const // a literal reason
  expect(describeEnd(end, 'timeout_ms (5 ms)')).toBe('took longer than timeout_ms (5 ms) and was ended')
})

test('an exit code alone is enough for a program that ended by itself', () => {
  expect(describeExit(3)).toBe(describeEnd({ reason: 'exit', exitCode: 3 }))
})
