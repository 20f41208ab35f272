import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf, type ReportedTest } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import { acpAgents, createRealProject, skipReason } from './real-project.ts'

const step = (number: number): string =>
  `## Step ${number}\n\nRun \`node p.mjs ${number}\`. It prints "step ${number}".\n\n`
const spec = `# Steps\n\n${step(1)}${step(2)}`
const files = { 'p.mjs': "console.log('step ' + process.argv[2])\n" }
const allow = ['Bash(node *)']
const messagesOf = (tests: readonly ReportedTest[] = []): string =>
  tests.flatMap(({ messages = [] }) => messages).join('\n')

const failing =
  (status: number): ModelScript =>
  () => ({ kind: 'error', status })
/** It breaks off behind the first step. */
const failingLater: ModelScript = (conversation) =>
  conversation.results.length > 2 ? { kind: 'error', status: 500 } : reportSpec(conversation)

describe.skipIf(skipReason !== '').each(acpAgents)(`$title${skipReason}`, ({ title, agent, clis }) => {
  test('a model that does not answer, or only with errors, gives no pass', { timeout: 300_000 }, async () => {
    await using real = await createRealProject({
      clis,
      // Some try again in silence for longer than that.
      options: { agent, allow, silenceTimeoutMs: 25_000, maxAgents: 2 },
      script: bySpec({
        '401.test.md': failing(401),
        '429.test.md': failing(429),
        '500.test.md': failing(500),
        'later.test.md': failingLater,
        'silent.test.md': () => ({ kind: 'silence' }),
      }),
      files: Object.fromEntries([
        ...Object.entries(files),
        ...['401', '429', '500', 'later', 'silent'].map((name) => [`${name}.test.md`, spec]),
      ]),
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env, timeoutMs: 280_000 })
    const first = (name: string): string => verdictsOf(stdout, `${name}.test.md`)[0] ?? ''
    expect(first('401')).toBe('blocked AGENT_AUTH')
    expect(first('429')).toMatch(/^blocked (AGENT_BUDGET|MODEL_UNAVAILABLE|AGENT_SILENT)$/)
    expect(first('500')).toMatch(/^blocked (MODEL_UNAVAILABLE|AGENT_SILENT)$/)
    expect(verdictsOf(stdout, 'later.test.md')[1]).toMatch(/^blocked (MODEL_UNAVAILABLE|AGENT_SILENT)/)
    expect(first('silent')).toBe('blocked AGENT_SILENT')
    expect(await real.leftovers()).toEqual([])
  })

  test('what it used is told, and is held to `maxTokens`; US dollars where it tells them', async () => {
    await using real = await createRealProject({
      clis,
      options: { agent, allow, maxAgents: 2 },
      script: reportSpec,
      files: {
        ...files,
        'free.test.md': spec,
        'tokens.test.md': `---\nmax-tokens: 100\n---\n\n${spec}`,
        'cost.test.md': `---\nmax-cost-usd: 0.0001\n---\n\n${spec}`,
      },
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    const { 'free.test.md': free = [], 'tokens.test.md': tokens, 'cost.test.md': cost } = readJsonReport(stdout)
    expect(free.map(({ outcome }) => outcome)).toEqual(['pass', 'pass'])
    const told = Number(free[1]?.usage?.inputTokens)
    const requests = real.model.conversations.filter((one) => !one.isSideRequest && one.prompt.includes('free.test.md'))
    expect(requests.length).toBeGreaterThan(4)
    // OpenCode tells of its last request alone; what went over the wire is four bytes a token.
    expect(told).toBeGreaterThan(title === 'opencode' ? 1_000 : 5_000 * requests.length)
    expect(tokens?.at(-1)?.codes).toEqual(['AGENT_BUDGET'])
    expect(messagesOf(tokens)).toMatch(/this scenario has used \d+ tokens, \d+ over `maxTokens` \(100\)/)
    // Who tells it is ended with its last step; the others do not begin.
    expect(cost?.at(title === 'opencode' ? -1 : 0)?.codes).toEqual(['AGENT_BUDGET'])
    expect(messagesOf(cost)).toMatch(title === 'opencode' ? /has cost \$/ : /does not tell what it costs.*`maxTokens`/)
    expect(await real.leftovers()).toEqual([])
  })
})
