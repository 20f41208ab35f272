import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Conversation } from '../support/conversation.ts'
import { readJsonReport, verdictsOf, type ReportedTest } from '../support/json-report.ts'
import { agentsOf } from '../support/processes.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason, type RealProject } from './real-project.ts'

const step = (number: number): string =>
  `## Step ${number}\n\nRun \`node -p "'step ' + ${number}"\`. It prints "step ${number}".\n\n`
const specOf = (count: number): string =>
  `# Steps\n\n${Array.from({ length: count }, (_, index) => step(index + 1)).join('')}`
/** One step that takes 2 s. */
const slowSpec = (title: string): string =>
  `# ${title}\n\nRun \`python3 -c "import time; time.sleep(2); print('waited')"\`. It prints "waited".\n`

const allow = ['Bash(node *)', 'Bash(python3 *)']
const requestsOf = ({ model }: RealProject): readonly Conversation[] =>
  model.conversations.filter(({ isSideRequest }) => !isSideRequest)
/** Conversations that begin: one for each agent. */
const startsOf = (real: RealProject): number => requestsOf(real).filter(({ results }) => results.length === 0).length
const messagesOf = (tests: readonly ReportedTest[] = []): string =>
  tests.flatMap(({ messages = [] }) => messages).join('\n')

const agents = [claude, codex, codexCodeMode]

