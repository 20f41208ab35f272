import { afterEach, describe, expect, test, vi } from 'vitest'
import { AgentLimits } from '../../../src/host/agent-run/limit-timers.ts'
import { MdtestError } from '../../../src/system/mdtest-error.ts'
import type { CommandEnd } from '../../../src/system/process/command.ts'
import type { AgentEnding } from '../../../src/verdict/verdict.ts'

interface Opened {
  readonly limits: AgentLimits
  readonly interruption: AbortController
  readonly budget: AbortController
}

function open(overrunMessage?: string): Opened {
  const interruption = new AbortController()
  const budget = new AbortController()
  const limits = new AgentLimits('claude', { signal: budget.signal, overrunMessage }, interruption.signal)
  return { limits, interruption, budget }
}

afterEach(() => {
  vi.useRealTimers()
})

const canceled: CommandEnd = { reason: 'canceled' }
const error = new MdtestError('EXEC_SPAWN_FAILED', 'There is no claude.')

describe('how an agent ended, for the verdict', () => {
  test.each<[CommandEnd, AgentEnding]>([
    [
      { reason: 'exit', exitCode: 0 },
      { kind: 'exited', exitCode: 0 },
    ],
    [
      { reason: 'exit', exitCode: 143 },
      { kind: 'exited', exitCode: 143 },
    ],
    [
      { reason: 'signal', signal: 'SIGKILL' },
      { kind: 'killed', signal: 'SIGKILL' },
    ],
    [
      { reason: 'hard-timeout', limitMs: 5 },
      { kind: 'hard-timeout', limitMs: 5 },
    ],
    [
      { reason: 'silence-timeout', limitMs: 7 },
      { kind: 'silence-timeout', limitMs: 7 },
    ],
    [canceled, { kind: 'canceled' }],
    [
      { reason: 'spawn-failed', error },
      { kind: 'not-ready', code: 'AGENT_NOT_FOUND', message: 'There is no claude.' },
    ],
    [
      { reason: 'lost', error },
      { kind: 'stopped', code: 'AGENT_CRASHED', message: 'There is no claude.' },
    ],
  ])('%o', (end, ending) => {
    expect(open().limits.endingOf(end)).toEqual(ending)
  })

  test.each<CommandEnd>([canceled, { reason: 'exit', exitCode: 0 }, { reason: 'signal', signal: 'SIGTERM' }])(
    'names the budget before %o',
    (end) => {
      expect(open('this scenario has cost $2.').limits.endingOf(end)).toEqual({
        kind: 'stopped',
        code: 'AGENT_BUDGET',
        message: 'The agent `claude` is over budget: this scenario has cost $2.',
      })
    },
  )
})

describe('what ends an agent', () => {
  test('is its budget, and the interruption of the run', () => {
    const first = open()
    first.budget.abort()
    const second = open()
    second.interruption.abort()
    expect([first.limits.signal.aborted, second.limits.signal.aborted, open().limits.signal.aborted]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('is the time of a step, which names the step', () => {
    vi.useFakeTimers()
    const { limits } = open()
    limits.beginStep({ limitMs: 60_000, leftMs: 100, step: 'Pay' })
    vi.advanceTimersByTime(99)
    expect(limits.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(limits.signal.aborted).toBe(true)
    expect(limits.endingOf(canceled)).toEqual({ kind: 'step-timeout', limitMs: 60_000, step: 'Pay' })
  })

  test('is not the time of a step whose clock was stopped', () => {
    vi.useFakeTimers()
    const { limits } = open()
    const stopClock = limits.beginStep({ limitMs: 10, leftMs: 10, step: 'Pay' })
    stopClock()
    vi.advanceTimersByTime(1_000)
    expect(limits.signal.aborted).toBe(false)
  })

  test('is the time after its work: that is our doing, and not an unfinished run', () => {
    vi.useFakeTimers()
    const { limits } = open()
    expect(limits.isClosing).toBe(false)
    limits.closeAfter(500)
    expect(limits.isClosing).toBe(true)
    vi.advanceTimersByTime(500)
    expect(limits.signal.aborted).toBe(true)
    expect(limits.endingOf(canceled)).toEqual({ kind: 'killed', signal: 'SIGTERM', isOurs: true })
  })

  test('after its work is a minute where nothing else is said, counted from the last call', () => {
    vi.useFakeTimers()
    const { limits } = open()
    limits.closeAfter()
    vi.advanceTimersByTime(59_000)
    limits.closeAfter()
    vi.advanceTimersByTime(59_000)
    expect(limits.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(limits.signal.aborted).toBe(true)
  })

  test('ends with the agent', () => {
    vi.useFakeTimers()
    const { limits } = open()
    limits.closeAfter(500)
    limits.close()
    vi.advanceTimersByTime(1_000)
    expect(limits.signal.aborted).toBe(false)
  })

  test('is the interruption of the run where both are there: nobody takes that for a closing', () => {
    vi.useFakeTimers()
    const { limits, interruption } = open()
    limits.closeAfter(1)
    vi.advanceTimersByTime(1)
    interruption.abort()
    expect(limits.endingOf(canceled)).toEqual({ kind: 'canceled' })
  })
})
