import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'

const worker = fileURLToPath(new URL('../support/acp-worker.mjs', import.meta.url))
const step = '1-greet'

/** What the agent does for a spec with one step, in its folder. */
const works = {
  right: [{ command: 'node greet.mjs', report: reportOf('pass', 'hello') }],
  fails: [{ command: 'node greet.mjs', report: reportOf('fail', 'hello') }],
  lies: [{ report: reportOf('pass', 'hello') }],
  refused: [{ command: 'npm --version', report: { ...reportOf('blocked', ''), evidence: [] } }],
}

function reportOf(status: string, quote: string): object {
  return { step, status, observed: `It printed: ${quote}`, evidence: [{ quote }] }
}

async function projectWith(agent: unknown, head: string): Promise<Project> {
  const files = Object.entries(works).flatMap(([name, acts]) => [
    [`${name}/work.json`, JSON.stringify(acts)],
    [`${name}/greet.mjs`, "console.log('hello')\n"],
    [`${name}/${name}.test.md`, `---\ncwd: ${name}\n${head}---\n\n# Greeting\n\n## Greet\n\nIt greets.\n`],
  ])
  const options = { ...(agent !== undefined && { agent }), allow: ['Bash(node greet.mjs)'] }
  return createProject({
    ...Object.fromEntries(files),
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`,
  })
}

const verdicts = {
  right: ['pass evidenced'],
  fails: ['fail STEP_FAILED'],
  lies: ['fail NO_ACTIVITY EVIDENCE_UNKNOWN'],
  refused: ['blocked AGENT_DENIED AGENT_BLOCKED'],
}
const verdictsIn = (stdout: string): object =>
  Object.fromEntries(Object.keys(works).map((name) => [name, verdictsOf(stdout, `${name}.test.md`)]))

describe("an agent of one's own that speaks ACP", () => {
  test.each([
    ['the option', { acp: [process.execPath, worker] }, ''],
    ['front matter', undefined, `agent: { acp: [${JSON.stringify(process.execPath)}, ${JSON.stringify(worker)}] }\n`],
    ['the option, and reaches no server by HTTP', { acp: [process.execPath, worker, 'stdio'] }, ''],
  ])('is named by %s', async (_, agent, head) => {
    await using project = await projectWith(agent, head)
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsIn(stdout)).toEqual(verdicts)
    expect(readJsonReport(stdout)['refused.test.md']?.[0]?.messages?.join()).toContain('Bash(npm *)')
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('writes the result log where it takes no MCP servers', async () => {
    await using project = await projectWith({ acp: [process.execPath, worker, 'alone'] }, '')
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsIn(stdout)).toEqual(verdicts)
    await project.write(
      'right/right.test.md',
      `---\ncwd: right\nhands: mdtest\n---\n\n# Greeting\n\n## Greet\n\nIt greets.\n`,
    )
    const { stdout: ofHands } = await project.vitest(['run', 'right/right.test.md', '--reporter=json'])
    expect(verdictsOf(ofHands, 'right.test.md')).toEqual(['blocked MCP_UNAVAILABLE'])
    expect(readJsonReport(ofHands)['right.test.md']?.[0]?.messages?.join()).toContain('takes no MCP servers')
  })

  test('never asks for the tools, at either of two starts', { timeout: 180_000 }, async () => {
    await using project = await projectWith({ acp: [process.execPath, worker, 'deaf'] }, '')
    const { stdout } = await project.vitest(['run', 'right/right.test.md', '--reporter=json'], { timeoutMs: 170_000 })
    expect(verdictsOf(stdout, 'right.test.md')).toEqual(['blocked MCP_UNAVAILABLE'])
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('is named by a flag', async () => {
    await using project = await projectWith('none', '')
    const agent = JSON.stringify({ acp: [process.execPath, worker] })
    const { stdout } = await project.mdtest(['run', '--agent', agent, '--reporter', 'json'])
    expect(verdictsIn(stdout)).toEqual(verdicts)
  })

  test('is missing, or has no words', async () => {
    await using project = await projectWith({ acp: ['mdtest-no-such-agent', '--acp'] }, '')
    const { stdout } = await project.vitest(['run', 'right/right.test.md', '--reporter=json'])
    expect(verdictsOf(stdout, 'right.test.md')).toEqual(['blocked AGENT_NOT_FOUND'])
    await project.write('right/right.test.md', '---\nagent: { acp: [] }\n---\n\n# Greeting\n\n## Greet\n\nIt greets.\n')
    const { all } = await project.vitest(['run', 'right/right.test.md'])
    expect(all).toContain('{ acp: [program, arguments…] }')
    const { stderr, exitCode } = await project.mdtest(['run', '--agent', '{ acp: [] }'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('or `{ acp: [PROGRAM, …] }`')])
  })
})
