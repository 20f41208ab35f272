import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const document = await readFile(new URL('../../fixtures/specs/spec-kit-document/spec.md', import.meta.url), 'utf8')
/** As Spec Kit has it: without front matter. */
const notes = document.replace(/^---\n[^]*?\n---\n\n/, '')

const agent = `import { writeFileSync } from 'node:fs'
const [log] = process.argv.slice(2)
writeFileSync(log, '---\\nstatus: pass\\n---\\n')
`

/** A project whose agent takes everything for passed. */
function projectOf(files: Readonly<Record<string, string>>, options: object = {}): Promise<Project> {
  const all = { agent: { command: [process.execPath, 'agent.mjs', '{log}'] }, ...options }
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(all)})] }\n`,
    'agent.mjs': agent,
    ...files,
  })
}

const spec = 'specs/001-notes/spec.md'
const first = 'User Story 1 - Keep notes > the command runs with add milk'
const second = 'User Story 1 - Keep notes > the command runs with add milk (FR-002)'
const third = 'User Story 2 - Tick off > the command runs with done 1'

test('a feature spec of Spec Kit is listed and run from its folder, and stays as it is', async () => {
  await using project = await projectOf({ [spec]: notes, 'specs/001-notes/plan.md': '# Plan\n\nNothing to test.\n' })
  const listed = await project.mdtest(['list', 'specs'])
  expect(listed.stdout, listed.stderr).toContain(`${spec} agent`)
  expect(listed.stdout).toContain('the command runs with add milk [agent] 1 check, tags p1 :25')
  expect(listed.stdout).not.toContain('plan.md')

  const all = await project.mdtest(['run', 'specs', '--reporter=json'])
  expect(
    readJsonReport(all.stdout)['spec.md']?.map(({ name, status, line }) => [name, status, line]),
    all.all,
  ).toEqual([
    [first, 'passed', 25],
    [second, 'passed', 26],
    [third, 'passed', 45],
  ])
  expect(all.exitCode).toBe(0)
  expect(await project.read(spec)).toBe(notes)
})

test('one scenario is run by its line, by its name, and those of a priority by their tag', async () => {
  await using project = await projectOf({ [spec]: notes })
  const passed = async (args: readonly string[]): Promise<readonly string[] | undefined> => {
    const { stdout } = await project.mdtest(['run', '--reporter=json', ...args])
    const tests = readJsonReport(stdout)['spec.md']
    return tests?.filter(({ status }) => status === 'passed').map(({ name }) => name)
  }
  expect(await passed([`${spec}:28`])).toEqual([second])
  expect(await passed([spec, '-t', 'Tick off'])).toEqual([third])
  expect(await passed([spec, '--tags-filter', 'p1'])).toEqual([first, second])
})

test('Vitest runs those that the option `dialects` names, and what is left open is told with its line', async () => {
  const open = notes.replace('prints `1 note`', 'prints [NEEDS CLARIFICATION: what?]')
  await using project = await projectOf(
    { 'specs/notes/spec.md': notes, 'specs/open/spec.md': open },
    { dialects: { 'spec-kit': ['specs/*/spec.md'] } },
  )
  const { all, exitCode } = await project.vitest(['run'])
  expect(all).toMatch(/specs\/open\/spec\.md:25:\d+ {2}spec-kit-clarification {2}/)
  expect(all).toMatch(/Tests {2}3 passed/)
  expect(exitCode).toBe(1)
})

test('a file beside them says how the product is run, and `mdtest init` shows the lines for the project', async () => {
  await using project = await projectOf({
    [spec]: notes,
    'specs/mdtest.context.md':
      '## Setup\n\n```sh run\necho setup >> trace\n```\n\n## Scenario: the command runs with `done 1`\n\n```sh verify\nexit 1\n```\n',
  })
  const { stdout, all } = await project.mdtest(['run', 'specs', '--reporter=json'])
  expect(
    readJsonReport(stdout)['spec.md']?.map(({ status, codes }) => [status, ...codes]),
    all,
  ).toEqual([['passed'], ['passed'], ['failed', 'VERIFY_FAILED']])
  expect(await project.read('trace')).toBe('setup\n'.repeat(3))

  await project.write('vitest.config.js', 'export default {}\n')
  await project.write('features/a.feature', '')
  const init = await project.mdtest(['init'])
  expect(init.stdout).toContain(
    "mdtest({ dialects: { gherkin: ['**/*.feature'], 'spec-kit': ['specs/{0,1,2,3,4,5,6,7,8,9}*-*/spec.md'] } })",
  )
})
