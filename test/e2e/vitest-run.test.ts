import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Finished, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { failingSpec, passingSpec } from '../support/specs.ts'

const step = (title: string, code: string, directive = ''): string =>
  `## ${title}\n\n${directive}\`\`\`sh\n${code}\n\`\`\`\n\n`
const spec = (title: string, ...steps: readonly string[]): string =>
  `---\nagent: none\n---\n\n# ${title}\n\n${steps.join('')}`

const files = {
  'vitest.config.js': plainConfig,
  'sum.test.js': `import { expect, test } from 'vitest'\ntest('adds', () => expect(1 + 1).toBe(2))\n`,
  'hello.test.md': passingSpec,
  'failing.test.md': failingSpec,
  'malformed.test.md': '---\nagnet: none\n---\n\n# Top\n\n```sh run exitt=1\ntrue\n```\n\n```python run\npass\n```\n',
  'retried.test.md': spec(
    'Counter',
    step('Setup', 'echo setup $(ls | wc -l) >> "$TESTDIR/trace"; touch made-by-setup'),
    step('Count', 'touch made-by-step'),
    step('Break once', 'test "$(grep -c setup "$TESTDIR/trace")" = 2', '<!-- mdtest: retry=1 -->\n\n'),
    step('Teardown', 'echo teardown $(ls | wc -l) >> "$TESTDIR/trace"'),
  ).replace('agent: none', 'agent: none\ncwd: temp'),
  'not-set-up.test.md': spec(
    'Top',
    step('Before', 'false'),
    step('One', 'true'),
    step('Two', 'true'),
    step('After', 'touch torn-down'),
  ),
  'not-torn-down.test.md': spec('Top', step('One', 'true'), step('After', 'false')),
}

describe('vitest run', () => {
  let project: Project
  let run: Finished
  const testsOf = (name: string) => readJsonReport(run.stdout)[`${name}.test.md`] ?? []

  beforeAll(async () => {
    project = await createProject(files)
    const reporters = ['json', 'verbose', 'junit', 'github-actions'].map((name) => `--reporter=${name}`)
    run = await project.vitest(['run', ...reporters, '--outputFile.junit=junit.xml'], {
      env: { GITHUB_ACTIONS: 'true' },
    })
  })
  afterAll(() => project[Symbol.asyncDispose]())

  test('has a test for each heading, at its line', () => {
    const passed = { status: 'passed', outcome: 'pass', assurance: 'verified', codes: [] }
    expect(testsOf('hello')).toEqual([
      { name: 'Greeting > Says hello', line: 7, ...passed },
      { name: 'Greeting > Remembers', line: 14, ...passed },
    ])
    expect(readJsonReport(run.stdout)['sum.test.js']).toMatchObject([{ name: 'adds', status: 'passed' }])
    expect(run.exitCode).toBe(1)
  })

  test('shows a failure with code frame, reason and what was observed, and runs the rest', () => {
    expect(run.all).toMatch(/RUN_FAILED[^]*-\s*goodbye[^]*\+\s*hello/)
    expect(run.all).toContain('failing.test.md:17:1')
  })

  test('prints what was expected green, and what came red', async () => {
    const { all } = await project.vitest(['run', 'failing.test.md'], {
      env: { FORCE_COLOR: '1', NO_COLOR: undefined },
    })
    expect(all).toMatch(/\u001b\[32m-\s*goodbye\u001b\[31m\n\u001b\[31m\+\s*hello/)
    expect(run.all).toMatch(/17\|.*goodbye/)
    expect(testsOf('failing').map(({ status }) => status)).toEqual(['passed', 'failed', 'passed'])
  })

  test('names file and line in JUnit and GitHub output', async () => {
    const junit = await project.read('junit.xml')
    for (const text of ['failing.test.md:17:1', 'failing.test.md:13:1', 'RUN_FAILED']) expect(junit).toContain(text)
    expect(run.all).toMatch(/^::error file=.*failing\.test\.md.*line=17/m)
  })

  test('reports every problem of a malformed spec at once, with places', () => {
    for (const place of ['2:1', '7:\\d+', '11:\\d+'])
      expect(run.all).toMatch(new RegExp(`malformed\\.test\\.md:${place} `))
    expect(run.all).toContain('3 problems')
  })

  test('starts a retry over in a fresh directory, after the tear-down of the try before', async () => {
    expect(testsOf('retried').map(({ outcome }) => outcome)).toEqual(['pass', 'pass'])
    expect(await project.read('trace')).toBe('setup 0\nteardown 2\nsetup 0\nteardown 2\n')
  })

  test('fails the first step for the set-up and the last for the tear-down, which always runs', async () => {
    expect(testsOf('not-set-up')).toMatchObject([
      { name: 'Top > One', status: 'failed', codes: ['SETUP_FAILED'] },
      { name: 'Top > Two', status: 'skipped', codes: ['PREDECESSOR_FAILED'] },
    ])
    expect(await project.read('torn-down')).toBe('')
    expect(testsOf('not-torn-down')).toMatchObject([{ status: 'failed', codes: ['TEARDOWN_FAILED'] }])
  })

  test('runs one step by the line of its heading after those before it, and fails it where one of these fails', async () => {
    const { stdout, all, exitCode } = await project.vitest([
      'run',
      '--reporter=json',
      '--reporter=default',
      'hello.test.md:14',
      'failing.test.md:21',
    ])
    const tests = readJsonReport(stdout)
    expect(
      tests['hello.test.md']?.map(({ status }) => status),
      all,
    ).toEqual(['skipped', 'passed'])
    expect(tests['failing.test.md']?.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'failed'])
    expect(all).toContain('Step "Says something else" has to run before this one and did not pass.')
    expect(exitCode).toBe(1)
  })

  test('leaves specs out with `--project !mdtest`', async () => {
    const { stdout } = await project.vitest(['run', '--reporter=json', '--project', '!mdtest'])
    expect(Object.keys(readJsonReport(stdout))).toEqual(['sum.test.js'])
  })
})
