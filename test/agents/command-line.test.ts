import { describe, expect, test } from 'vitest'
import type { AgentRequest } from '../../src/agents/agent.ts'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { createCommandAgent } from '../../src/agents/command/command-agent.ts'
import { mcpConfig, withoutProxyForLoopback } from '../../src/agents/report-access.ts'
import { agentRequest, testAgent } from './test-agent.ts'

testAgent('command', () => createCommandAgent(['my-agent', '--log', '{log}', '{prompt}']))

const reports = { url: 'http://127.0.0.1:7/mcp', token: 'secret-token', configFile: '/tmp/m/mcp.json' }

test.each([claudeAgent, codexAgent])('the token of $name is not in its command line', (agent) => {
  expect(agent.buildCommand(agentRequest({ reports })).argv.join(' ')).not.toContain(reports.token)
})

test('a configuration of MCP servers holds the address and the token', () => {
  expect(JSON.parse(mcpConfig({}, reports))).toEqual({
    mcpServers: {
      mdtest: { type: 'http', url: reports.url, headers: { Authorization: 'Bearer secret-token' }, alwaysLoad: true },
    },
  })
})

test.each([
  [{ A: '1' }, { A: '1' }],
  [{ HTTP_PROXY: 'p' }, { HTTP_PROXY: 'p', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }],
  [
    { https_proxy: 'p', no_proxy: 'a, b' },
    { https_proxy: 'p', NO_PROXY: 'a, b,127.0.0.1', no_proxy: 'a, b,127.0.0.1' },
  ],
  [
    { ALL_PROXY: 'p', NO_PROXY: 'a, 127.0.0.1' },
    { ALL_PROXY: 'p', NO_PROXY: 'a, 127.0.0.1' },
  ],
])('loopback is kept from a proxy: %j', (env, expected) => {
  expect(withoutProxyForLoopback(env)).toEqual(expected)
})

const outside = { logFile: '/logs/notes/t.log.md' }

describe('the command line of claude', () => {
  const stop = { hooks: { Stop: [{ hooks: [{ type: 'command', command: `echo '{"continue":false}'` }] }] } }
  const start = ['claude', '-p', '--output-format', 'stream-json', '--verbose', '--settings', JSON.stringify(stop)]
  const edits = ['--permission-mode', 'acceptEdits']
  const rules = ['Bash(npm test *)', 'Bash(node -p "a, b")', 'mcp__x__y']
  test.each<[string, Partial<AgentRequest>, string[]]>([
    ['by default', {}, [...start, ...edits]],
    ['with rules', { allow: rules }, [...start, ...edits, ...rules.map((rule) => `--allowedTools=${rule}`)]],
    ['with the log outside', outside, [...start, ...edits, '--add-dir=/logs/notes']],
    [
      'with the log in a folder that starts like cwd',
      { logFile: '/project-logs/t.log.md' },
      [...start, ...edits, '--add-dir=/project-logs'],
    ],
    ['with the log in the folder above', { logFile: '/t.log.md' }, [...start, ...edits, '--add-dir=/']],
    ['with the log in a folder named with dots', { logFile: '/project/..logs/t.log.md' }, [...start, ...edits]],
    [
      'with all actions allowed',
      { dangerouslyAllowAllActions: true, allow: rules },
      [...start, '--dangerously-skip-permissions'],
    ],
    [
      'with the spec outside, which it may then read',
      { specFile: '/specs/notes.test.md', allow: rules.slice(0, 1) },
      [...start, ...edits, '--allowedTools=Read(//specs/notes.test.md)', `--allowedTools=${rules[0]}`],
    ],
    [
      'with included files, of which it may read those outside',
      { includedFiles: ['/project/shared/a.md', '/specs/b.md'] },
      [...start, ...edits, '--allowedTools=Read(//specs/b.md)'],
    ],
    [
      'with special characters in the path of the spec outside',
      { specFile: '/a (b), [c]/x*.test.md' },
      [...start, ...edits, '--allowedTools=Read(//a ?b?, ?c?/x?.test.md)'],
    ],
    [
      'with reports',
      { reports, allow: rules.slice(0, 1) },
      [
        ...start,
        ...edits,
        `--allowedTools=${rules[0]}`,
        '--mcp-config',
        '/tmp/m/mcp.json',
        '--strict-mcp-config',
        '--allowedTools=mcp__mdtest__report_step',
        '--allowedTools=mcp__mdtest__next_step',
      ],
    ],
    [
      'with reports and a tool of a server of the user, which stays then',
      { reports, allow: ['mcp__shop__buy'] },
      [
        ...start,
        ...edits,
        '--allowedTools=mcp__shop__buy',
        '--mcp-config',
        '/tmp/m/mcp.json',
        '--allowedTools=mcp__mdtest__report_step',
        '--allowedTools=mcp__mdtest__next_step',
      ],
    ],
    ['with network, which it does not limit', { network: true }, [...start, ...edits]],
  ])('%s', (_, changes, expected) => {
    expect(claudeAgent.buildCommand(agentRequest(changes)).argv).toEqual([...expected, '--', 'Read and execute.'])
  })
})

