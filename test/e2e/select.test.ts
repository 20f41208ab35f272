import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Finished, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { lane } from '../support/lane.ts'
import { step, sums, tagged, traceSpec } from '../support/select-specs.ts'

/** Equal rows, code that holds the signs of a table, and values in output, in an attribute and in a command. */
const table = `---
agent: none
---

# Table

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
| 20  | 22  | 42  | 48    |          |
`

const rows = (head: string): string => `---
agent: none
${head}---

# Rows

## Double <n>

\`\`\`sh
seen="\${seen-}<n>"; echo "$seen" >trace-$ROWS
test <n> -ne 2 && test <n> -ne 4
\`\`\`

### Examples

| n |
| - |
| 1 |
| 2 |
| 3 |
| 4 |

## Behind

\`\`\`sh
echo behind >>trace-$ROWS
\`\`\`
`

const retriedRow = `---
agent: none
---

# Flaky

## Once

<!-- mdtest: retry=1 -->

\`\`\`sh
count=$((\${count:-0} + 1)); echo "{{row}} $count" >> tries
test {{row}} = 1 || test $(grep -c "^2" tries) -gt 1
\`\`\`

### Examples

| row |
| --- |
| 1   |
| 2   |
`

const prepare = 'Sums > Prepare'
const addRows = ['Sums > Add <a> > Add 1', 'Sums > Add <a> > Add 20']
/** Lines that are asked for, and the tests that run. */
const byLine: Readonly<Record<string, readonly [lines: readonly number[], tests: readonly string[]]>> = {
  'heading.test.md': [[7], [prepare]],
  'row.test.md': [[25], addRows.slice(0, 1)],
  'group.test.md': [[13], addRows],
  'scenario.test.md': [[5], [prepare, ...addRows, 'Sums > Report']],
  'inside.test.md': [[9], [prepare]],
  'two.test.md': [
    [9, 31],
    [prepare, 'Sums > Report'],
  ],
}

const later = '## Later\n\n<!-- mdtest: skip="waits for 2.0" -->\n\n### Inner\n\n```sh\nfalse\n```\n\n'
const files = {
  'vitest.config.js': plainConfig,
  ...tagged,
  ...Object.fromEntries(Object.keys(byLine).map((name) => [`lines/${name}`, sums])),
  'lines/none.test.md': sums,
  'lines/often.test.md': sums.replace('agent: none', 'agent: none\nrepeats: 2').replaceAll('>> trace', '>> often'),
  'named/sums.test.md': sums,
  'whole/only.test.md': traceSpec('A', step('One'), step('Two', 'only'), step('Three')),
  'whole/left-out.test.md': traceSpec(
    'B',
    step('One', 'skip'),
    step('Two', 'skip="not yet"'),
    later,
    '## Three\n\n',
    step('Four'),
  ),
  'whole/table.test.md': table,
  'whole/wrong-table.test.md': table.replace('| 42  | 48 ', '| 43  | 49 '),
  'whole/all.test.md': rows('env: { ROWS: all }\n'),
  'whole/stop.test.md': rows('env: { ROWS: stop }\nafter-failure: stop\n'),
  'whole/retried.test.md': retriedRow,
}

let project: Project
beforeAll(async () => {
  project = await createProject(files)
})
afterAll(() => project[Symbol.asyncDispose]())

/** Names of the tests that passed, in all files. */
async function passed(args: readonly string[]): Promise<readonly string[]> {
  const { stdout, all } = await project.vitest(['run', '--reporter=json', ...args])
  expect(stdout, all).not.toBe('')
  const tests = Object.values(readJsonReport(stdout)).flat()
  return tests.filter(({ status }) => status === 'passed').map(({ name }) => name)
}

async function traceOf(): Promise<readonly string[]> {
  const text = await project.read('trace').catch(() => '')
  await project.write('trace', '')
  return text.split('\n').slice(0, -1)
}

describe('of whole specs', () => {
  let run: Finished
  const ended = (name: string) => readJsonReport(run.stdout)[`${name}.test.md`] ?? []
  const statuses = (name: string): readonly string[] => ended(name).map(({ status }) => status)
  beforeAll(async () => {
    const reporters = ['--reporter=verbose', '--reporter=junit', '--outputFile.junit=junit.xml']
    run = await project.vitest(['run', '--reporter=json', ...reporters, 'whole/'])
  })

  test('`only`, `skip` and `todo` stand for those of Vitest; a reason for `skip` is kept, also of a group', async () => {
    expect(statuses('only')).toEqual(['skipped', 'passed', 'skipped'])
    expect(statuses('left-out')).toEqual(['skipped', 'skipped', 'skipped', 'todo', 'passed'])
    expect((await traceOf()).toSorted()).toEqual(['Four', 'One', 'Two'])
    const junit = await project.read('junit.xml')
    expect([junit.includes('not yet'), junit.includes('waits for 2.0')]).toEqual([true, true])
  })

  test('each row of a table is a test at its line, all in one shell', () => {
    expect(ended('table').map(({ name, line, outcome }) => [name, line, outcome])).toEqual([
      ['Table > Add <a> and {{b}} > Add 1 and 2', 22, 'pass'],
      ['Table > Add <a> and {{b}} > Add 1 and 2 (2)', 23, 'pass'],
      ['Table > Add <a> and {{b}} > Add 20 and 22', 24, 'pass'],
    ])
    expect(run.all).toMatch(/- 43, total 49\n\s*\+ 42, total 48/)
    expect(run.all).toMatch(/wrong-table\.test\.md:15:1\n[^]*15\|.*\{\{sum\}\}[^]*wrong-table\.test\.md:24:1/)
  })

  test('all rows run where one fails, and what is behind them, unless the spec says `after-failure: stop`', async () => {
    expect(statuses('all')).toEqual(['passed', 'failed', 'passed', 'failed', 'passed'])
    expect(await project.read('trace-all')).toBe('1234\nbehind\n')
    expect(statuses('stop')).toEqual(['passed', 'failed', 'skipped', 'skipped', 'skipped'])
    expect(await project.read('trace-stop')).toBe('12\n')
  })

  test('a retry of a row is a new attempt at the scenario', async () => {
    expect(statuses('retried')).toEqual(['passed', 'passed'])
    expect(await project.read('tries')).toBe('1 1\n2 2\n1 1\n2 2\n')
  })
})

