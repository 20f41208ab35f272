import { describe, expect, test } from 'vitest'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { findRealClis } from './find-real-clis.ts'
import { sampleOf } from './real-project.ts'
import { runRealAgent } from './run-real-agent.ts'

const agents = sampleOf([claudeAgent, codexAgent] as const)
const clis = findRealClis(agents.map(({ name }) => name))
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`

describe.skipIf(!clis.ok).concurrent.each(agents)(`prompt of $name${reason}`, (agent) => {
  test.each([
    '--help',
    '- a list item, "double" \'single\' \\ back',
    'two words: $(touch pwned) `id` $HOME\n\n```sh run\n$ x\n```\n\ttab, é, 漢字, 🎉, <b>&amp;</b>, %s {prompt}',
  ])('reaches the model as it is: %j', async (prompt) => {
    const cliFolder = clis.ok ? clis.folder : ''
    const run = await runRealAgent(agent, { cliFolder, prompt, script: () => ({ kind: 'answer', text: 'Done.' }) })
    const seen = run.conversations.find(({ isSideRequest }) => !isSideRequest)?.prompt
    expect(seen?.endsWith(prompt)).toBe(true)
    expect(run.events.at(-1)).toEqual({ type: 'end', isError: false })
  })
})
