import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport, verdictsOf, type ReportedTest } from '../support/json-report.ts'
import { leftAfter, processesOf, type ProjectProcess } from '../support/leftovers.ts'
import type { ModelScript } from '../support/model-server.ts'
import { callOwn, playTurn, reportSpec } from '../support/scripts/report-spec.ts'
import { readTask } from '../support/scripts/read-task.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import { rightProgram, spec } from './notes-project.ts'
import { copilot, createRealProject, gemini, openCode, qwen, sampleOf, skipReason } from './real-project.ts'

// What holds for each agent that speaks ACP is shown with one of them, or with a small one of ours.

const worker = fileURLToPath(new URL('../support/acp-worker.mjs', import.meta.url))

const isOurProgram = ({ line }: ProjectProcess): boolean => line.includes('dist/agents/acp/program/main.js')
const isLauncher = ({ line }: ProjectProcess): boolean => line.includes('launcher-main.js')
const isRun = ({ line }: ProjectProcess): boolean => / run\b/.test(line)
const isAgent = (one: ProjectProcess): boolean => one.line.includes('acp-worker.mjs') && !isOurProgram(one)

/** Who gets which signal in the middle of a command, and the exit code of the run where it tells one. */
const ends: readonly {
  readonly what: string
  readonly signal: NodeJS.Signals
  readonly isMeant: (one: ProjectProcess) => boolean
  readonly exitCode: number | undefined
}[] = [
  { what: 'kill -9 of our program', signal: 'SIGKILL', isMeant: isOurProgram, exitCode: 1 },
  { what: 'kill -9 of the agent', signal: 'SIGKILL', isMeant: isAgent, exitCode: 1 },
  { what: 'kill -9 of the launcher', signal: 'SIGKILL', isMeant: isLauncher, exitCode: 1 },
  {
    what: 'kill -9 of all that is ours at once',
    signal: 'SIGKILL',
    isMeant: (one) => isRun(one) || isLauncher(one) || isOurProgram(one),
    exitCode: undefined,
  },
  {
    what: 'kill -9 of run, our program and agent at once',
    signal: 'SIGKILL',
    isMeant: (one) => isRun(one) || isOurProgram(one) || isAgent(one),
    exitCode: undefined,
  },
]

/** Sockets, pipes and what bears our name below a folder. */
function oddFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const stats = lstatSync(join(folder, name))
    return stats.isSocket() || stats.isFIFO() || name.startsWith('mdtest')
  })
}

