import { expect, it } from 'vitest'
import { claudeAgent } from '../../../src/agents/claude/claude-agent.ts'
import type { CliAgent } from '../../../src/agents/agent.ts'
import { AgentWork } from '../../../src/host/agent-run/agent-work.ts'

const first = JSON.stringify({ type: 'system', subtype: 'init', claude_code_version: '2.1.330' })

it.each([false, true])('keeps of a stream what is needed; for the version alone: %s', (isVersionOnly) => {
  const work = new AgentWork({ isVersionOnly })
  let count = 0
  const agent: CliAgent = {
    ...claudeAgent,
    readCalls: () => [],
    readVersion({ stream }) {
      count = stream.length
      return claudeAgent.readVersion?.({ stream, transcript: [] })
    },
  }
  for (const line of [first, ...Array.from({ length: 5000 }, () => '{}')]) work.onLine(line)
  expect(work.read(agent, {})).toEqual({ version: '2.1.330', ...(!isVersionOnly && { calls: [] }) })
  expect(count).toBe(isVersionOnly ? 100 : 5001)
})

it('tells nothing of an agent whose stream nobody reads', () => {
  const { readCalls: _calls, readVersion: _version, ...agent } = claudeAgent
  for (const isVersionOnly of [false, true]) expect(new AgentWork({ isVersionOnly }).read(agent, {})).toEqual({})
})
