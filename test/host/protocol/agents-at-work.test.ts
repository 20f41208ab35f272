import { expect, test } from 'vitest'
import { Progress } from '../../../src/host/protocol/agents-at-work.ts'

const scenario = { specFile: '/project/a.test.md', title: 'A', attempt: 1, startedAtMs: 5 }
const call = (tool: string, title: string) =>
  ({ type: 'tool-call', id: title, kind: 'command', tool, title, files: [] }) as const

test('knows the last call of each scenario, and what it used', () => {
  const progress = new Progress()
  const one = progress.begin(scenario)
  const two = progress.begin({ ...scenario, title: 'B' })
  one.onEvent(call('Bash', 'npm test'))
  one.onEvent(call('mcp__mdtest__report_step', 'mcp__mdtest__report_step'))
  two.spend({ inputTokens: 0, outputTokens: 0 })
  expect(progress.atWork[1]).not.toHaveProperty('spent')
  two.spend({ inputTokens: 10, outputTokens: 5 })
  expect(progress.atWork).toMatchObject([
    { title: 'A', lastCall: 'npm test' },
    { title: 'B', spent: { inputTokens: 10, outputTokens: 5 } },
  ])
})

test('shows no secrets', () => {
  const progress = new Progress()
  progress.begin(scenario, (text) => text.replaceAll('hunter22', '***')).onEvent(call('Bash', 'login hunter22'))
  expect(progress.atWork[0]?.lastCall).toBe('login ***')
})

test('forgets a scenario whose agent is gone', () => {
  const progress = new Progress()
  const one = progress.begin(scenario)
  progress.begin({ ...scenario, attempt: 2 })
  one.end()
  one.onEvent(call('Bash', 'late'))
  expect(progress.atWork.map(({ attempt }) => attempt)).toEqual([2])
})
