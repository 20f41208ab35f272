import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { lane } from '../support/lane.ts'

/** Each step writes its name into `trace`. */
const step = (name: string, directive = ''): string =>
  `## ${name}\n\n${directive === '' ? '' : `<!-- mdtest: ${directive} -->\n\n`}\`\`\`sh\necho "${name}" >> trace\n\`\`\`\n\n`
const spec = (title: string, ...steps: readonly string[]): string =>
  `---\nagent: none\n---\n\n# ${title}\n\n${steps.join('')}`

const sums = `---
agent: none
---

# Sums

## Prepare

\`\`\`sh
echo prepare >> trace
\`\`\`

## Add <a>

Adds one.

\`\`\`sh
echo "add <a>" >> trace
\`\`\`

### Examples

| a   |
| --- |
| 1   |
| 20  |

## Report

\`\`\`sh
echo report >> trace
\`\`\`
`

const config = { 'vitest.config.js': plainConfig }

/** Names of the tests that ran, with what became of them, by the name of their spec. */
async function ranByFile(
  project: Project,
  args: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { stdout, all } = await project.vitest(['run', '--reporter=json', ...args])
  expect(stdout, all).not.toBe('')
  const ended = Object.entries(readJsonReport(stdout)).map(([file, tests]) => {
    const own = tests.filter(({ status }) => status === 'passed' || status === 'failed')
    return [file, own.map(({ name, status }) => `${name} ${status}`)] as const // a pair
  })
  return Object.fromEntries(ended)
}

/** The same of all specs. */
async function ran(project: Project, args: readonly string[]): Promise<readonly string[]> {
  return Object.values(await ranByFile(project, args)).flat()
}

async function traceOf(project: Project): Promise<readonly string[]> {
  const text = await project.read('trace').catch(() => '')
  await project.write('trace', '')
  return text.split('\n').slice(0, -1)
}

const isFive = lane.vitestMajor === 5

test('`-t` takes the full name as the version joins it; the steps before run as well, unreported', async () => {
  await using project = await createProject({ ...config, 'sums.test.md': sums })
  const joiner = isFive ? ' > ' : ' '
  const name = ['Sums', 'Add <a>', 'Add 20'].join(joiner)
  expect(await ran(project, ['-t', name])).toEqual(['Sums > Add <a> > Add 20 passed'])
  expect(await traceOf(project)).toEqual(['prepare', 'add 1', 'add 20'])
})

test('`mdtest run -t` takes both joiners', async () => {
  await using project = await createProject({ 'sums.test.md': sums })
  for (const joiner of [' > ', ' ']) {
    const { exitCode, all } = await project.mdtest(['run', '-t', ['Sums', 'Add <a>', 'Add 1'].join(joiner)])
    expect(exitCode, all).toBe(0)
    expect(await traceOf(project)).toEqual(['prepare', 'add 1'])
  }
  expect((await project.mdtest(['run', '-t', 'Sums Add'])).exitCode).toBe(0)
  expect((await project.mdtest(['run', '-t', '^Report'])).exitCode).toBe(2)
})

test('a line of a heading, of a group, of a row and inside a step selects; another line names the nearest step', async () => {
  const prepare = 'Sums > Prepare passed'
  const rows = ['Sums > Add <a> > Add 1 passed', 'Sums > Add <a> > Add 20 passed']
  const selected: Readonly<Record<string, readonly [lines: readonly number[], tests: readonly string[]]>> = {
    'heading.test.md': [[7], [prepare]],
    'row.test.md': [[25], rows.slice(0, 1)],
    'group.test.md': [[13], rows],
    'scenario.test.md': [[5], [prepare, ...rows, 'Sums > Report passed']],
    'inside.test.md': [[9], [prepare]],
    'two.test.md': [
      [9, 31],
      [prepare, 'Sums > Report passed'],
    ],
  }
  const specs = Object.fromEntries(Object.keys(selected).map((name) => [name, sums]))
  await using project = await createProject({ ...config, ...specs, 'sums.test.md': sums })
  const asked = Object.entries(selected).flatMap(([name, [lines]]) => lines.map((line) => `${name}:${line}`))
  expect(await ranByFile(project, asked)).toEqual(
    Object.fromEntries(Object.entries(selected).map(([name, [, tests]]) => [name, tests])),
  )
  const { exitCode, all } = await project.vitest(['run', 'sums.test.md:2'])
  expect(exitCode).toBe(1)
  expect(all).toContain('No test found in sums.test.md in line 2')
  expect(all).toContain('No step is at line 2 of sums.test.md. The nearest is "Prepare": sums.test.md:7.')
})

test('`mdtest run` takes any line inside a step', async () => {
  const traces = {
    10: ['prepare'],
    26: ['prepare', 'add 1', 'add 20'],
    31: ['prepare', 'add 1', 'add 20', 'report'],
  }
  const lines = Object.keys(traces)
  const specs = lines.map((line) => [`at-${line}.test.md`, sums.replaceAll('trace', `trace-${line}`)])
  await using project = await createProject(Object.fromEntries(specs))
  const { exitCode, all } = await project.mdtest(['run', ...lines.map((line) => `at-${line}.test.md:${line}`)])
  expect(exitCode, all).toBe(0)
  for (const [line, trace] of Object.entries(traces)) {
    expect((await project.read(`trace-${line}`)).split('\n').slice(0, -1)).toEqual(trace)
  }
})

