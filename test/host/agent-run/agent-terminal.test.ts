import { expect, test } from 'vitest'
import { claudeAgent } from '../../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../../src/agents/codex/codex-agent.ts'
import { createCommandAgent } from '../../../src/agents/command/command-agent.ts'
import { firstQuestionIn } from '../../../src/host/agent-run/agent-terminal.ts'

test.each([
  [claudeAgent, ' 1. Yes, I trust this folder\n❯ 2. No, exit\n', 'asks whether to trust this folder'],
  [claudeAgent, 'Do you want to use\u001b[1C this API key?', 'asks whether to use the API key'],
  [
    claudeAgent,
    '\u001b[31mWARNING: Claude Code running in Bypass Permissions mode\u001b[0m',
    'asks whether to work without',
  ],
  [claudeAgent, 'Select login method:\n 1. Claude account', 'has to be set up first'],
  [codexAgent, 'Do you trust the contents of\nthis directory?', 'asks whether to trust this folder'],
  [codexAgent, 'Not inside a trusted directory and --skip-git-repo-check', 'asks whether to trust this folder'],
  [codexAgent, ' 1. Sign in with ChatGPT', 'asks you to log in'],
  [codexAgent, '1. Try new model\n2. Use existing model', 'asks whether to change to a newer model'],
  [codexAgent, 'Update available!\n2. Skip\n3. Skip until next version', 'asks whether to update itself'],
])('names the question of %o in %j', (agent, output, question) => {
  expect(firstQuestionIn(output, agent)).toMatch(new RegExp(`^${question}.*\\.$`))
})

test('finds none in what an agent prints otherwise, nor in a program that nobody knows', () => {
  expect(firstQuestionIn('added mug\n', claudeAgent)).toBeUndefined()
  expect(firstQuestionIn('Yes, I trust this folder', createCommandAgent(['./agent.sh']))).toBeUndefined()
})
