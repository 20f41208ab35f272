import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { AgentEvent } from '../../src/agents/agent.ts'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { carryOutSpec } from '../support/scripts/carry-out-spec.ts'
import { findRealClis } from './find-real-clis.ts'
import { brokenProgram, rightProgram, spec, steps } from './notes-project.ts'
import { runRealAgent } from './run-real-agent.ts'

const clis = findRealClis()
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`
const cliFolder = clis.ok ? clis.folder : ''

const dialects = [
  { name: 'claude', agent: claudeAgent, more: { request: { allow: ['Bash(node *)'] } } },
  { name: 'codex with classic tools', agent: codexAgent, more: { codexModel: 'gpt-5.5' } },
  { name: 'codex in code mode', agent: codexAgent, more: { codexModel: 'gpt-6.1-sol' } },
]

describe.skipIf(!clis.ok).each(dialects)(`$name${reason}`, ({ agent, more }) => {
  const run = (program: string, isLogOutside = false) =>
    runRealAgent(agent, {
      cliFolder,
      steps,
      isLogOutside,
      script: carryOutSpec,
      files: {
        'notes.test.md': spec,
        'notes.mjs': program,
      },
      ...more,
    })

  test('carries out a spec on a right program', async () => {
    const { log, events, exitCode } = await run(rightProgram)
    expect(frontMatter(log)).toEqual({
      status: 'pass',
      run: 'run-1',
      steps: [
        { id: '1-add-a-note', status: 'pass', observed: 'printed: added milk' },
        {
          id: '2-list-the-notes',
          status: 'pass',
          observed: 'printed: milk',
          checks: [
            { n: 1, status: 'pass', observed: 'printed: milk' },
            { n: 2, status: 'pass', observed: 'printed: milk' },
          ],
        },
      ],
    })
    expect(exitCode).toBe(0)
    const calls = Array.from({ length: 4 }, () => ['tool-call', 'tool-result'])
    // How often it tells of tokens is its own affair.
    expect(shape(events).filter((type) => type !== 'tokens')).toEqual(['opened', ...calls.flat(), 'usage', 'end'])
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool-call', kind: 'command', title: 'node notes.mjs add milk' }),
    )
    expect(events.at(-1)).toEqual({ type: 'end', isError: false })
  })

  test('fails the step that a broken program fails', async () => {
    const { log } = await run(brokenProgram)
    expect(frontMatter(log)).toMatchObject({
      status: 'fail',
      steps: [
        { id: '1-add-a-note', status: 'pass' },
        { id: '2-list-the-notes', status: 'fail', checks: [{ status: 'fail' }, { status: 'pass' }] },
      ],
    })
  })

  test('writes a log that lies outside its directory', async () => {
    const { log } = await run(rightProgram, true)
    expect(frontMatter(log)).toMatchObject({ status: 'pass' })
  })
})

test.skipIf(!clis.ok)(`claude reports as blocked what it was refused${reason}`, async () => {
  const { log, exitCode } = await runRealAgent(claudeAgent, {
    cliFolder,
    steps,
    script: carryOutSpec,
    files: {
      'notes.test.md': spec,
      'notes.mjs': rightProgram,
    },
  })
  expect(frontMatter(log)).toMatchObject({
    status: 'fail',
    steps: [
      { status: 'blocked', observed: 'refused: This command requires approval' },
      { status: 'blocked', observed: 'refused: This command requires approval' },
    ],
  })
  expect(exitCode).toBe(0)
})

function frontMatter(log: string | undefined): unknown {
  return parse(/^---\n([\s\S]*?)\n---\n/.exec(log ?? '')?.[1] ?? 'no log')
}

/** Types of the events without the text in between. */
function shape(events: readonly AgentEvent[]): readonly string[] {
  return events.map(({ type }) => type).filter((type) => type !== 'text')
}