describe.concurrent('nothing of an agent that speaks ACP is left', () => {
  test.for(ends)('after $what', async ({ signal, isMeant, exitCode }) => {
    const options = { agent: { acp: [process.execPath, worker] }, executor: 'agent', allow: ['Bash(node *)'] }
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`,
      'work.json': JSON.stringify([{ command: 'node wait.mjs' }]),
      'wait.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync('started', '')\nsetTimeout(() => {}, 1e6)\n",
      'shop.test.md': '# Shop\n\n## Wait\n\nWait.\n',
      't/.keep': '',
    })
    const TMPDIR = project.path('t')
    const running = project.start('mdtest', ['run'], { env: { TMPDIR }, timeoutMs: 280_000 })
    await vi.waitUntil(() => existsSync(project.path('started')), { timeout: 200_000, interval: 50 })
    const meant = processesOf(project.dir).filter(isMeant)
    expect(meant).not.toEqual([])
    for (const { pid } of meant) process.kill(pid, signal)
    expect((await running).exitCode).toBe(exitCode)
    expect(await leftAfter(project.dir, 60_000)).toEqual([])
    await vi.waitFor(() => expect(oddFilesIn(TMPDIR)).toEqual([]), { timeout: 60_000, interval: 200 })
  })
})

test.skipIf(skipReason !== '').each(sampleOf([gemini, openCode, copilot, qwen]))(
  `$title acts by mdtest's tools alone${skipReason}`,
  async (product) => {
    await using real = await createRealProject({
      product,
      options: { allow: ['Bash(node *)'], executor: 'mdtest' },
      script: reportSpec,
      files: { 'notes.mjs': rightProgram, 'right.test.md': spec },
    })
    const { stdout } = await real.vitest(['run', '--reporter=json'])
    const messages = readJsonReport(stdout)['right.test.md']?.flatMap(({ messages: all = [] }) => all)
    expect([messages, verdictsOf(stdout, 'right.test.md')]).toEqual([[], ['pass witnessed', 'pass witnessed']])
    expect(await real.leftovers()).toEqual([])
  },
)

const step = (number: number): string =>
  `## Step ${number}\n\nRun \`node p.mjs ${number}\`. It prints "step ${number}".\n\n`
const steps = `# Steps\n\n${step(1)}${step(2)}`
const shelf = readFileSync(new URL('../support/shelf-server.mjs', import.meta.url), 'utf8')
const shelfSpec = `---
cwd: copy
mcp-servers:
  shelf: { command: node, args: [shelf-server.mjs, words.txt] }
---

# Shelf

## Put

Put tea on the shelf, and look at it.
`
const messagesOf = (tests: readonly ReportedTest[] = []): string =>
  tests.flatMap(({ messages = [] }) => messages).join('\n')
/** It breaks off behind the first step. */
const failingLater: ModelScript = (conversation) =>
  conversation.results.length > 2 ? { kind: 'error', status: 500 } : reportSpec(conversation)

test.skipIf(skipReason !== '').each(sampleOf([copilot, gemini, openCode, qwen]))(
  `$title: errors of its model give no pass, and limits are kept${skipReason}`,
  async (product) => {
    await using real = await createRealProject({
      product,
      // Some try again in silence for longer than that.
      options: { executor: 'agent', allow: ['Bash(node *)'], silenceTimeoutMs: 25_000, maxAgents: 2 },
      script: bySpec({
        '401.test.md': () => ({ kind: 'error', status: 401 }),
        'later.test.md': failingLater,
        'silent.test.md': () => ({ kind: 'silence' }),
        'tokens.test.md': reportSpec,
        'cost.test.md': reportSpec,
        'shelf.test.md': reportSpec,
      }),
      files: {
        'p.mjs': "console.log('step ' + process.argv[2])\n",
        '401.test.md': steps,
        'later.test.md': steps,
        'silent.test.md': steps,
        'tokens.test.md': `---\nmax-tokens: 100\n---\n\n${steps}`,
        'cost.test.md': `---\nmax-cost-usd: 0.0001\n---\n\n${steps}`,
        ...(product === copilot && { 'shelf.test.md': shelfSpec, 'shelf-server.mjs': shelf, 'words.txt': 'Done\n' }),
      },
    })
    const { stdout } = await real.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, '401.test.md')[0]).toBe('blocked AGENT_AUTH')
    expect(verdictsOf(stdout, 'later.test.md')[1]).toMatch(/^blocked (MODEL_UNAVAILABLE|AGENT_SILENT)/)
    expect(verdictsOf(stdout, 'silent.test.md')[0]).toBe('blocked AGENT_SILENT')
    const { 'tokens.test.md': tokens, 'cost.test.md': cost, 'shelf.test.md': ofShelf } = readJsonReport(stdout)
    expect(tokens?.at(-1)?.codes).toEqual(['AGENT_BUDGET'])
    expect(messagesOf(tokens)).toMatch(/this scenario has used \d+ tokens, \d+ over `maxTokens` \(100\)/)
    // Who tells what it costs is ended with its last step; the others do not begin.
    const tellsCost = product === openCode
    expect(cost?.at(tellsCost ? -1 : 0)?.codes).toEqual(['AGENT_BUDGET'])
    expect(messagesOf(cost)).toMatch(tellsCost ? /has cost \$/ : /does not report its cost/)
    if (product === copilot) {
      expect(ofShelf?.[0]?.codes).toEqual(['MCP_UNAVAILABLE'])
      expect(messagesOf(ofShelf)).toContain('`shelf` is a program. Give it a `url`.')
    }
    expect(await real.leftovers()).toEqual([])
  },
)

test.skipIf(skipReason !== '').each(sampleOf([gemini, openCode, qwen]))(
  `servers of a spec reach $title${skipReason}`,
  async (product) => {
    const script = playTurn(function* ({ prompt }) {
      const [first] = readTask(prompt)?.steps ?? []
      yield { kind: 'mcp', server: 'shelf', tool: 'put', input: { thing: 'tea' } }
      const { text } = yield { kind: 'mcp', server: 'shelf', tool: 'get', input: { number: 1 } }
      // Some put words around an answer.
      const quote = text.includes('item 1: tea') ? 'item 1: tea' : text
      const report = { step: first?.id, status: 'pass', observed: 'So.', evidence: [{ quote }], checks: [] }
      yield callOwn('report_step', report)
      return 'All steps are done.'
    })
    const files = { 'shelf.test.md': shelfSpec, 'shelf-server.mjs': shelf, 'words.txt': 'Done\n' }
    await using real = await createRealProject({ product, script, files })
    const made = await real.mdtest(['run'])
    expect(made.exitCode, made.all).toBe(0)
    expect(await real.leftovers()).toEqual([])
  },
)
