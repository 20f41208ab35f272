import { describe, expect, test } from 'vitest'
import { readVerdict } from '../../src/records/verdict/verdict-file.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'

const spec = `---
include: [./shared/login.md]
---

# Shop

## Add <count> mugs

Put <count> {{color}} mugs into the cart.

- [ ] the badge shows <count>

### Examples

| count | color |
| ----- | ----- |
| 2     | blue  |
| 3     | "red" |
`
const login = '# Log in\n\n## Setup\n\nOpen the shop.\n\n## Enter\n\nEnter the name.\n\n- [ ] it greets\n'
const ids = ['1-enter', '2-add-2-mugs', '3-add-3-mugs']

/** A project whose agent is this program; it writes a log in which each of these steps passed, and keeps the prompt. */
async function projectWithAgent(program: string, frontMatter = ''): Promise<Project> {
  const options = `agent: { command: [${JSON.stringify(process.execPath)}, 'agent.mjs', '{log}', '{prompt}'] }`
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ ${options} })] }\n`,
    'agent.mjs': `import { appendFileSync, writeFileSync } from 'node:fs'
const [log, prompt] = process.argv.slice(2)
const passed = (id) => '  - { id: ' + id + ', status: pass, checks: [{ n: 1, status: pass }] }\\n'
const failed = (id) => '  - { id: ' + id + ', status: fail, checks: [{ n: 1, status: fail, observed: no }] }\\n'
const write = (...steps) => writeFileSync(log, '---\\nstatus: fail\\nsteps:\\n' + steps.join('') + '---\\n' + prompt)
const [enter, two, three] = ${JSON.stringify(ids)}
${program}
`,
    'shop.test.md': spec.replace('include:', `${frontMatter}include:`),
    'shared/login.md': login,
  })
}

describe('an agent', () => {
  test('goes on with the rows behind one that it found wrong, with `rows: all` alone', async () => {
    const outcomes = async (frontMatter: string): Promise<readonly (string | undefined)[]> => {
      await using project = await projectWithAgent('write(passed(enter), failed(two), passed(three))', frontMatter)
      const { stdout } = await project.vitest(['run', '--reporter=json'])
      return readJsonReport(stdout)['shop.test.md']?.map(({ outcome }) => outcome) ?? []
    }
    expect(await outcomes('')).toEqual(['pass', 'fail', 'skipped'])
    expect(await outcomes('rows: all\n')).toEqual(['pass', 'fail', 'pass'])
  })

  test('is told of included files and of the values of each row', async () => {
    await using project = await projectWithAgent('write(passed(enter), passed(two), passed(three))')
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const tests = readJsonReport(stdout)['shop.test.md'] ?? []
    expect(tests.map(({ name, line }) => [name, line])).toEqual([
      ['Shop > Log in > Enter', 5],
      ['Shop > Add <count> mugs > Add 2 mugs', 17],
      ['Shop > Add <count> mugs > Add 3 mugs', 18],
    ])
    const prompt = await project.read(tests[0]?.log ?? '')
    expect(prompt).toContain(`shop.test.md\nIncluded: ${project.path('shared/login.md')}\n`)
    expect(prompt).toContain('Before the steps, carry out the prose of all setup sections.')
    expect(prompt).toContain('- 1-enter: Enter (1 check)\n')
    expect(prompt).toContain('- 3-add-3-mugs: Add <count> mugs, with count = "3", color = "\\"red\\"" (1 check)\n')
  })

  test('is judged by each row and its checks, at the lines of the spec', async () => {
    await using project = await projectWithAgent('write(passed(enter), passed(two), failed(three))')
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'shop.test.md').at(-1)).toBe('fail STEP_FAILED CHECK_FAILED')
    const messages = readJsonReport(stdout)['shop.test.md']?.at(-1)?.messages
    expect(messages?.[1]).toContain('Check 1 "the badge shows 3" is not met.')
    expect(stdout).toMatch(/shop\.test\.md:18:1/)
  })

  test('fails at the line of the included file where a step of it fails', async () => {
    await using project = await projectWithAgent('write(failed(enter), passed(two), passed(three))')
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'shop.test.md')[0]).toBe('fail STEP_FAILED CHECK_FAILED')
    expect(stdout).toContain(`${project.path('shared/login.md')}:7:1`)
    const { log = '' } = readJsonReport(stdout)['shop.test.md']?.[0] ?? {}
    const reading = await readVerdict(project.path(log.replace('.log.md', '.verdict.json')))
    expect(reading.ok && reading.record.steps).toMatchObject([
      {
        id: '1-enter',
        line: 7,
        file: 'shared/login.md',
        reasons: [{ line: 7, file: 'shared/login.md' }, { line: 11 }],
      },
      { id: '2-add-2-mugs', line: 17 },
      { id: '3-add-3-mugs', line: 18 },
    ])
  })

  test.for(['', 'cwd: copy\n'])('is caught when it edits an included file, with %j', async (frontMatter) => {
    const edit = `appendFileSync(/^Included: (.+)$/m.exec(prompt)[1], 'x')`
    await using project = await projectWithAgent(
      `${edit}; write(passed(enter), passed(two), passed(three))`,
      frontMatter,
    )
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'shop.test.md')[0]).toBe('fail SPEC_MODIFIED')
  })
})