describe('the command line of codex', () => {
  const start = ['codex', 'exec', '--json', '--skip-git-repo-check']
  const sandbox = (network: boolean): string[] => [
    '--sandbox',
    'workspace-write',
    '-c',
    `sandbox_workspace_write.network_access=${network}`,
  ]
  test.each<[string, Partial<AgentRequest>, string[]]>([
    ['by default', {}, [...start, ...sandbox(false)]],
    ['with network', { network: true }, [...start, ...sandbox(true)]],
    ['with rules, which it does not know', { allow: ['Bash(npm *)'] }, [...start, ...sandbox(false)]],
    ['with the log outside', outside, [...start, ...sandbox(false), '--add-dir', '/logs/notes']],
    [
      'with all actions allowed',
      { dangerouslyAllowAllActions: true },
      [...start, '--dangerously-bypass-approvals-and-sandbox'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(codexAgent.buildCommand(agentRequest(changes)).argv).toEqual([...expected, '--', 'Read and execute.'])
  })
})

test('codex gets the report server by settings, and its token by a variable', () => {
  const { argv, env } = codexAgent.buildCommand(agentRequest({ reports }))
  const settings = argv.flatMap((argument, index) => (argument === '-c' ? [argv[index + 1]] : []))
  expect(settings.slice(1)).toEqual([
    'mcp_servers.mdtest.url="http://127.0.0.1:7/mcp"',
    'mcp_servers.mdtest.bearer_token_env_var="MDTEST_REPORT_TOKEN"',
    'mcp_servers.mdtest.required=true',
    'mcp_servers.mdtest.tool_timeout_sec=60',
  ])
  expect(env.MDTEST_REPORT_TOKEN).toBe('secret-token')
})

describe('where mdtest alone executes', () => {
  const executor = { tools: ['run', 'read'] }
  const mcpServers = { mail: { command: 'node' } }
  const changes = {
    executor,
    reports,
    mcpServers,
    allow: ['Bash(npm *)', 'mcp__shop__buy'],
    dangerouslyAllowAllActions: true,
    ...outside,
  }
  const ownTools = ['report_step', 'next_step', 'run', 'read'].map((tool) => `--allowedTools=mcp__mdtest__${tool}`)
  const claudeStart = ['--tools', 'Read,Glob,Grep', '--no-chrome', '--permission-mode', 'dontAsk']
  const servers = ['--mcp-config', '/tmp/m/mcp.json', '--strict-mcp-config', ...ownTools]

  test('claude has no shell, no editor and no hooks, and rules are none of its own', () => {
    expect(claudeAgent.buildCommand(agentRequest(changes)).argv.slice(5, -2)).toEqual([
      '--settings',
      '{"disableAllHooks":true}',
      ...claudeStart,
      ...servers,
    ])
  })

  test('claude in a terminal has the hooks that mdtest needs, and none of others', () => {
    const { argv = [] } = claudeAgent.interface?.buildCommand({ ...agentRequest(changes), notesFile: '/n' }) ?? {}
    expect(argv.slice(1, -3)).toEqual([...claudeStart, ...servers, '--setting-sources=', '--settings'])
    expect(argv.at(-3)).toContain('SessionStart')
  })

  test('claude may read the spec wherever it is', () => {
    const { argv } = claudeAgent.buildCommand(agentRequest({ ...changes, specFile: '/specs/notes.test.md' }))
    expect(argv).toContain('--allowedTools=Read(//specs/notes.test.md)')
  })

  test('codex has no shell, no helpers, no hooks, and writes nothing', () => {
    const { argv, env } = codexAgent.buildCommand(agentRequest(changes))
    expect(argv.slice(4, 8)).toEqual(['--disable', 'shell_tool', '--sandbox', 'read-only'])
    const settings = argv.flatMap((argument, index) => (argument === '-c' ? [argv[index + 1]] : []))
    expect(settings.filter((setting) => !setting?.startsWith('mcp_servers.mdtest.'))).toEqual([
      ...['approval_policy="never"', 'web_search="disabled"', 'features.unified_exec=false', 'agents.enabled=false'],
      ...['features.multi_agent=false', 'features.hooks=false', 'notify=[]', 'features.plugins=false'],
      'features.apps=false',
    ])
    expect(settings).toContain('mcp_servers.mdtest.default_tools_approval_mode="approve"')
    expect(argv.join(' ')).not.toMatch(/--add-dir|dangerously|mail/)
    expect(env.MDTEST_REPORT_TOKEN).toBe(reports.token)
  })

  test('a program learns by an argument or a variable where the tools are', () => {
    const agent = createCommandAgent(['my-agent', '--servers={mcp}', '{prompt}'])
    const { argv, env } = agent.buildCommand(agentRequest({ ...changes, prompt: 'Say {mcp}.' }))
    expect(argv).toEqual(['my-agent', '--servers=/tmp/m/mcp.json', 'Say {mcp}.'])
    expect(env.MDTEST_MCP_CONFIG).toBe('/tmp/m/mcp.json')
    expect(agent.buildCommand(agentRequest({})).env).not.toHaveProperty('MDTEST_MCP_CONFIG')
  })
})

describe('MCP servers that are attached', () => {
  const mcpServers = {
    mail: { command: 'node', args: ['mail "1".mjs'], env: { MAIL_KEY: 'mail-secret', PATH: '/own' } },
    'stock-2': { url: 'http://127.0.0.1:8/mcp', headers: { 'X-Key': 'stock-secret' } },
  }
  const request = agentRequest({ reports, mcpServers, env: { PATH: '/usr/bin' } })

  test('are in the file of Claude Code, which may use all their tools', () => {
    expect(Object.keys(JSON.parse(mcpConfig(mcpServers, reports)).mcpServers)).toEqual(['mail', 'stock-2', 'mdtest'])
    expect(JSON.parse(mcpConfig(mcpServers, reports)).mcpServers).toMatchObject({
      mail: mcpServers.mail,
      'stock-2': { type: 'http', ...mcpServers['stock-2'] },
    })
    const { argv } = claudeAgent.buildCommand(request)
    expect(argv).toContain('--allowedTools=mcp__mail')
    expect(argv).toContain('--allowedTools=mcp__stock-2')
  })

  test('are settings of codex, with their secrets in its environment', () => {
    const { argv, env } = codexAgent.buildCommand(request)
    const settings = argv.filter((argument) => /^mcp_servers\.(?:mail|stock-2)\./.test(argument))
    expect(settings).toEqual([
      'mcp_servers.mail.command="node"',
      'mcp_servers.mail.args=["mail \\"1\\".mjs"]',
      'mcp_servers.mail.env={"PATH"="/own"}',
      'mcp_servers.mail.env_vars=["MAIL_KEY"]',
      'mcp_servers.mail.default_tools_approval_mode="approve"',
      'mcp_servers.mail.required=true',
      'mcp_servers.stock-2.url="http://127.0.0.1:8/mcp"',
      'mcp_servers.stock-2.env_http_headers={"X-Key"="MDTEST_MCP_stock_2_0"}',
      'mcp_servers.stock-2.default_tools_approval_mode="approve"',
      'mcp_servers.stock-2.required=true',
    ])
    expect(argv.join(' ')).not.toMatch(/mail-secret|stock-secret/)
    expect(env).toMatchObject({ PATH: '/usr/bin', MAIL_KEY: 'mail-secret', MDTEST_MCP_stock_2_0: 'stock-secret' })
  })
})

describe('the command line of a command', () => {
  const argvOf = (command: [string, ...string[]], changes: Partial<AgentRequest> = {}): readonly string[] =>
    createCommandAgent(command).buildCommand(agentRequest(changes)).argv

  test('names the root, from which a program is found whatever the working directory is', () => {
    expect(argvOf(['node', '{root}/tools/agent.mjs'], { root: '/project' })).toEqual([
      'node',
      '/project/tools/agent.mjs',
    ])
  })

  test('replaces the placeholders anywhere in an argument, as often as they stand there', () => {
    expect(argvOf(['a', '--in={spec}', '{log}:{log}', 'say {prompt}!', '{other}', '{ log }'])).toEqual([
      ...['a', '--in=/project/notes.test.md'],
      '/project/notes.logs/t.log.md:/project/notes.logs/t.log.md',
      ...['say Read and execute.!', '{other}', '{ log }'],
    ])
  })

  test('does not replace again what came in with a value', () => {
    expect(argvOf(['a', '{prompt}'], { prompt: '{log} {spec} $& $1 {prompt}' })).toEqual([
      'a',
      '{log} {spec} $& $1 {prompt}',
    ])
  })

  test('leaves the program itself alone', () => {
    expect(argvOf(['./{log}', 'x'])[0]).toBe('./{log}')
  })

  test('has no event stream', () => {
    expect(createCommandAgent(['a']).readEvents('{"type":"system","subtype":"init"}')).toEqual([])
  })
})
