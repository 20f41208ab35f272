import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const spec = `---
agent: none
---

# Sums

## Add <a> and {{b}}

\`\`\`sh env.WHY="{{why}}"
total=$((\${total:-0} + <a> + {{b}}))
echo "$((<a> + {{b}})), total $total $WHY"
\`\`\`

\`\`\`output
{{sum}}, total {{total}} {{why}}
\`\`\`

### Examples

| a   | b   | sum | total | why      |
| --- | --- | --- | ----- | -------- |
| 1   | 2   | 3   | 3     | \`a  \\| b\` |
| 1   | 2   | 3   | 6     | it's \\\\d  |
| 20  | 22  | 43  | 49    |          |

## Count

\`\`\`console
$ test $total -ge {{least}}
\`\`\`

### Examples

| least |
| ----- |
| 3     |
| 4     |
`
const rightSpec = spec.replace('| 43  | 49 ', '| 42  | 48 ')

test('makes a test of each row, at its line, in one shell', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'sums.test.md': rightSpec })
  const { exitCode, stdout } = await project.vitest(['run', '--reporter=json'])
  const tests = readJsonReport(stdout)['sums.test.md']
  expect(tests?.map(({ name, line, outcome, assurance }) => [name, line, outcome, assurance])).toEqual([
    ['Sums > Add <a> and {{b}} > Add 1 and 2', 22, 'pass', 'verified'],
    ['Sums > Add <a> and {{b}} > Add 1 and 2 (2)', 23, 'pass', 'verified'],
    ['Sums > Add <a> and {{b}} > Add 20 and 22', 24, 'pass', 'verified'],
    ['Sums > Count > 3', 36, 'pass', 'verified'],
    ['Sums > Count > 4', 37, 'pass', 'verified'],
  ])
  expect(exitCode).toBe(0)
})

test('shows the line of the block and that of the row where a row fails', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'sums.test.md': spec })
  const { exitCode, all } = await project.vitest(['run', '--reporter=verbose'])
  expect(exitCode).toBe(1)
  expect(all).toMatch(/- 43, total 49\n\s*\+ 42, total 48/)
  expect(all).toMatch(/15\|.*\{\{sum\}\}/)
  expect(all).toMatch(/sums\.test\.md:15:1\n.*sums\.test\.md:24:1/s)
  expect(all).toMatch(/2 passed/)
  expect(all).toMatch(/PREDECESSOR_FAILED.*"Add 20 and 22"/)
})

test('lists rows without running anything', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'sums.test.md': spec })
  for (const flags of [[], ['--static-parse']]) {
    const { stdout } = await project.vitest(['list', '--json', ...flags])
    const listed: { name: string; location: { line: number } }[] = JSON.parse(stdout)
    expect(listed.map(({ name, location }) => [name, location.line])).toContainEqual([
      'Sums > Add <a> and {{b}} > Add 1 and 2 (2)',
      23,
    ])
    expect(listed).toHaveLength(5)
  }
})

test('selects a row by its line and by its title, after its predecessors', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'sums.test.md': rightSpec })
  const selections = [
    ['run', '--reporter=json', 'sums.test.md:24'],
    ['run', '--reporter=json', '-t', 'Add 20 and 22'],
  ]
  for (const args of selections) {
    const { exitCode, stdout } = await project.vitest(args)
    expect(readJsonReport(stdout)['sums.test.md']?.map(({ status }) => status)).toEqual([
      'skipped',
      'skipped',
      'passed',
      'skipped',
      'skipped',
    ])
    expect(exitCode).toBe(0)
  }
})

test('mdtest run takes the line of a row for the row, and any other line of the step for all rows', async () => {
  await using project = await createProject({ 'sums.test.md': rightSpec })
  const row = await project.mdtest(['run', 'sums.test.md:23', '--reporter=json'])
  expect(row.stdout).toMatch(/"numPassedTests":1,/)
  const step = await project.mdtest(['run', 'sums.test.md:12', '--reporter=json'])
  expect(step.stdout).toMatch(/"numPassedTests":3,/)
})

test('a retry of a row is a new attempt at the scenario', async () => {
  const flaky = `---
agent: none
---

# Flaky

## Once

<!-- mdtest: retry=1 -->

\`\`\`sh
count=$((\${count:-0} + 1)); echo "{{row}} $count" >> "$TESTDIR/runs"
test {{row}} = 1 || test $(grep -c "^2" "$TESTDIR/runs") -gt 1
\`\`\`

### Examples

| row |
| --- |
| 1   |
| 2   |
`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'flaky.test.md': flaky })
  const { exitCode } = await project.vitest(['run'])
  expect(exitCode).toBe(0)
  expect(await project.read('runs')).toBe('1 1\n2 2\n1 1\n2 2\n')
})
