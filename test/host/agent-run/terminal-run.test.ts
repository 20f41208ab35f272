import { expect, test } from 'vitest'
import { claudeAgent } from '../../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../../src/agents/codex/codex-agent.ts'
import { createCommandAgent } from '../../../src/agents/command/command-agent.ts'
import { firstQuestionIn, isComplete } from '../../../src/host/agent-run/terminal-run.ts'
import type { LogReading, ResultLog } from '../../../src/records/result-log/result-log.ts'

const asked = { runId: 'r', steps: [{ id: '1-a' }, { id: '2-b' }] }
const log = (more: Partial<ResultLog>): LogReading => ({
  ok: true,
  log: { status: 'pass', run: 'r', ...more },
  body: '',
  modifiedAtMs: 0,
})
const passed = (...ids: readonly string[]): ResultLog['steps'] => ids.map((id) => ({ id, status: 'pass' }))

test.for<readonly [string, LogReading, boolean]>([
  ['tells of every step', log({ steps: passed('2-b', '1-a') }), true],
  ['tells of all at once', log({}), true],
  ['failed at the first', log({ status: 'fail', steps: [{ id: '1-a', status: 'fail' }] }), true],
  ['lacks a step', log({ steps: passed('1-a') }), false],
  ['is of another run', log({ run: 'x' }), false],
  ['is of no run', log({ run: undefined }), false],
  ['is none', { ok: false, code: 'LOG_MISSING', message: '' }, false],
])('a log that %s', ([, reading, expected]) => {
  expect(isComplete(reading, asked)).toBe(expected)
})

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
