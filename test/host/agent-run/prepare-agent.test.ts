import { existsSync, readdirSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentContext } from '../../../src/host/agent-run/agent-task.ts'
import { Browsers } from '../../../src/agents/browser/browsers.ts'
import { Releases } from '../../../src/host/agent-run/agent-task.ts'
import { notReady } from '../../../src/host/agent-run/prepare-agent.ts'
import { Spending } from '../../../src/host/agent-run/budget.ts'
import { startAgent } from '../../../src/host/agent-run/start-agent.ts'
import { RunGuard } from '../../../src/host/agent-run/guard-agent-run.ts'
import { OwnWrites } from '../../../src/host/guard/source-watch.ts'
import type { ScenarioRequest } from '../../../src/host/protocol/protocol.ts'
import { startReportServer, type ReportEndpoint } from '../../../src/host/agent-reports/report-server.ts'
import { MdtestError, type MdtestErrorCode } from '../../../src/system/mdtest-error.ts'
import { createLiveTrees } from '../../../src/system/process/launcher/live-trees.ts'
import { createMark } from '../../../src/system/process/trees/marks.ts'
import { scenarioRequest, unusedExecutor } from '../scenario-request.ts'
import { useFolders } from '../use-folder.ts'

const newFolder = useFolders()

/** A place in the preparation that fails, after all that was made before. */
type Failure = (context: AgentContext) => Partial<AgentContext>

const fail = async (): Promise<never> => {
  throw new Error('No room is left.')
}

const gone = (): never => {
  throw new Error('The terminal is gone.')
}
const goneTerminal = { terminal: { take: gone, say: gone }, specs: [], onInterrupt() {} }

test.for<readonly [name: string, failure: Failure]>([
  ['the server for its reports', () => ({ reportServer: fail })],
  [
    'the file that says where to report',
    ({ processes }) => ({ processes: { ...processes, makeTempDir: () => '/nonexistent/mdtest-folder' } }),
  ],
  ['the launcher', ({ processes }) => ({ processes: { ...processes, launcher: fail } })],
  ['what is said before its start', () => ({ terminal: goneTerminal })],
])('an agent that cannot be started leaves nothing behind: %s', async ([, failure]) => {
  const folder = newFolder()
  await folder.write({ 'a.test.md': '# A\n\nDo it.\n', 'bin/claude': '#!/bin/sh\n', 'bin/chromium': '#!/bin/sh\n' })
  for (const name of ['claude', 'chromium']) await chmod(folder.at('bin', name), 0o755)
  const { context, endpoints } = await openContext(folder.at('bin'), folder.path)
  const runFolder = dirname(context.processes.makeTempDir())
  const before = foldersIn(runFolder)

  await expect(startAgent(requestIn(folder.path), { ...context, ...failure(context) })).rejects.toThrow()

  const answers = endpoints.map(
    async ({ url, token }) =>
      (await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' })).status,
  )
  expect({
    folders: foldersIn(runFolder),
    answers: await Promise.all(answers),
    atWork: [...context.guard.leftIn(folder.path).atWork],
  }).toEqual({ folders: before, answers: endpoints.map(() => 401), atWork: [] })
})

test('an agent does not start without the MCP servers that mdtest calls for it, and nothing is left', async () => {
  const folder = newFolder()
  await folder.write({ 'a.test.md': '# A\n\nDo it.\n', 'bin/claude': '#!/bin/sh\n' })
  await chmod(folder.at('bin/claude'), 0o755)
  const { context, endpoints } = await openContext(folder.at('bin'), folder.path)
  const runFolder = dirname(context.processes.makeTempDir())
  const before = foldersIn(runFolder)
  const request = requestIn(folder.path)
  const mcpServers = {
    good: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 9)'] },
    bad: { command: 'none' },
  }
  const settings = { ...request.settings, executor: 'mdtest' as const, mcpServers }
  const progress = await (await startAgent({ ...request, needsBrowser: false, settings }, context)).awaitStep()
  expect(progress).toMatchObject({
    kind: 'ended',
    evidence: {
      ending: {
        kind: 'not-ready',
        code: 'MCP_UNAVAILABLE',
        message: expect.stringContaining('server `bad` cannot be used ('),
      },
    },
  })
  expect([foldersIn(runFolder), endpoints, [...context.guard.leftIn(folder.path).atWork]]).toEqual([before, [], []])
})

