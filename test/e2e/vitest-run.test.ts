import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { failingSpec, passingSpec } from '../support/specs.ts'

test('runs a deterministic spec, each heading a test at its own line', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'hello.test.md': passingSpec })
  const { exitCode, stdout } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode).toBe(0)
  expect(readJsonReport(stdout)).toEqual({
    'hello.test.md': [
      { name: 'Greeting > Says hello', status: 'passed', line: 7, outcome: 'pass', assurance: 'verified', codes: [] },
      { name: 'Greeting > Remembers', status: 'passed', line: 14, outcome: 'pass', assurance: 'verified', codes: [] },
    ],
  })
})

test('shows a failure with code frame, reason and what was observed, and skips the rest', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'hello.test.md': failingSpec })
  const { exitCode, all } = await project.vitest(['run', '--reporter=verbose'])
  expect(exitCode).toBe(1)
  expect(all).toContain('VERIFY_FAILED'.replace('VERIFY', 'RUN'))
  expect(all).toContain('hello.test.md:17:1')
  expect(all).toMatch(/17\|.*goodbye/)
  expect(all).toMatch(/-\s*goodbye/)
  expect(all).toMatch(/\+\s*hello/)
  expect(all).toMatch(/PREDECESSOR_FAILED.*"Says something else"/)
  expect(all).toMatch(/1 failed \| 1 passed \| 1 skipped/)
})

test('lists every test with the line of its heading without running anything', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'hello.test.md': failingSpec })
  for (const flags of [[], ['--static-parse']]) {
    const { stdout } = await project.vitest(['list', '--json', ...flags])
    const listed: { name: string; projectName: string; location: { line: number } }[] = JSON.parse(stdout)
    expect(listed.map(({ name, location, projectName }) => [name, location.line, projectName])).toEqual([
      ['Greeting > Says hello', 7, 'mdtest'],
      ['Greeting > Says something else', 13, 'mdtest'],
      ['Greeting > Comes after', 20, 'mdtest'],
    ])
  }
})

test('names file and line in JUnit and GitHub output', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'hello.test.md': failingSpec })
  const junit = await project.vitest(['run', '--reporter=junit'])
  expect(junit.stdout).toContain('hello.test.md:17:1')
  expect(junit.stdout).toContain('hello.test.md:13:1')
  expect(junit.stdout).toContain('RUN_FAILED')
  const github = await project.vitest(['run', '--reporter=github-actions'], { env: { GITHUB_ACTIONS: 'true' } })
  expect(github.all).toMatch(/^::error file=.*hello\.test\.md.*line=17/m)
})

test('runs one step by the line of its heading, after its predecessors', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'hello.test.md': passingSpec })
  const { exitCode, stdout } = await project.vitest(['run', '--reporter=json', 'hello.test.md:14'])
  expect(exitCode).toBe(0)
  const tests = readJsonReport(stdout)['hello.test.md']
  expect(tests?.map(({ name, status }) => [name, status])).toEqual([
    ['Greeting > Says hello', 'skipped'],
    ['Greeting > Remembers', 'passed'],
  ])
})

test('fails a filtered step whose unreported predecessor fails', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'hello.test.md': failingSpec })
  const { exitCode, all } = await project.vitest(['run', '-t', 'Comes after'])
  expect(exitCode).toBe(1)
  expect(all).toContain('Step "Says something else" has to run before this one and did not pass.')
})

test('reports every problem of a malformed spec at once, with places', async () => {
  const spec = '---\nagnet: none\n---\n\n# Top\n\n```sh run exitt=1\ntrue\n```\n\n```python run\npass\n```\n'
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'bad.test.md': spec })
  const { exitCode, all } = await project.vitest(['run'])
  expect(exitCode).toBe(1)
  expect(all).toMatch(/bad\.test\.md:2:1/)
  expect(all).toMatch(/bad\.test\.md:7:\d+/)
  expect(all).toMatch(/bad\.test\.md:11:\d+/)
  expect(all).toMatch(/3 problems/)
})

