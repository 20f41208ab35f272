import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createIsolatedHome, type IsolatedHome } from '../support/isolated-home.ts'
import { startModelServer } from '../support/model-server.ts'
import { playTurn } from '../support/scripts/report-spec.ts'
import { spawnCommand } from '../support/spawn-command.ts'
import { findRealClis, realCliPath } from './find-real-clis.ts'
import { claude, codex, codexCodeMode, skipReason } from './real-project.ts'

const clis = findRealClis()
const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))
const limits = { timeout_ms: 60_000, no_output_timeout_ms: 60_000, max_output_bytes: 20_000 }
const failing =
  "import test from 'node:test'\nimport assert from 'node:assert'\ntest('adds', () => assert.strictEqual(1 + 1, 3))\n"

/** A model that runs the tests of one file, then tries to get at another one. */
const script = playTurn(function* () {
  const input = { runner: 'node', scope: 'file', target: 'sum.test.mjs', ...limits }
  yield { kind: 'mcp', server: 'mdtest', tool: 'run_test', input }
  yield { kind: 'mcp', server: 'mdtest', tool: 'run_test', input: { ...input, target: '../secret.test.mjs' } }
  return 'Done.'
})

/** As docs/mcp.md says it. */
const commandLines = {
  claude: ({ work, root }: IsolatedHome): readonly string[] => {
    const configFile = join(root, 'mcp.json')
    const mdtest = { command: process.execPath, args: [bin, 'mcp', '--root', work] }
    writeFileSync(configFile, JSON.stringify({ mcpServers: { mdtest } }))
    return ['claude', '-p', 'Run the tests.', '--mcp-config', configFile, '--allowedTools=mcp__mdtest__run_test']
  },
  codex: ({ work }: IsolatedHome): readonly string[] => [
    ...['codex', 'exec', '--skip-git-repo-check', '--sandbox', 'read-only'],
    ...['-c', `mcp_servers.mdtest.command=${JSON.stringify(process.execPath)}`],
    ...['-c', `mcp_servers.mdtest.args=${JSON.stringify([bin, 'mcp', '--root', work])}`],
    // Else codex begins without the tool where the machine is busy.
    ...['-c', 'mcp_servers.mdtest.required=true', '-c', 'mcp_servers.mdtest.startup_timeout_sec=60'],
    ...['-c', 'mcp_servers.mdtest.tool_timeout_sec=3600'],
    'Run the tests.',
  ],
}

describe.skipIf(!clis.ok)(`a real agent has run_test${skipReason}`, () => {
  test.for([claude, codex, codexCodeMode])('$title', async ({ agent, ...rest }) => {
    await using model = await startModelServer(script)
    const path = realCliPath(clis.ok ? clis.folder : '')
    using home = createIsolatedHome({ modelUrl: model.url, path, ...rest })
    mkdirSync(join(home.work, '.git'))
    writeFileSync(join(home.work, 'sum.test.mjs'), failing)
    const [program = '', ...args] = commandLines[agent](home)
    const end = await spawnCommand({ argv: [program, ...args], cwd: home.work, env: home.env }, 120_000)
    expect(end, end.stderr).toMatchObject({ exitCode: 0 })
    const [answer, refusal] = model.conversations.findLast(({ results }) => results.length === 2)?.results ?? []
    for (const part of ['fail', 'adds', 'sum.test.mjs', '3']) expect(answer?.text).toContain(part)
    expect(answer?.isError).toBe(false)
    expect(refusal?.text).toContain('leads out of the repository')
    expect(model.strays).toEqual([])
  })
})