test.each([
  ['without a sandbox', 'command', 'auto', 'nothing but a sandbox'],
  ['where there has to be one and none works', 'claude', 'require', '`require`, and bubblewrap does not work here'],
] as const)('nothing is started for an agent that cannot be confined %s', async (_, specAgent, sandbox, words) => {
  const folder = newFolder()
  const started = '#!/bin/sh\ntouch started\n'
  await folder.write({ 'a.test.md': '# A\n\nDo it.\n', 'bin/bwrap': '#!/bin/sh\nexit 1\n', 'bin/claude': started })
  for (const name of ['bwrap', 'claude']) await chmod(folder.at('bin', name), 0o755)
  const { context, endpoints } = await openContext(folder.at('bin'), folder.path)
  const request = requestIn(folder.path)
  const mcpServers = { shelf: { command: process.execPath, args: ['-e', 'fs.writeFileSync("started", "")'] } }
  const settings = { ...request.settings, executor: 'mdtest' as const, sandbox, mcpServers }
  const agent = { command: [process.execPath] } as const // not empty
  const run = await startAgent(
    { ...request, specAgent, settings },
    specAgent === 'command' ? { ...context, agent } : context,
  )
  expect(await run.awaitStep()).toMatchObject({
    evidence: { ending: { code: 'EXECUTOR_UNAVAILABLE', message: expect.stringContaining(words) } },
  })
  expect([endpoints, existsSync(folder.at('started')), run.logFile]).toEqual([[], false, undefined])
})

/** Its own, not what the launcher puts there. */
function foldersIn(runFolder: string): readonly string[] {
  return readdirSync(runFolder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
}

async function openContext(
  bin: string,
  home: string,
): Promise<{ readonly context: AgentContext; readonly endpoints: readonly ReportEndpoint[] }> {
  const runMark = createMark()
  const processes = createLiveTrees(runMark)
  const server = await startReportServer()
  onTestFinished(async () => {
    await server.close()
    await processes.close()
  })
  const endpoints: ReportEndpoint[] = []
  const open: typeof server.open = (stepReports, executor) => {
    const endpoint = server.open(stepReports, executor)
    endpoints.push(endpoint)
    return endpoint
  }
  const context: AgentContext = {
    agent: 'auto',
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: home },
    processes,
    runMark,
    startedAt: new Date(),
    now: () => new Date(),
    reportServer: async () => ({ ...server, open }),
    guard: new RunGuard({}, new OwnWrites()),
    spending: new Spending(),
    runBudget: {},
    signal: new AbortController().signal,
    executor: unusedExecutor,
    browsers: new Browsers(),
  }
  return { context, endpoints }
}

const requestIn = (root: string): ScenarioRequest => scenarioRequest(root, { needsBrowser: true })

test('what an agent lacks has a code of its own, without secrets; what is no such error goes on', () => {
  const codeOf = (code: MdtestErrorCode): string => notReady(new MdtestError(code, 'm'), (text) => text).code
  expect(codeOf('LOGIN_FAILED')).toBe('LOGIN_FAILED')
  expect(codeOf('AGENT_BUDGET')).toBe('AGENT_BUDGET')
  expect(codeOf('AGENT_PEER_MISSING')).toBe('AGENT_NOT_FOUND')
  const told = notReady(new MdtestError('AGENT_BUDGET', 'key-1 is wrong.'), (text) => text.replace('key-1', '***'))
  expect(told.message).toBe('*** is wrong.')
  const bug = new TypeError('no function')
  expect(() => notReady(bug, (text) => text)).toThrow(bug)
})

test('what was made for an agent is all released, once, the last thing first, whatever fails on the way', () => {
  const releases = new Releases()
  const released: string[] = []
  for (const name of ['folder', 'bad one', 'token', 'bad two']) {
    releases.add(() => {
      released.push(name)
      if (name.startsWith('bad')) throw new RangeError(name)
    })
  }
  expect(() => releases.releaseAll()).toThrow(RangeError)
  releases.releaseAll()
  expect(released).toEqual(['bad two', 'token', 'bad one', 'folder'])
})
