import { expect, test } from 'vitest'
import { createOwnAcpAgent } from '../../../src/agents/acp/acp-agent.ts'
import type { CliAgent } from '../../../src/agents/agent.ts'
import { browserAgent } from '../../../src/agents/browser/browser-agent.ts'
import { claudeAgent } from '../../../src/agents/claude/claude-agent.ts'
import { createCommandAgent } from '../../../src/agents/command/command-agent.ts'
import { NotStarted } from '../../../src/host/agent-run/agent-task.ts'
import { chooseExecutor } from '../../../src/host/agent-run/confine-agent.ts'
import { scenarioRequest } from '../scenario-request.ts'

const acp = createOwnAcpAgent({ acp: ['my-agent'] })
const own = { mode: 'agent' }
const ours = { mode: 'mdtest' }
const useAnother = expect.stringMatching(/Set that to `auto`, or use the agent `claude` or `codex`\.$/)
const program = createCommandAgent(['x', '{prompt}'])
const unaware = expect.stringContaining('Write `{mcp}`')
const nameIt = expect.stringContaining("allow: ['Bash(node notes.mjs *)']")

interface Case {
  readonly executor?: 'auto' | 'mdtest' | 'agent'
  readonly isToBeRecorded?: boolean
  readonly isInTerminal?: boolean
  readonly allow?: readonly string[]
  readonly dangerouslyAllowAllActions?: boolean
}

test.each<[string, CliAgent, Case, object]>([
  ['mdtest, for Claude Code', claudeAgent, {}, ours],
  ['mdtest, for a program that knows its tools', createCommandAgent(['x', '{mcp}']), { executor: 'mdtest' }, ours],
  ['the agent, where it is to', claudeAgent, { executor: 'agent' }, own],
  ['the agent, in its own interface', claudeAgent, { isInTerminal: true }, own],
  ['the browser, which has no shell', browserAgent, {}, own],
  ['the browser, which tells what it does', browserAgent, { isToBeRecorded: true }, own],
  ['the agent, if it cannot be confined', acp, {}, { ...own, whyItself: useAnother }],
  ['a program that knows no tools', program, {}, { ...own, whyItself: unaware }],
  ['the agent, where all is allowed', claudeAgent, { dangerouslyAllowAllActions: true }, { ...own, whyItself: nameIt }],
  ['nobody, where all is allowed', claudeAgent, { executor: 'mdtest', dangerouslyAllowAllActions: true }, nameIt],
  ['nobody, where a rule names no product', claudeAgent, { allow: ['Bash'] }, nameIt],
  ['mdtest, for a program that reads `MDTEST_MCP_CONFIG`', program, { executor: 'mdtest' }, ours],
  ['nobody, if mdtest has to and cannot', acp, { executor: 'mdtest' }, expect.any(String)],
  ['mdtest, where something is recorded', claudeAgent, { executor: 'agent', isToBeRecorded: true }, ours],
  [
    'the agent, though something is to be recorded',
    program,
    { executor: 'agent', isToBeRecorded: true },
    { ...own, unrecordable: unaware },
  ],
])('%s executes', async (_, agent, { isToBeRecorded = false, isInTerminal = false, ...given }, expected) => {
  const { settings } = scenarioRequest('/p')
  const all = { ...settings, allow: [], executor: 'auto', sandbox: 'off', ...given } as typeof settings // as given
  const chosen = chooseExecutor(agent, { settings: all, isToBeRecorded }, { env: { PATH: '' }, isInTerminal })
  expect(await chosen.catch((error: unknown) => (error instanceof NotStarted ? error.message : error))).toEqual(
    expected,
  )
})
