import { expect, test } from 'vitest'
import { createOwnAcpAgent } from '../../../src/agents/acp/own-acp-agent.ts'
import type { CliAgent } from '../../../src/agents/agent.ts'
import { browserAgent } from '../../../src/agents/browser/browser-agent.ts'
import { claudeAgent } from '../../../src/agents/claude/claude-agent.ts'
import { createCommandAgent } from '../../../src/agents/command/command-agent.ts'
import { chooseExecutor } from '../../../src/host/agent-run/choose-executor.ts'
import { scenarioRequest } from '../scenario-request.ts'

const acp = createOwnAcpAgent({ acp: ['my-agent'] })
const own = { ok: true, mode: 'agent' }
const ours = { ok: true, mode: 'mdtest' }
const useAnother = expect.stringMatching(/Set that to `auto`, or use the agent `claude` or `codex`\.$/)

test.each<[string, CliAgent, 'agent' | 'mdtest', boolean, object]>([
  ['the agent, where nothing is recorded', claudeAgent, 'agent', false, own],
  ['mdtest, where something is to be recorded', claudeAgent, 'agent', true, ours],
  ['the browser, which tells what it does', browserAgent, 'agent', true, own],
  ['the agent, if it cannot be confined', acp, 'agent', true, { ...own, unrecordable: useAnother }],
  ['nobody, if mdtest has to and cannot', acp, 'mdtest', true, { ok: false, message: expect.any(String) }],
  [
    'a program that knows no tools',
    createCommandAgent(['x', '{prompt}']),
    'agent',
    true,
    { ...own, unrecordable: expect.stringContaining('Write `{mcp}`') },
  ],
  ['mdtest, for a program that knows its tools', createCommandAgent(['x', '{mcp}']), 'agent', true, ours],
])('%s executes', async (_, agent, mode, isToBeRecorded, expected) => {
  const { settings } = scenarioRequest('/p')
  const request = { settings: { ...settings, executor: { mode, sandbox: 'off' } as const }, isToBeRecorded } // a literal
  expect(await chooseExecutor(agent, request, { PATH: '' })).toEqual(expected)
})