test('`only`, `skip` and `todo` stand for those of Vitest; a reason for `skip` is kept, also of a group', async () => {
  const group = '## Later\n\n<!-- mdtest: skip="waits for 2.0" -->\n\n### Inner\n\n```sh\nfalse\n```\n\n'
  await using project = await createProject({
    ...config,
    'a.test.md': spec('A', step('One'), step('Two', 'only'), step('Three')),
    'b.test.md': spec('B', step('One', 'skip'), step('Two', 'skip="not yet"'), group, '## Three\n\n', step('Four')),
  })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  const report = readJsonReport(stdout)
  expect(report['a.test.md']?.map(({ status }) => status)).toEqual(['skipped', 'passed', 'skipped'])
  expect(report['b.test.md']?.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped', 'todo', 'passed'])
  expect((await traceOf(project)).toSorted()).toEqual(['Four', 'One', 'Two'])
  const junit = await project.vitest(['run', '--reporter=junit', 'b.test.md'])
  expect(junit.stdout).toContain('not yet')
  expect(junit.stdout).toContain('waits for 2.0')
})

test('`--changed` runs the specs that changed, with Vitest 5 also those that include what changed', async () => {
  await using project = await createProject({
    ...config,
    '.gitignore': 'node_modules\ntrace\n.report.json\n',
    'a.test.md': spec('A', step('One')),
    'b.test.md': spec('B', step('Two')),
    'c.test.md': spec('C', step('Three')).replace('---\n', '---\ninclude: [shared.md]\n'),
    'shared.md': step('Shared'),
  })
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: project.dir })
  }
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  await project.write('b.test.md', spec('B', step('Two'), step('Four')))
  expect(await ran(project, ['--changed'])).toEqual(['B > Two passed', 'B > Four passed'])
  await project.write('shared.md', step('Shared again'))
  // Vitest 4 asks for modules only, and an included file is none.
  const ofC = isFive ? ['C > Shared again passed', 'C > Three passed'] : []
  expect((await ran(project, ['--changed'])).filter((name) => name.startsWith('C'))).toEqual(ofC)
})

test('`--bail` ends what is under way, with its processes', async () => {
  const slow = '## Slow\n\n```sh\ntouch started\nsleep 60\n```\n\n## Teardown\n\n```sh\ntouch torn-down\n```\n'
  const bad = '## Bad\n\n```sh\nuntil test -e started; do sleep 0.1; done\nfalse\n```\n'
  await using project = await createProject({ ...config, 'a.test.md': spec('A', slow), 'b.test.md': spec('B', bad) })
  const startMs = performance.now()
  const { exitCode } = await project.vitest(['run', '--bail=1'])
  expect(exitCode).toBe(1)
  expect(performance.now() - startMs).toBeLessThan(40_000)
  expect(await project.read('torn-down')).toBe('')
})

test('`--no-file-parallelism`, `--sequence.shuffle` and `--project` leave scenarios whole', async () => {
  await using project = await createProject({
    ...config,
    'a.test.md': spec('A', step('A1'), step('A2')),
    'b.test.md': spec('B', step('B1'), step('B2')),
  })
  const passed = await ran(project, [
    '--no-file-parallelism',
    '--sequence.shuffle.files',
    '--sequence.shuffle.tests',
    '--project=mdtest',
  ])
  expect(passed).toHaveLength(4)
  const trace = await traceOf(project)
  expect([
    ['A1', 'A2', 'B1', 'B2'],
    ['B1', 'B2', 'A1', 'A2'],
  ]).toContainEqual(trace)
})

test('`vitest list` names tests and lines and runs nothing', async () => {
  const command = `{ command: [${JSON.stringify(process.execPath)}, '-e', 'require("fs").writeFileSync("started", "")'] }`
  await using project = await createProject({
    'vitest.config.js': plainConfig.replace('mdtest()', `mdtest({ agent: ${command} })`),
    'a.test.md': '# A\n\n## One\n\nDo it.\n\n## Two\n\nDo it.\n',
    'sums.test.md': sums,
  })
  const listed = await project.vitest(['list'])
  expect(listed.stdout).toContain('[mdtest] a.test.md > A > One')
  expect(listed.stdout).toContain('[mdtest] sums.test.md > Sums > Add <a> > Add 20')
  expect((await project.vitest(['list', '--filesOnly'])).stdout.split('\n').toSorted()).toEqual([
    '[mdtest] a.test.md',
    '[mdtest] sums.test.md',
  ])
  const tests: unknown = JSON.parse((await project.vitest(['list', 'a.test.md', '-t', 'Two', '--json'])).stdout)
  expect(tests).toMatchObject([{ name: 'A > Two', projectName: 'mdtest', location: { line: 7 } }])
  await expect(project.read('started')).rejects.toThrow('ENOENT')
  expect(await traceOf(project)).toEqual([])
})
