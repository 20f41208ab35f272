import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'

const worker = fileURLToPath(new URL('../support/acp-worker.mjs', import.meta.url))
const acp = (...args: readonly string[]): string =>
  `agent: ${JSON.stringify({ acp: [process.execPath, worker, ...args] })}\n`
const report = (status: string, quote: string): object => ({
  ...{ step: '1-greet', status, observed: `It printed: ${quote}` },
  evidence: quote === '' ? [] : [{ quote }],
})

/** What the agent does in the folder of a spec with one step. */
const works = {
  right: [{ command: 'node greet.mjs', report: report('pass', 'hello') }],
  lies: [{ report: report('pass', 'hello') }],
  refused: [{ command: 'npm --version', report: report('blocked', '') }],
}

interface Way {
  readonly title: string
  readonly front?: string
  readonly work: keyof typeof works
  readonly verdict: string
}

const ways: readonly Way[] = [
  { title: 'option', work: 'right', verdict: 'pass evidenced' },
  { title: 'option-lies', work: 'lies', verdict: 'fail NO_ACTIVITY EVIDENCE_UNKNOWN' },
  { title: 'option-refused', work: 'refused', verdict: 'blocked AGENT_DENIED AGENT_BLOCKED' },
  { title: 'front-matter', front: acp(), work: 'right', verdict: 'pass evidenced' },
  { title: 'no-server-by-http', front: acp('stdio'), work: 'right', verdict: 'pass evidenced' },
  { title: 'no-servers', front: acp('alone'), work: 'right', verdict: 'pass evidenced' },
  {
    title: 'no-servers-for-executor',
    front: `${acp('alone')}executor: mdtest\n`,
    work: 'right',
    verdict: 'blocked MCP_UNAVAILABLE',
  },
  {
    title: 'missing',
    front: `agent: { acp: [mdtest-no-such-agent, --acp] }\n`,
    work: 'right',
    verdict: 'blocked AGENT_NOT_FOUND',
  },
]

test("an agent of one's own that speaks ACP, named by option, front matter and flag", async () => {
  const files = ways.flatMap(({ title, front = '', work }) => [
    [`${title}/work.json`, JSON.stringify(works[work])],
    [`${title}/greet.mjs`, "console.log('hello')\n"],
    [`${title}/${title}.test.md`, `---\ncwd: ${title}\n${front}---\n\n# Greeting\n\n## Greet\n\nIt greets.\n`],
  ])
  const options = { agent: { acp: [process.execPath, worker] }, executor: 'agent', allow: ['Bash(node greet.mjs)'] }
  await using project = await createProject({
    ...Object.fromEntries(files),
    'empty.test.md': '---\nagent: { acp: [] }\n---\n\n# Greeting\n\n## Greet\n\nIt greets.\n',
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`,
  })
  const { stdout } = await project.vitest(['run', '--reporter=json'], { timeoutMs: 280_000 })
  const found = ways.map(({ title }) => [title, ...verdictsOf(stdout, `${title}.test.md`)])
  expect(found).toEqual(ways.map(({ title, verdict }) => [title, verdict]))
  const messages = (title: string): string | undefined =>
    readJsonReport(stdout)[`${title}.test.md`]?.[0]?.messages?.join()
  expect(messages('option-refused')).toContain('Bash(npm *)')
  expect(messages('no-servers-for-executor')).toContain('takes no MCP servers')
  expect(stdout).toContain('{ acp: [program, arguments…] }')

  const flag = ['run', 'option', '--reporter', 'json', '--agent']
  const byFlag = await project.mdtest([...flag, JSON.stringify({ acp: [process.execPath, worker] })])
  expect(verdictsOf(byFlag.stdout, 'option.test.md')).toEqual(['pass evidenced'])
  const { stderr, exitCode } = await project.mdtest([...flag, '{ acp: [] }'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('or, if it speaks ACP')])
  expect(await leftAfter(project.dir)).toEqual([])
})
