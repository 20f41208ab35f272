import { describe, expect, test } from 'vitest'
import type { AgentProgress } from '../../src/host/protocol/protocol.ts'
import { AgentSession } from '../../src/scenario/agent-session.ts'
import { ended, reported, useScenario } from './use-scenario.ts'

const open = useScenario()
const source = '# T\n\n## A\n\nDo a.\n\n## B\n\nDo b.\n\n## C\n\n<!-- mdtest: skip -->\n\nDo c.\n'

interface State {
  readonly isWorking: boolean
  readonly hasReported: boolean
  /** Titles of the steps that the agent ended before. */
  readonly missed: readonly string[]
  readonly told: readonly string[]
}

describe('the session of an agent', () => {
  test.for<readonly [name: string, progress: readonly AgentProgress[], tried: number, State]>([
    ['is not started before its first step', [], 0, { isWorking: false, hasReported: false, missed: [], told: [] }],
    [
      'starts with the first step, and asks for none that is left out',
      [reported('1-a')],
      1,
      { isWorking: true, hasReported: true, missed: [], told: ['start 1-a 2-b'] },
    ],
    [
      'goes on with the second',
      [reported('1-a'), reported('1-a', '2-b')],
      2,
      { isWorking: true, hasReported: true, missed: [], told: ['start 1-a 2-b', 'go-on'] },
    ],
    [
      'is over for steps that an agent without reports did not wait for',
      [ended()],
      2,
      { isWorking: false, hasReported: false, missed: ['B'], told: ['start 1-a 2-b'] },
    ],
    [
      'has missed what came after its last report',
      [ended(['1-a'])],
      1,
      { isWorking: false, hasReported: true, missed: ['B'], told: ['start 1-a 2-b'] },
    ],
  ])('%s', async ([, progress, tried, state]) => {
    const { input, steps, told } = open(source, progress)
    const session = new AgentSession({ ...input, steps })
    for (const step of steps.slice(0, tried)) await session.carryOut(step, input.root, undefined)
    const { isWorking, hasReported } = session
    const missed = steps.filter((step) => session.hasMissed(step)).map(({ title }) => title)
    expect({ isWorking, hasReported, missed, told }).toEqual(state)
  })

  test('ends only when the agent did, however many reports are still on their way', async () => {
    const { input, steps, told } = open(source, [reported('1-a'), reported('1-a', '2-b'), ended(['1-a', '2-b'])])
    const session = new AgentSession({ ...input, steps })
    for (const step of steps.slice(0, 1)) await session.carryOut(step, input.root, undefined)
    await session.end({ kind: 'finish' })
    expect(session.isWorking).toBe(false)
    expect(session.progress.usage).toMatchObject({ durationMs: 1 })
    expect(told).toEqual(['start 1-a 2-b', 'finish'])
  })
})
