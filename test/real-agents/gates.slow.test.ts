import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createIsolatedHome, type IsolatedHome } from '../support/isolated-home.ts'
import { startModelServer } from '../support/model-server.ts'
import { playTurn } from '../support/scripts/report-spec.ts'
import { spawnCommand } from '../support/spawn-command.ts'
import { findRealClis, realCliPath } from './find-real-clis.ts'
import {
  claude,
  codex,
  codexCodeMode,
  copilot,
  createRealProject,
  gemini,
  openCode,
  qwen,
  sampleOf,
  skipReason,
} from './real-project.ts'

const checkOf = (expected: string): string =>
  `import test from 'node:test'\nimport assert from 'node:assert'\nimport { readFileSync } from 'node:fs'\nimport { sum } from './sum.mjs'\ntest('adds', () => assert.strictEqual(sum(1, 2), ${expected}))\n`
const commands = { compile: 'node --check sum.mjs', test: 'node --test sum.check.mjs' }
const files = {
  'mdtest.config.json': JSON.stringify({ commands }),
  'sum.mjs': 'export const sum = (a, b) => a - b\n',
  'sum.check.mjs': checkOf('3'),
}
const shelf = readFileSync(new URL('../support/shelf-server.mjs', import.meta.url), 'utf8')

describe.skipIf(skipReason !== '').concurrent(`a real agent and a red gate${skipReason}`, () => {
  test.for(sampleOf([claude, codex, copilot]))('$title fixes it', async (product) => {
    const place: { file?: string } = {}
    const script = playTurn(function* () {
      const { file = '' } = place
      const { text: over } = yield { kind: 'read', file }
      yield { kind: 'write', file, content: 'export const sum = (a, b) => a + b\n', over }
      return '{ "fix_applied": "It subtracted." }'
    })
    await using real = await createRealProject({ product, files, script })
    place.file = real.project.path('sum.mjs')
    const { exitCode, stdout, stderr } = await real.mdtest(['gate', '--json', '--agent', product.agent])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining(`fix 1 of 2: ${product.agent}`),
    })
    expect(JSON.parse(stdout).gate_results.test).toMatchObject({
      status: 'pass',
      pass_count: 1,
      attempts: 2,
      fix_attempts: [
        { what_failed: 'test (1 failed: adds)', fix_applied: 'It subtracted. Changed: sum.mjs.', result: 'pass' },
      ],
    })
    expect(real.model.conversations[0]?.prompt).toContain('Command: node --test sum.check.mjs')
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })

  // Copilot CLI takes no programs for servers.
  test.for(sampleOf([gemini, openCode, qwen]))(
    '$title has the servers of the configuration, and fixes it',
    async (product) => {
      const place: { file?: string } = {}
      const script = playTurn(function* () {
        const { file = '' } = place
        yield { kind: 'mcp', server: 'shelf', tool: 'put', input: { thing: 'a + b' } }
        const { text } = yield { kind: 'mcp', server: 'shelf', tool: 'get', input: { number: 1 } }
        const { text: over } = yield { kind: 'read', file }
        const said = /item 1: (a . b)/.exec(text)?.[1] ?? 'nothing'
        yield { kind: 'write', file, content: `export const sum = (a, b) => ${said}\n`, over }
        return '{ "fix_applied": "It subtracted." }'
      })
      const mcpServers = { shelf: { command: 'node', args: ['shelf-server.mjs', 'words.txt'] } }
      const more = {
        'mdtest.config.json': JSON.stringify({ commands, mcpServers }),
        'shelf-server.mjs': shelf,
        'words.txt': 'Done\n',
      }
      await using real = await createRealProject({ product, files: { ...files, ...more }, script })
      place.file = real.project.path('sum.mjs')
      const { exitCode, stdout, all } = await real.mdtest(['gate', '--json', '--agent', product.agent])
      expect(exitCode, all).toBe(0)
      expect(JSON.parse(stdout).gate_results.test).toMatchObject({ status: 'pass', attempts: 2 })
      expect(await real.leftovers()).toEqual([])
    },
  )

  test.for(sampleOf([codex, claude, copilot]))(
    '$title changes what the test expects, which is left out',
    async (product) => {
      const place: { file?: string } = {}
      const script = playTurn(function* () {
        const { file = '' } = place
        const { text: over } = yield { kind: 'read', file }
        yield { kind: 'write', file, content: '-1', over }
        return '{ "fix_applied": "It was wrong." }'
      })
      const byFile = {
        ...files,
        'numbers/three.json': '3',
        'sum.check.mjs': checkOf("Number(readFileSync('numbers/three.json', 'utf8'))"),
      }
      await using real = await createRealProject({ product, files: byFile, script })
      place.file = real.project.path('numbers/three.json')
      const args = ['gate', '--json', '--agent', product.agent, '--fix-attempts', '1']
      const { exitCode, stdout } = await real.mdtest(args)
      expect([exitCode, JSON.parse(stdout).gate_results.test.fix_attempts]).toMatchObject([
        1,
        [{ result: 'fail', changed: [], left_out: [{ path: 'numbers/three.json' }] }],
      ])
      expect(readFileSync(place.file, 'utf8')).toBe('3')
      expect(await real.leftovers()).toEqual([])
    },
  )
})

const clis = findRealClis(['claude', 'codex'])
const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))
const limits = { timeout_ms: 60_000, no_output_timeout_ms: 60_000, max_output_bytes: 20_000 }
const failing =
  "import test from 'node:test'\nimport assert from 'node:assert'\ntest('adds', () => assert.strictEqual(1 + 1, 3))\n"

/** A model that runs the tests of one file, then tries to get at another one. */
const runsTests = playTurn(function* () {
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
    ...['-c', 'mcp_servers.mdtest.required=true', '-c', 'mcp_servers.mdtest.startup_timeout_sec=120'],
    ...['-c', 'mcp_servers.mdtest.tool_timeout_sec=3600'],
    'Run the tests.',
  ],
}

describe.skipIf(!clis.ok).concurrent(`a real agent has run_test${skipReason}`, () => {
  test.for([claude, ...sampleOf([codex, codexCodeMode])])('$title', async ({ agent, ...rest }) => {
    await using model = await startModelServer(runsTests)
    const path = realCliPath(clis.ok ? clis.folder : '')
    using home = createIsolatedHome({ modelUrl: model.url, path, ...rest })
    mkdirSync(join(home.work, '.git'))
    writeFileSync(join(home.work, 'sum.test.mjs'), failing)
    const [program = '', ...args] = commandLines[agent](home)
    const end = await spawnCommand({ argv: [program, ...args], cwd: home.work, env: home.env }, 280_000)
    expect(end, end.stderr).toMatchObject({ exitCode: 0 })
    const [answer, refusal] = model.conversations.findLast(({ results }) => results.length === 2)?.results ?? []
    for (const part of ['fail', 'adds', 'sum.test.mjs', '3']) expect(answer?.text).toContain(part)
    expect(answer?.isError).toBe(false)
    expect(refusal?.text).toContain('leads out of the repository')
    expect(model.strays).toEqual([])
  })
})