describe.skipIf(skipReason !== '').each(agents)(`$title${skipReason}`, ({ agent, title: _title, ...more }) => {
  const isClaude = agent === 'claude'

  test('what an agent uses is reported once, with the last step', async () => {
    await using real = await createRealProject({
      ...more,
      options: { agent, allow },
      script: reportSpec,
      files: { 'a.test.md': specOf(2), 'b.test.md': specOf(1) },
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    const requests = requestsOf(real).length
    const { 'a.test.md': a = [], 'b.test.md': b = [] } = readJsonReport(stdout)
    expect(a.map(({ usage }) => usage === undefined)).toEqual([true, false])
    const sum = (key: string): number => [...a, ...b].reduce((total, { usage }) => total + Number(usage?.[key] ?? 0), 0)
    expect(sum('inputTokens')).toBe(100 * requests)
    expect(sum('outputTokens')).toBe(10 * requests)
    expect(sum('turns')).toBe(isClaude ? requests : 0)
    expect(sum('costUsd')).toBeCloseTo(isClaude ? 0.0006 * requests : 0, 6)
    expect(a[1]?.usage?.model === undefined).toBe(!isClaude)
    expect(a[1]?.usage?.durationMs).toBeGreaterThan(100)
    expect(all).toMatch(
      new RegExp(`^agents: 2 scenarios, [\\d.]+ k tokens in, ${10 * requests} out${isClaude ? ', \\$' : '$'}`, 'm'),
    )
    expect(all).toContain('steps: 3 passed: 3 evidenced')
    const log = await real.project.read(a[1]?.log ?? '')
    expect(log).toContain(`input-tokens: ${String(a[1]?.usage?.inputTokens)}\n`)
    expect(await real.leftovers()).toEqual([])
  })

  test('`maxTokens` ends an agent and says by how much it is over', async () => {
    await using real = await createRealProject({
      ...more,
      options: { agent, allow, maxTokens: 450 },
      script: reportSpec,
      files: { 'a.test.md': specOf(4) },
    })
    const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    const tests = readJsonReport(stdout)['a.test.md']
    expect(tests?.flatMap(({ codes }) => codes)).toContain('AGENT_BUDGET')
    expect(tests?.some(({ outcome }) => outcome === 'fail')).toBe(false)
    expect(messagesOf(tests)).toMatch(/this scenario has used (\d+) tokens, (\d+) over `maxTokens` \(450\)/)
    // Codex says what it used at the end of its turn, which is the end of its work.
    expect(requestsOf(real).length).toBe(isClaude ? 5 : 10)
    expect(exitCode).toBe(1)
    expect(await real.leftovers()).toEqual([])
  })

  test('`maxRunTokens` lets no further agent start', async () => {
    await using real = await createRealProject({
      ...more,
      options: { agent, allow, maxRunTokens: 300, maxAgents: 1 },
      script: reportSpec,
      files: { 'a.test.md': specOf(1), 'b.test.md': specOf(1), 'c.test.md': specOf(1) },
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    const all = Object.values(readJsonReport(stdout)).flat()
    expect(all.flatMap(({ codes }) => codes)).toEqual(['AGENT_BUDGET', 'AGENT_BUDGET', 'AGENT_BUDGET'])
    expect(messagesOf(all).match(/No agent was started: the run has used \d+ tokens/g)).toHaveLength(2)
    expect(startsOf(real)).toBe(1)
  })

  test('no retry meets the same budget again', async () => {
    await using real = await createRealProject({
      ...more,
      options: { agent, allow, maxTokens: 1 },
      script: reportSpec,
      files: { 'a.test.md': `# Once\n\n<!-- mdtest: retry=3 -->\n\n${step(1)}` },
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'a.test.md')).toEqual(['blocked AGENT_BUDGET'])
    expect(startsOf(real)).toBe(1)
  })
})

// Together, because their agents wait.
test.skipIf(skipReason !== '').concurrent.each(agents)(
  `$title: only \`maxAgents\` are alive at once, over all workers${skipReason}`,
  { timeout: 600_000 },
  async ({ agent, title: _title, ...more }) => {
    await using real = await createRealProject({
      ...more,
      options: { agent, allow },
      script: reportSpec,
      files: { 'a.test.md': slowSpec('A'), 'b.test.md': slowSpec('B'), 'c.test.md': slowSpec('C') },
    })
    const mostAlive = async (maxAgents: number): Promise<number> => {
      const options = JSON.stringify({ agent, allow, maxAgents })
      await real.project.write(
        'vitest.config.js',
        `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${options})] }\n`,
      )
      const running = real.project.start('vitest', ['run'], { env: real.env, timeoutMs: 280_000 })
      let isOver = false
      const ended = running.finally(() => (isOver = true))
      let most = 0
      while (!isOver) {
        const alive = agentsOf(running.pid ?? 0).length
        most = Math.max(most, alive)
        await sleep(50)
      }
      const { exitCode, all } = await ended
      expect(exitCode, String(all)).toBe(0)
      return most
    }
    expect(await mostAlive(1)).toBe(1)
    expect(await mostAlive(2)).toBe(2)
    expect(await real.leftovers()).toEqual([])
  },
)

describe.skipIf(skipReason !== '')(`claude, in US dollars${skipReason}`, () => {
  const options = { agent: 'claude', allow } as const // `agent` is one of the option's values

  test.each([
    ['the options', { ...options, maxCostUsd: 0.002 }, '', 'maxCostUsd'],
    ['front matter', options, '---\nmax-cost-usd: 0.002\n---\n\n', 'maxCostUsd'],
    ['what is left of the run', { ...options, maxRunCostUsd: 0.002 }, '', 'maxRunCostUsd'],
  ])('keeps to a budget of %s', async (_title, given, head, name) => {
    await using real = await createRealProject({
      options: given,
      script: reportSpec,
      files: { 'a.test.md': `${head}${specOf(4)}` },
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    const tests = readJsonReport(stdout)['a.test.md'] ?? []
    expect(verdictsOf(stdout, 'a.test.md')).toContain('blocked AGENT_BUDGET')
    expect(messagesOf(tests)).toContain(`has cost $0.0024, $0.0004 over \`${name}\` ($0.002)`)
    expect(requestsOf(real)).toHaveLength(4)
    const raw = readdirSync(real.project.path('a.logs')).find((file) => file.endsWith('.raw.log')) ?? ''
    expect(readFileSync(real.project.path(`a.logs/${raw}`), 'utf8')).toContain('error_max_budget_usd')
    expect(await real.leftovers()).toEqual([])
  })

  test('no retry meets the same refusal or lack of access again', async () => {
    const text = `# Once\n\n<!-- mdtest: retry=3 -->\n\n${step(1)}`
    await using refused = await createRealProject({
      options: { agent: 'claude' },
      script: reportSpec,
      files: { 'a.test.md': text },
    })
    const denied = await refused.project.vitest(['run', '--reporter=json'], { env: refused.env })
    expect(readJsonReport(denied.stdout)['a.test.md']?.[0]?.codes).toContain('AGENT_DENIED')
    expect(startsOf(refused)).toBe(1)
    await using locked = await createRealProject({
      options,
      script: () => ({ kind: 'error', status: 401 }),
      files: { 'a.test.md': text },
    })
    const auth = await locked.project.vitest(['run', '--reporter=json'], { env: locked.env })
    expect(verdictsOf(auth.stdout, 'a.test.md')).toEqual(['blocked AGENT_AUTH'])
    expect(readdirSync(locked.project.path('a.logs')).filter((file) => file.endsWith('.raw.log'))).toHaveLength(1)
  })
})
