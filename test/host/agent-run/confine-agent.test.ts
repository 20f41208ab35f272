import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CliAgent } from '../../../src/agents/agent.ts'
import { browserAgent } from '../../../src/agents/browser/browser-agent.ts'
import { createOwnAcpAgent } from '../../../src/agents/acp/acp-agent.ts'
import { claudeAgent } from '../../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../../src/agents/codex/codex-agent.ts'
import { createCommandAgent } from '../../../src/agents/command/command-agent.ts'
import { findSandbox } from '../../../src/permissions/sandbox/bubblewrap.ts'
import { confine } from '../../../src/host/agent-run/confine-agent.ts'

const found = await findSandbox(process.env)
const skipReason = found.ok ? '' : ` (skipped: ${found.why})`
const root = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-confine-')))
const path = (name: string): string => join(root, name)
const command = createCommandAgent(['my-agent'])

beforeAll(() => {
  for (const name of ['bin', 'home/.codex', 'project']) mkdirSync(path(name), { recursive: true })
})
afterAll(() => rmSync(root, { recursive: true }))

/** @param program shell script of a program `codex` that is first on PATH */
async function confined(
  agent: CliAgent,
  sandbox: 'require' | 'auto' | 'off',
  { withSandbox = false, program = 'echo "[]"' }: { readonly withSandbox?: boolean; readonly program?: string } = {},
): Promise<Awaited<ReturnType<typeof confine>>> {
  writeFileSync(path('bin/codex'), `#!/bin/bash\n${program}\n`, { mode: 0o755 })
  const env = { PATH: withSandbox ? `${path('bin')}:${process.env.PATH}` : path('bin'), HOME: path('home') }
  const argv = [agent.bin, '--flag', '--', 'Go.'] as const // not empty
  const place = { readable: [path('project')], writable: [], programs: [] }
  return confine(agent, { argv, cwd: path('project'), env }, { sandbox, ...place })
}

const none = expect.stringMatching(/is not installed|for Linux alone/)

describe('without bubblewrap', () => {
  test.each<[string, CliAgent, 'require' | 'auto' | 'off', unknown]>([
    ['claude goes without it', claudeAgent, 'auto', { usedExecutor: { sandbox: 'none', why: none } }],
    ['claude goes without it', claudeAgent, 'off', { usedExecutor: { sandbox: 'none', why: '`sandbox` is `off`' } }],
    [
      'claude is refused',
      claudeAgent,
      'require',
      {
        message: expect.stringMatching(
          /`claude` cannot be kept .*`require`, and .*\. Install bubblewrap .*, or set `sandbox: auto`, or set `executor: agent`\.$/,
        ),
      },
    ],
    ['codex goes without it', codexAgent, 'auto', { usedExecutor: { sandbox: 'none', why: none } }],
    [
      'a program is refused',
      command,
      'auto',
      {
        message: expect.stringMatching(
          /`command` cannot be kept .*nothing but a sandbox can confine it, and .*\. Install bubblewrap .*, or set `sandbox: off` if you trust it, or set `executor: agent`\.$/,
        ),
      },
    ],
    [
      'a program is trusted where its user says so, and nothing confines it',
      command,
      'off',
      { usedExecutor: { sandbox: 'none', why: '`sandbox` is `off`' } },
    ],
    [
      'a program that speaks ACP is refused',
      createOwnAcpAgent({ acp: ['my-agent'] }),
      'off',
      {
        message: expect.stringMatching(/`sandbox` is `off`\. Set that to `auto`, or set `executor: agent`\.$/),
      },
    ],
    ['a program is refused', command, 'require', { name: 'Error' }],
    [
      'the model with a browser, which is ours, goes on',
      browserAgent,
      'require',
      { usedExecutor: { sandbox: 'none', why: expect.stringContaining('part of mdtest') } },
    ],
  ])('%s: %o, %s', async (_, agent, sandbox, expected) => {
    // The stand-in for codex needs its shell.
    const result = await confined(agent, sandbox).catch((error: unknown) => error)
    expect(result).toMatchObject(Object(expected))
  })
})

describe.skipIf(!found.ok)(`with bubblewrap${skipReason}`, () => {
  test.each([claudeAgent, codexAgent, command])('$name is started by it', async (agent) => {
    const result = await confined(agent, 'require', { withSandbox: true })
    const { argv } = result.command
    expect(argv[0]).toMatch(/bwrap$/)
    expect(argv.slice(-4)).toEqual([agent.bin, '--flag', '--', 'Go.'])
    expect(result.usedExecutor).toEqual({ sandbox: 'bubblewrap' })
  })

  test('a program that only bears the name of codex changes nothing when it is asked for its servers', async () => {
    const program = `echo x > ${path('project/changed')}; echo x > $CODEX_HOME/../changed; echo "[]"`
    await confined(codexAgent, 'auto', { withSandbox: true, program })
    expect([existsSync(path('project/changed')), existsSync(path('home/changed'))]).toEqual([false, false])
  })
})

describe('servers of the user of codex', () => {
  const list = (servers: readonly object[]): string => `echo '${JSON.stringify(servers)}'`
  test.each([
    [
      'are switched off',
      list([{ name: 'mail', enabled: true }, { name: 'off', enabled: false }, { name: 'stock-2' }]),
      ['-c', 'mcp_servers.mail.enabled=false', '-c', 'mcp_servers.stock-2.enabled=false'],
    ],
    ['are none', 'echo "[]"', []],
  ])('%s', async (_, program, expected) => {
    const result = await confined(codexAgent, 'off', { program })
    expect(result.command.argv).toEqual(['codex', '--flag', ...expected, '--', 'Go.'])
  })

  test.each([
    ['has a name that no setting can hold', list([{ name: 'a.b', enabled: true }]), /MCP server `a\.b` off: rename it/],
    [
      'cannot be asked for: the program is too old',
      'echo "Error: Unknown feature flag: shell_tool" >&2; exit 1',
      /failed: Error: Unknown feature flag: shell_tool\. Update it, or set `executor: agent`/,
    ],
    ['cannot be asked for: it is another program', 'echo hello', /gave no list of servers/],
  ])('one %s', async (_, program, message) => {
    await expect(confined(codexAgent, 'off', { program })).rejects.toThrow(message)
  })
})
