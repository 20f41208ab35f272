import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { mcpConfig } from '../../src/agents/report-access.ts'
import type { ModelReply } from '../support/model-server.ts'
import { carryOutSpec } from '../support/scripts/carry-out-spec.ts'
import { findRealClis } from './find-real-clis.ts'
import { rightProgram, spec, steps } from './notes-project.ts'
import { runRealAgent } from './run-real-agent.ts'
import type { RealRun, RealRunSetup } from './run-real-agent.ts'

// The unit tests read these recordings. Here they are held against what the CLIs write now; `-u` records again.
const clis = findRealClis(['claude', 'codex'])
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`
const cliFolder = clis.ok ? clis.folder : ''

// A plain name: how a CLI quotes others is not what the recordings hold.
const project = { workName: 'work', cliFolder, steps, files: { 'notes.test.md': spec, 'notes.mjs': rightProgram } }
const failing = { 'notes.test.md': spec, 'notes.mjs': `console.log('disk full')\nprocess.exitCode = 3\n` }
const error = (status: number): Pick<RealRunSetup, 'script'> => ({ script: () => ({ kind: 'error', status }) })

describe.skipIf(!clis.ok).concurrent(`recordings${reason}`, () => {
  test.for([
    {
      name: 'claude-pass',
      agent: claudeAgent,
      setup: { script: carryOutSpec, request: { allow: ['Bash(node *)'] } },
    },
    { name: 'claude-denied', agent: claudeAgent, setup: { script: carryOutSpec } },
    {
      name: 'claude-command-fails',
      agent: claudeAgent,
      setup: { script: carryOutSpec, files: failing, request: { allow: ['Bash(node *)'] } },
    },
    { name: 'claude-401', agent: claudeAgent, setup: error(401) },
    { name: 'claude-500', agent: claudeAgent, setup: error(500) },
    { name: 'codex-classic-pass', agent: codexAgent, setup: { script: carryOutSpec } },
    {
      name: 'codex-code-mode-pass',
      agent: codexAgent,
      setup: { script: carryOutSpec, codexModel: 'gpt-6.1-sol' },
    },
    {
      name: 'codex-command-fails',
      agent: codexAgent,
      setup: { script: carryOutSpec, files: failing },
    },
    { name: 'codex-401', agent: codexAgent, setup: error(401) },
    { name: 'codex-500', agent: codexAgent, setup: error(500) },
  ])('$name is what the CLI writes', async ({ name, agent, setup }, { expect }) => {
    const run = await runRealAgent(agent, { ...project, ...setup })
    const file = new URL(`../../fixtures/agent-streams/${name}.jsonl`, import.meta.url)
    await expect(trim(run)).toMatchFileSnapshot(fileURLToPath(file))
  })
})

describe.skipIf(!clis.ok).concurrent.each([claudeAgent, codexAgent])(`$name${reason}`, (agent) => {
  const script = (): ModelReply => ({ kind: 'answer', text: 'Done.' })

  test('reports missing credentials', async ({ expect }) => {
    const without = ['ANTHROPIC_AUTH_TOKEN', 'LOCAL_MODEL_KEY']
    const run = await runRealAgent(agent, { cliFolder, prompt: 'Go.', script, without })
    expect(new Set(run.events.flatMap((event) => (event.type === 'error' ? [event.cause] : [])))).toEqual(
      new Set(['auth']),
    )
    expect(run.conversations).toEqual([])
  })

  test('says that it cannot reach the report server', async ({ expect, onTestFinished }) => {
    const configFile = join(tmpdir(), `mdtest-${agent.name}-${process.pid}.json`)
    const reports = { url: 'http://127.0.0.1:1/mcp', token: 'x', configFile }
    writeFileSync(configFile, mcpConfig({}, reports))
    onTestFinished(() => rmSync(configFile, { force: true }))
    const run = await runRealAgent(agent, { cliFolder, prompt: 'Go.', script, request: { reports } })
    const diagnostics = run.stderr.split('\n').flatMap((line) => agent.readDiagnostics?.(line) ?? [])
    const errors = [...run.events, ...diagnostics].filter((event) => event.type === 'error')
    expect(errors.map(({ cause }) => cause)).toEqual(['mcp'])
  })
})

/** The stream without what differs from run to run and without what nobody reads. */
function trim({ stdout, root }: RealRun): string {
  return stdout
    .replaceAll(join(root, 'work'), '/project')
    .replaceAll(root, '/isolated')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:9999')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .split('\n')
    .map((line) => (line === '' ? '' : JSON.stringify(JSON.parse(line), keepKnown)))
    .join('\n')
}

const known = new Set(
  `type subtype session_id thread_id model message role content id name input text tool_use_id tool_name
  tool_input is_error result api_error_status total_cost_usd num_turns usage input_tokens output_tokens
  cache_creation_input_tokens cache_read_input_tokens cached_input_tokens permission_denials file_path command item
  aggregated_output exit_code status changes path kind error attempt error_status errors decision_reason`.split(/\s+/),
)

function keepKnown(key: string, value: unknown): unknown {
  return key === '' || /^\d+$/.test(key) || known.has(key) ? value : undefined
}