test('runs only specs with `--project mdtest`, only the rest with its negation', async () => {
  await using project = await createProject({
    'vitest.config.js': plainConfig,
    'hello.test.md': passingSpec,
    'sum.test.js': `import { expect, test } from 'vitest'\ntest('adds', () => expect(1 + 1).toBe(2))\n`,
  })
  const specs = await project.vitest(['run', '--reporter=json', '--project', 'mdtest'])
  expect(Object.keys(readJsonReport(specs.stdout))).toEqual(['hello.test.md'])
  const rest = await project.vitest(['run', '--reporter=json', '--project', '!mdtest'])
  expect(Object.keys(readJsonReport(rest.stdout))).toEqual(['sum.test.js'])
})

describe('an attempt', () => {
  test('a retry starts over in a fresh directory, after the tear-down of the one before', async () => {
    const spec = `---
agent: none
cwd: temp
---

# Counter

## Setup

\`\`\`sh
echo setup $(ls | wc -l) >> "$TESTDIR/trace"
touch made-by-setup
\`\`\`

## Count

\`\`\`sh
touch made-by-step
\`\`\`

## Break once

\`\`\`sh
test "$(grep -c setup "$TESTDIR/trace")" = 2
\`\`\`

## Teardown

\`\`\`sh
echo teardown $(ls | wc -l) >> "$TESTDIR/trace"
\`\`\`
`
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'count.test.md': spec })
    const { exitCode, all } = await project.vitest(['run', '--retry=1'])
    expect(exitCode, all).toBe(0)
    expect(await project.read('trace')).toBe('setup 0\nteardown 2\nsetup 0\nteardown 2\n')
  })

  test('a failed set-up fails the first step at its line and skips the rest; the tear-down runs', async () => {
    const spec = `---
agent: none
---

# Top

## Before

\`\`\`sh
false
\`\`\`

## One

\`\`\`sh
true
\`\`\`

## Two

\`\`\`sh
true
\`\`\`

## After

\`\`\`sh
touch torn-down
\`\`\`
`
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': spec })
    const { stdout, exitCode } = await project.vitest(['run', '--reporter=json'])
    expect(exitCode).toBe(1)
    expect(readJsonReport(stdout)['a.test.md']).toMatchObject([
      { name: 'Top > One', status: 'failed', codes: ['SETUP_FAILED'] },
      { name: 'Top > Two', status: 'skipped', codes: ['PREDECESSOR_FAILED'] },
    ])
    expect(await project.read('torn-down')).toBe('')
  })

  test('a failed tear-down fails the last step', async () => {
    const spec = `---\nagent: none\n---\n\n# Top\n\n## One\n\n\`\`\`sh\ntrue\n\`\`\`\n\n## After\n\n\`\`\`sh\nfalse\n\`\`\`\n`
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': spec })
    const { stdout, exitCode } = await project.vitest(['run', '--reporter=json'])
    expect(exitCode).toBe(1)
    expect(readJsonReport(stdout)['a.test.md']).toMatchObject([{ status: 'failed', codes: ['TEARDOWN_FAILED'] }])
  })

  test('runs each step once and in order whatever the order of the tests', async () => {
    const steps = Array.from({ length: 6 }, (_, n) => `## Step ${n}\n\n\`\`\`sh\necho ${n} >> order\n\`\`\`\n`).join(
      '\n',
    )
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'a.test.md': `---\nagent: none\n---\n\n${steps}`,
    })
    for (const flags of [['--sequence.shuffle'], ['--sequence.concurrent']]) {
      const { exitCode, all } = await project.vitest(['run', ...flags])
      expect(exitCode, all).toBe(0)
    }
    expect(await project.read('order')).toBe('0\n1\n2\n3\n4\n5\n'.repeat(2))
  })
})