test('a line of a heading, of a group, of a row and inside a step selects; another line, and a misspelt file, is named', async () => {
  const asked = Object.entries(byLine).flatMap(([name, [lines]]) => lines.map((line) => `lines/${name}:${line}`))
  const others = ['lines/often.test.md:8', 'lines/none.test.md:2', 'lines/nonne.test.md']
  const args = ['run', '--reporter=json', '--reporter=default', ...asked, ...others]
  const { stdout, all, exitCode } = await project.vitest(args)
  const ran = Object.entries(readJsonReport(stdout)).map(([name, tests]) => [
    name,
    tests.filter(({ status }) => status === 'passed').map((one) => one.name),
  ])
  expect(Object.fromEntries(ran)).toEqual({
    ...Object.fromEntries(Object.entries(byLine).map(([name, [, tests]]) => [name, tests])),
    'often.test.md': [prepare],
    'none.test.md': [],
  })
  // Each run of it comes as far.
  expect(readJsonReport(stdout)['often.test.md']?.[0]?.rate).toEqual({ passed: 2, runs: 2, required: 2 })
  expect(await project.read('often')).toBe('prepare\nprepare\n')
  expect(exitCode).toBe(1)
  expect(all).toContain('No test found in lines/none.test.md in line 2')
  expect(all).toContain('No step is at line 2 of lines/none.test.md. The nearest is "Prepare": lines/none.test.md:7.')
  const missing = 'No test file matches lines/nonne.test.md, so nothing of it was run.'
  expect(all).toContain(`${missing} Did you mean \`lines/none.test.md\`?`)
})

test('`-t` takes the full name; the steps before run as well, unreported', async () => {
  await traceOf()
  const joiner = lane.vitestMajor === 5 ? ' > ' : ' '
  const name = ['Sums', 'Add <a>', 'Add 20'].join(joiner)
  expect(await passed(['named/', '-t', name])).toEqual(['Sums > Add <a> > Add 20'])
  expect(await traceOf()).toEqual(['prepare', 'add 1', 'add 20'])
  // `mdtest run` takes both joiners.
  const { exitCode, all } = await project.mdtest(['run', 'named/sums.test.md', '-t', 'Sums > Add <a> Add 1'])
  expect(exitCode, all).toBe(0)
  expect(await traceOf()).toEqual(['prepare', 'add 1'])
})

test('tags of specs choose tests without being declared, beside tests that are no specs', async () => {
  const args = ['run', '--reporter=json', 'tags/', '--tags-filter', '!smoke || db || slow', '--tags-filter', '!shop']
  const { stdout } = await project.vitest(args)
  const { testResults }: Report = JSON.parse(stdout)
  const tests = testResults.flatMap(
    ({ name, assertionResults }) =>
      assertionResults.map(
        ({ title, tags, status }) => [`${basename(name)} ${title}: ${tags.join()}`, status] as const,
      ), // pairs
  )
  expect(Object.fromEntries(tests)).toEqual({
    'a.test.md Shared: smoke,db': 'passed',
    'a.test.md One: smoke': 'skipped',
    'a.test.md Two: smoke,slow': 'passed',
    'b.test.md Three: shop': 'skipped',
    'sum.test.js adds: ': 'passed',
  })
})

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly title: string
      readonly tags: readonly string[]
      readonly status: string
    }[]
  }[]
}

test('`vitest list` names tests and lines and runs nothing', async () => {
  await traceOf()
  const { stdout } = await project.vitest(['list', 'named/', '--json'])
  const listed: { name: string; projectName: string; location: { line: number } }[] = JSON.parse(stdout)
  expect(listed.map(({ name, location, projectName }) => [name, location.line, projectName])).toEqual([
    ['Sums > Prepare', 7, 'mdtest'],
    ['Sums > Add <a> > Add 1', 25, 'mdtest'],
    ['Sums > Add <a> > Add 20', 26, 'mdtest'],
    ['Sums > Report', 28, 'mdtest'],
  ])
  expect(await traceOf()).toEqual([])
})
