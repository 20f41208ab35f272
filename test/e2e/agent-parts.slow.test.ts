import { beforeAll, expect, test } from 'vitest'
import { readVerdict } from '../../src/records/verdict/verdict-record.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf, type ReportedTest } from '../support/json-report.ts'

const specOf = (name: string, front = ''): string => `---
${front}include: [./${name}.md]
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

/** What the agent does for each spec, and what front matter the spec has. */
const agents: Readonly<Record<string, readonly [program: string, front?: string]>> = {
  passes: ['write(passed(enter), passed(two), passed(three))'],
  stops: ['write(passed(enter), failed(two), passed(three))'],
  'goes-on': ['write(passed(enter), failed(two), passed(three))', 'after-failure: continue\n'],
  'last-fails': ['write(passed(enter), passed(two), failed(three))'],
  'first-fails': ['write(failed(enter), passed(two), passed(three))'],
  edits: ['edit(); write(passed(enter), passed(two), passed(three))'],
  'edits-a-copy': ['edit(); write(passed(enter), passed(two), passed(three))', 'cwd: copy\n'],
}
const agent = `import { appendFileSync, writeFileSync } from 'node:fs'
const [log, prompt] = process.argv.slice(2)
const passed = (id) => '  - { id: ' + id + ', status: pass, checks: [{ n: 1, status: pass }] }\\n'
const failed = (id) => '  - { id: ' + id + ', status: fail, checks: [{ n: 1, status: fail, observed: no }] }\\n'
const write = (...steps) => writeFileSync(log, '---\\nstatus: fail\\nsteps:\\n' + steps.join('') + '---\\n' + prompt)
const edit = () => appendFileSync(/^Included: (.+)$/m.exec(prompt)[1], 'x')
const [enter, two, three] = ['1-enter', '2-add-2-mugs', '3-add-3-mugs']
const programs = {
${Object.entries(agents)
  .map(([name, [program]]) => `'${name}': () => { ${program} }`)
  .join(',\n')}
}
programs[log.split('/').at(-2).replace('.logs', '')]()
`

let project: Project
let stdout = ''
beforeAll(async () => {
  const command = JSON.stringify([process.execPath, 'AGENT', '{log}', '{prompt}'])
  project = await createProject({
    'vitest.config.js': `import { join } from 'node:path'\nimport { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ${command.replace('"AGENT"', "join(import.meta.dirname, 'agent.mjs')")} } })] }\n`,
    'agent.mjs': agent,
    ...Object.fromEntries(
      Object.entries(agents).flatMap(([name, [, front]]) => [
        [`${name}.test.md`, specOf(name, front)],
        [`${name}.md`, login],
      ]),
    ),
  })
  stdout = (await project.vitest(['run', '--reporter=json'], { timeoutMs: 280_000 })).stdout
  return () => project[Symbol.asyncDispose]()
})
const testsOf = (name: string): readonly ReportedTest[] => readJsonReport(stdout)[`${name}.test.md`] ?? []

test('an agent goes on behind a step that it found wrong, with `after-failure: continue` alone', () => {
  expect(testsOf('stops').map(({ outcome }) => outcome)).toEqual(['pass', 'fail', 'skipped'])
  expect(testsOf('goes-on').map(({ outcome }) => outcome)).toEqual(['pass', 'fail', 'pass'])
})

test('an agent is told of included files and of the values of each row', async () => {
  const tests = testsOf('passes')
  expect(tests.map(({ name, line }) => [name, line])).toEqual([
    ['Shop > Log in > Enter', 5],
    ['Shop > Add <count> mugs > Add 2 mugs', 17],
    ['Shop > Add <count> mugs > Add 3 mugs', 18],
  ])
  const prompt = await project.read(tests[0]?.log ?? '')
  expect(prompt).toContain(`passes.test.md\nIncluded: ${project.path('passes.md')}\n`)
  expect(prompt).toContain('Before the steps, carry out the prose of all setup sections.')
  expect(prompt).toContain('- 1-enter: Enter (1 check)\n')
  expect(prompt).toContain('- 3-add-3-mugs: Add <count> mugs, with count = "3", color = "\\"red\\"" (1 check)\n')
})

test('an agent is judged by each row and its checks, at the lines of the spec', () => {
  expect(verdictsOf(stdout, 'last-fails.test.md').at(-1)).toBe('fail STEP_FAILED CHECK_FAILED')
  expect(testsOf('last-fails').at(-1)?.messages?.[1]).toContain('Check 1 "the badge shows 3" is not met.')
  expect(stdout).toMatch(/last-fails\.test\.md:18:1/)
})

test('an agent fails at the line of the included file where a step of it fails', async () => {
  expect(verdictsOf(stdout, 'first-fails.test.md')[0]).toBe('fail STEP_FAILED CHECK_FAILED')
  expect(stdout).toContain(`${project.path('first-fails.md')}:7:1`)
  const { log = '' } = testsOf('first-fails')[0] ?? {}
  const reading = await readVerdict(project.path(log.replace('.log.md', '.verdict.json')))
  const file = 'first-fails.md'
  expect(reading.ok && reading.record.steps).toMatchObject([
    { id: '1-enter', line: 7, file, reasons: [{ line: 7, file }, { line: 11 }] },
    { id: '2-add-2-mugs', line: 17 },
    { id: '3-add-3-mugs', line: 18 },
  ])
})

test.each(['edits', 'edits-a-copy'])('an agent that edits an included file is caught: %s', (name) => {
  expect(verdictsOf(stdout, `${name}.test.md`)[0]).toBe('fail SPEC_MODIFIED')
})
