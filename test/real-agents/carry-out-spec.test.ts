import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { carryOutSpec } from '../support/scripts/carry-out-spec.ts'
import { findRealClis } from './find-real-clis.ts'
import { brokenProgram, rightProgram, spec, steps } from './notes-project.ts'
import { runRealAgent, type RealRun } from './run-real-agent.ts'

const clis = findRealClis(['claude'])
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`

describe.skipIf(!clis.ok).concurrent(`claude${reason}`, () => {
  const run = (program: string, allow: readonly string[]): Promise<RealRun> =>
    runRealAgent(claudeAgent, {
      cliFolder: clis.ok ? clis.folder : '',
      steps,
      isLogOutside: true,
      script: carryOutSpec,
      files: { 'notes.test.md': spec, 'notes.mjs': program },
      request: { allow },
    })

  test('carries out a spec, and writes a log that lies outside of its directory', async () => {
    const { log, events, exitCode } = await run(rightProgram, ['Bash(node *)'])
    const evidence = [{ quote: 'milk' }]
    expect(frontMatter(log)).toEqual({
      status: 'pass',
      run: 'run-1',
      steps: [
        { id: '1-add-a-note', status: 'pass', observed: 'printed: added milk', evidence: [{ quote: 'added milk' }] },
        {
          id: '2-list-the-notes',
          status: 'pass',
          observed: 'printed: milk',
          evidence,
          checks: [
            { n: 1, status: 'pass', observed: 'printed: milk', evidence },
            { n: 2, status: 'pass', observed: 'printed: milk', evidence },
          ],
        },
      ],
    })
    expect(exitCode).toBe(0)
    const calls = Array.from({ length: 4 }, () => ['tool-call', 'tool-result'])
    // How often it tells of tokens and of what it thinks is its own affair.
    const shape = events.map(({ type }) => type).filter((type) => type !== 'text' && type !== 'tokens')
    expect(shape).toEqual(['opened', ...calls.flat(), 'usage', 'end'])
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool-call', kind: 'command', title: 'node notes.mjs add milk' }),
    )
    expect(events.at(-1)).toEqual({ type: 'end', isError: false })
  })

  test('fails the step that a broken program fails', async () => {
    const { log } = await run(brokenProgram, ['Bash(node *)'])
    expect(frontMatter(log)).toMatchObject({
      status: 'fail',
      steps: [
        { id: '1-add-a-note', status: 'pass' },
        { id: '2-list-the-notes', status: 'fail', checks: [{ status: 'fail' }, { status: 'pass' }] },
      ],
    })
  })

  test('reports as blocked what it was refused', async () => {
    const { log, exitCode } = await run(rightProgram, [])
    const refused = { status: 'blocked', observed: 'refused: This command requires approval' }
    expect(frontMatter(log)).toMatchObject({ status: 'fail', steps: [refused, refused] })
    expect(exitCode).toBe(0)
  })
})

function frontMatter(log: string | undefined): unknown {
  return parse(/^---\n([\s\S]*?)\n---\n/.exec(log ?? '')?.[1] ?? 'no log')
}
