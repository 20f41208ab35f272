import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readConsoleCounts } from '../../src/test-runners/console-counts.ts'
import type { RunnerResults, RunScope } from '../../src/test-runners/runner.ts'
import { runnerNamed } from '../../src/test-runners/runners.ts'
import { createProject, type Project } from '../support/create-project.ts'

async function runIn(
  project: Project,
  name: 'vitest' | 'mdtest',
  run: RunScope,
): Promise<RunnerResults & { text: string }> {
  const request = { run, resultsDir: project.path('.results'), root: project.dir }
  await mkdir(request.resultsDir, { recursive: true })
  const startedAtMs = Date.now()
  // The lane says which Node.js and Vitest; npx would find them in `node_modules/.bin`.
  const [npx, noInstall, program, ...args] = runnerNamed(name).buildCommand(request).argv
  expect([npx, noInstall, program]).toEqual(['npx', '--no-install', name === 'mdtest' ? 'vitest-mdtest' : name])
  const { exitCode = null, stdout, stderr } = await project.start(name, args)
  const output = { ...request, stdout: String(stdout), stderr: String(stderr), exitCode, startedAtMs }
  return { ...(await runnerNamed(name).readResults(output)), text: `${output.stdout}\n${output.stderr}` }
}

const totals = `import { expect, test } from 'vitest'
for (let n = 1; n <= 500; n++) {
  test('total ' + n, () => {
    const total = n % 200 === 50 ? n + 1 : n
    expect({ total, of: 'a basket' }).toEqual({ total: n, of: 'a basket' })
  })
}
test('rounds', () => expect(Math.round(2.4)).toBe(3))
`

test('tells name, place, expected and received of each failure among 500 tests of Vitest', async () => {
  await using project = await createProject({
    'totals.test.js': totals,
    'totals.test.jsx': "throw new Error('its path begins the same')\n",
    'other.test.js': "throw new Error('not asked for')\n",
  })
  const { counts, failingTests, text } = await runIn(project, 'vitest', { scope: 'file', target: 'totals.test.js' })
  expect(counts).toEqual({ total: 502, passed: 497, failed: 5, skipped: 0 })
  expect(failingTests.filter(({ file }) => file === 'totals.test.js')).toEqual([
    ...[50, 250, 450].map((n) => ({
      name: `total ${n}`,
      file: 'totals.test.js',
      line: 5,
      message: expect.stringContaining('AssertionError: expected { '),
      expected: expect.stringContaining(`"total": ${n},`),
      received: expect.stringContaining(`"total": ${n + 1},`),
    })),
    expect.objectContaining({ name: 'rounds', line: 8, expected: '3', received: '2' }),
  ])
  expect(readConsoleCounts(text)).toEqual(counts)
  // Vitest's command line would make 200 of it.
  const numeric = await runIn(project, 'vitest', { scope: 'pattern', target: '2e2' })
  expect(numeric.counts?.passed).toBe(0)
})

const shop = `---
agent: none
---

# Shop

## Greets

\`\`\`console
$ echo hello
hello
\`\`\`

## Adds up

\`\`\`console
$ echo 3
4
\`\`\`

## Says goodbye

\`\`\`console
$ true
\`\`\`
`

test('what is blocked under mdtest has not passed, and a spec with problems has failed', async () => {
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: { command: ['sh', '-c', 'kill -9 $$'] } })] }
`,
    'shop.test.md': shop,
    'agent.test.md': '# Agent\n\nPut a mug into the cart.\n',
    'broken.test.md': '---\nagent: none\n---\n# Broken\n\n## Loses\n\n```console\n$ echo never closed\n',
  })
  const { counts, failingTests, text } = await runIn(project, 'mdtest', { scope: 'all' })
  expect(
    { counts, failing: failingTests.map(({ name, file, line }) => `${file}:${line} ${name}`).toSorted() },
    text,
  ).toEqual({
    counts: { total: 5, passed: 2, failed: 3, skipped: 0 },
    failing: ['agent.test.md:1 Agent', 'broken.test.md:8 broken.test.md', 'shop.test.md:18 Shop > Adds up'],
  })
  const file = await runIn(project, 'mdtest', { scope: 'file', target: 'shop.test.md' })
  expect(file.failingTests).toMatchObject([{ name: 'Shop > Adds up', expected: '4', received: '3' }])
})
