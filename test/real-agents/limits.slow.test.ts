import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Options } from '../../src/plan/options/options.ts'
import type { Conversation } from '../support/conversation.ts'
import { readJsonReport, verdictsOf, type ReportedTest } from '../support/json-report.ts'
import { agentsOf } from '../support/processes.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import {
  claude,
  codex,
  codexCodeMode,
  createRealProject,
  sampleOf,
  skipReason,
  type RealProject,
} from './real-project.ts'

const step = (number: number): string =>
  `## Step ${number}\n\nRun \`node p.mjs ${number}\`. It prints "step ${number}".\n\n`
const specOf = (count: number, head = ''): string =>
  `${head}# Steps\n\n${Array.from({ length: count }, (_, index) => step(index + 1)).join('')}`
const frontMatter = (text: string): string => `---\n${text}\n---\n\n`
const retried = '# Once\n\n<!-- mdtest: retry=3 -->\n\n'

const program = { 'p.mjs': "console.log('step ' + process.argv[2])\n" }
const options: Options = { executor: 'agent', allow: ['Bash(node p.mjs *)'] }

/** Requests for a spec. */
const requestsOf = ({ model }: RealProject, name: string): readonly Conversation[] =>
  model.conversations.filter(({ isSideRequest, prompt }) => !isSideRequest && prompt.includes(`${name}.test.md`))
/** Conversations that begin: one for each agent. */
const startsOf = (real: RealProject, name: string): number =>
  requestsOf(real, name).filter(({ results }) => results.length === 0).length
const messagesOf = (tests: readonly ReportedTest[] = []): string =>
  tests.flatMap(({ messages = [] }) => messages).join('\n')

const files = {
  ...program,
  'a.test.md': specOf(2),
  'tokens.test.md': specOf(4, frontMatter('max-tokens: 450')),
  'cost.test.md': specOf(4, frontMatter('max-cost-usd: 0.002')),
  // No retry meets the same budget, refusal or lack of access again.
  'poor.test.md': `${frontMatter('max-tokens: 1')}${retried}${step(1)}`,
  'denied.test.md': `${retried}Run \`npm --version\`. It prints "1".\n`,
  'locked.test.md': `${retried}${step(1)}`,
}
const names = ['a', 'tokens', 'cost', 'poor', 'denied', 'locked']

describe.skipIf(skipReason !== '').concurrent(`limits${skipReason}`, () => {
  test(`of claude are kept, and what it uses is told`, async () => {
    await using real = await createRealProject({
      product: claude,
      options: { ...options, maxAgents: 2 },
      script: bySpec({
        ...Object.fromEntries(names.map((name) => [`${name}.test.md`, reportSpec])),
        'locked.test.md': () => ({ kind: 'error', status: 401 }),
      }),
      files,
    })
    const running = real.project.start('vitest', ['run', '--reporter=json', '--outputFile.json=run.json'], {
      env: real.env,
      timeoutMs: 280_000,
    })
    expect(await mostAlive(running)).toBe(2)
    expect((await running).exitCode).toBe(1)
    const report = await real.project.read('run.json')
    const tests = readJsonReport(report)

    const { 'a.test.md': a = [] } = tests
    const requests = requestsOf(real, 'a').length
    expect(a.map(({ usage }) => usage !== undefined)).toEqual([false, true])
    expect(a[1]?.usage).toMatchObject({
      inputTokens: 100 * requests,
      outputTokens: 10 * requests,
      turns: requests,
      costUsd: expect.closeTo(0.0006 * requests, 6),
      model: expect.any(String),
    })
    expect(a[1]?.usage?.durationMs).toBeGreaterThan(100)
    expect(await real.project.read(a[1]?.log ?? '')).toContain(`input-tokens: ${100 * requests}\n`)

    const { 'tokens.test.md': tokens = [], 'cost.test.md': cost = [] } = tests
    expect(tokens.flatMap(({ codes }) => codes)).toContain('AGENT_BUDGET')
    expect(tokens.some(({ outcome }) => outcome === 'fail')).toBe(false)
    expect(messagesOf(tokens)).toMatch(/this scenario has used (\d+) tokens, (\d+) over `maxTokens` \(450\)/)
    expect(requestsOf(real, 'tokens')).toHaveLength(5)
    expect(cost.flatMap(({ codes }) => codes)).toContain('AGENT_BUDGET')
    expect(messagesOf(cost)).toContain('has cost $0.0024, $0.0004 over `maxCostUsd` ($0.002)')
    expect(requestsOf(real, 'cost')).toHaveLength(4)

    expect(verdictsOf(report, 'poor.test.md')).toEqual(['blocked AGENT_BUDGET'])
    expect(verdictsOf(report, 'denied.test.md')).toEqual(['blocked AGENT_DENIED AGENT_BLOCKED'])
    expect(verdictsOf(report, 'locked.test.md')).toEqual(['blocked AGENT_AUTH'])
    expect([startsOf(real, 'poor'), startsOf(real, 'denied')]).toEqual([1, 1])
    const logs = readdirSync(real.project.path('locked.logs')).filter((file) => file.endsWith('.raw.log'))
    expect(logs).toHaveLength(1)
    expect(await real.leftovers()).toEqual([])
  })

  test('`maxRunTokens` lets no further agent start', async () => {
    await using real = await createRealProject({
      product: claude,
      options: { ...options, maxRunTokens: 300, maxAgents: 1 },
      script: reportSpec,
      files: { ...program, 'a.test.md': specOf(2), 'b.test.md': specOf(2) },
    })
    const { stdout } = await real.vitest(['run', '--reporter=json'])
    const all = Object.values(readJsonReport(stdout)).flat()
    expect(all.flatMap(({ codes }) => codes).filter((code) => code === 'AGENT_BUDGET')).toHaveLength(2)
    expect(messagesOf(all).match(/No agent was started: the run has used \d+ tokens/g)).toHaveLength(1)
    expect(startsOf(real, 'a') + startsOf(real, 'b')).toBe(1)
  })

  test.each(sampleOf([codex, codexCodeMode]))('of $title: it tells at the end of its turn', async (product) => {
    await using real = await createRealProject({ product, options, script: reportSpec, files: codexFiles })
    const { stdout, all } = await real.vitest(['run', '--reporter=json'])
    const { 'a.test.md': a = [], 'tokens.test.md': tokens } = readJsonReport(stdout)
    const requests = requestsOf(real, 'a').length
    expect(a[1]?.usage).toMatchObject({ inputTokens: 100 * requests, outputTokens: 10 * requests })
    expect([a[1]?.usage?.costUsd, a[1]?.usage?.model]).toEqual([undefined, undefined])
    expect(messagesOf(tokens)).toMatch(/this scenario has used (\d+) tokens, (\d+) over `maxTokens` \(450\)/)
    expect(requestsOf(real, 'tokens')).toHaveLength(10)
    expect(all).toMatch(/^agents: 2 scenarios, [\d.]+ k tokens in, \d+ out$/m)
  })
})

const codexFiles = { ...program, 'a.test.md': files['a.test.md'], 'tokens.test.md': files['tokens.test.md'] }

/** How many agents are alive at once at most. */
async function mostAlive(running: ReturnType<RealProject['project']['start']>): Promise<number> {
  let isOver = false
  void running.finally(() => (isOver = true))
  let most = 0
  while (!isOver) {
    most = Math.max(most, agentsOf(running.pid ?? 0).length)
    await sleep(50)
  }
  return most
}
