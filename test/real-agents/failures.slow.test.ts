import { describe, expect, test } from 'vitest'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import type { ModelReply } from '../support/model-server.ts'
import { findRealClis } from './find-real-clis.ts'
import { runRealAgent } from './run-real-agent.ts'

const clis = findRealClis()
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`
const cliFolder = clis.ok ? clis.folder : ''

describe.skipIf(!clis.ok).each([claudeAgent, codexAgent])(`failures of $name${reason}`, (agent) => {
  test.each([
    { status: 401, cause: 'auth' },
    { status: 403, cause: 'auth' },
    { status: 500, cause: 'other' },
    { status: 529, cause: 'other' },
  ])('reports a model that answers $status as $cause', async ({ status, cause }) => {
    const run = await runRealAgent(agent, { cliFolder, prompt: 'Go.', script: () => ({ kind: 'error', status }) })
    const errors = run.events.filter((event) => event.type === 'error')
    expect(errors.map((event) => event.cause)).toEqual([cause])
    expect(run.events[0]?.type).toBe('opened')
    expect(run.events.at(-1)).toEqual({ type: 'end', isError: true })
    expect(run.exitCode).toBe(1)
  })

  test('reports a model that drops the connection', async () => {
    const run = await runRealAgent(agent, { cliFolder, prompt: 'Go.', script: (): ModelReply => ({ kind: 'drop' }) })
    expect(run.events.filter((event) => event.type === 'error').map((event) => event.cause)).toEqual(['other'])
    expect(run.events.at(-1)).toEqual({ type: 'end', isError: true })
  })

  test('opens a session and reports no end when the model never answers', async () => {
    const script = (): ModelReply => ({ kind: 'silence' })
    const run = await runRealAgent(agent, { cliFolder, prompt: 'Go.', script, limitMs: 6_000 })
    expect(run.events.map(({ type }) => type)).toEqual(['opened'])
    expect(run.conversations.length).toBeGreaterThan(0)
  })

  test('reports missing credentials', async () => {
    const base = await runRealAgent(agent, {
      cliFolder,
      prompt: 'Go.',
      script: () => ({
        kind: 'answer',
        text: 'unreachable',
      }),
      without: ['ANTHROPIC_AUTH_TOKEN', 'LOCAL_MODEL_KEY'],
    })
    expect(base.events.filter((event) => event.type === 'error').map((event) => event.cause)).toEqual(['auth'])
    expect(base.conversations).toEqual([])
  })
})
