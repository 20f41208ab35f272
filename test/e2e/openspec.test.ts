import { chmod, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

/** A document of OpenSpec, which has no front matter. */
async function readFixture(name: string): Promise<string> {
  const text = await readFile(new URL(`../../fixtures/specs/${name}/spec.md`, import.meta.url), 'utf8')
  return text.replace(/^---\n[^]*?\n---\n\n/, '')
}

const notes = await readFixture('openspec-document')
const faults = await readFixture('openspec-faults')

/** A Claude Code that runs a command and takes everything for passed. */
const claude = `#!${process.execPath}
const { writeFileSync } = require('node:fs')
const prompt = process.argv.at(-1)
const log = /^Result log: (.*)$/m.exec(prompt)[1]
const run = /[0-9a-f]{32}/.exec(prompt)[0]
const say = (line) => console.log(JSON.stringify(line))
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'notes' } }] } })
say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: '1 note' }] } })
writeFileSync(log, '---\\nstatus: pass\\nrun: ' + run + '\\n---\\n')
`

interface OpenedProject extends AsyncDisposable {
  readonly project: Project
  run(args: readonly string[]): ReturnType<Project['mdtest']>
}

/** A project without a configuration, with a Claude Code on its PATH. */
async function projectOf(files: Readonly<Record<string, string>>): Promise<OpenedProject> {
  const project = await createProject({ 'bin/claude': claude, 'bin/package.json': '{}\n', ...files })
  await chmod(project.path('bin/claude'), 0o755)
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
  return {
    project,
    run: (args) => project.mdtest(args, { env }),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}

const spec = 'openspec/specs/notes/spec.md'
const names = ['Keep Notes > First note', 'Keep Notes > Equal notes', 'Tick Off > Equal notes']

test('specs of OpenSpec are listed and run without a configuration, and stay as they are', async () => {
  await using opened = await projectOf({ [spec]: notes, 'openspec/project.md': '# Project\n\nNothing to test.\n' })
  const listed = await opened.run(['list', 'openspec'])
  expect(listed.stdout, listed.stderr).toContain(`${spec} agent auto`)
  expect(listed.stdout).toContain('2 checks :15')
  expect(listed.stdout).not.toContain('project.md')

  const { stdout, all, exitCode } = await opened.run(['run', 'openspec/specs', '--reporter=json'])
  const tests = readJsonReport(stdout)['spec.md']
  expect(
    tests?.map(({ name, status, line }) => [name, status, line]),
    all,
  ).toEqual([
    [names[0], 'passed', 15],
    [names[1], 'passed', 24],
    [names[2], 'passed', 41],
  ])
  expect(exitCode).toBe(0)
  expect(await opened.project.read(spec)).toBe(notes)
})

test('one scenario is run by a line of it, and by its name; those of a change by its folder', async () => {
  const change = 'openspec/changes/tick/specs/notes/spec.md'
  const added = `${notes.slice(notes.indexOf('### Requirement: Tick Off')).split('## Notes')[0]}`
  await using opened = await projectOf({ [spec]: notes, [change]: `## ADDED Requirements\n\n${added}` })
  const passed = async (args: readonly string[]): Promise<readonly string[] | undefined> => {
    const { stdout } = await opened.run(['run', '--reporter=json', ...args])
    const tests = readJsonReport(stdout)['spec.md']
    return tests?.filter(({ status }) => status === 'passed').map(({ name }) => name)
  }
  expect(await passed([`${spec}:26`])).toEqual([names[1]])
  expect(await passed([spec, '-t', 'Tick Off'])).toEqual([names[2]])
  expect(await passed(['openspec/changes'])).toEqual([names[2]])
})

test('what OpenSpec rejects is told with its line, and is not run', async () => {
  await using opened = await projectOf({ [spec]: faults })
  const { all, exitCode } = await opened.run(['run', 'openspec/specs'])
  expect(all).toMatch(/openspec\/specs\/notes\/spec\.md:16:1 {2}openspec-requirement {2}The requirement "Keep Notes"/)
  expect(exitCode, all).toBe(1)
})

test('from within the folder of the specs the same is listed and run', async () => {
  await using opened = await projectOf({ [spec]: notes })
  for (const [dir, path] of [
    ['openspec', 'specs'],
    ['openspec/specs', '.'],
    ['openspec/specs/notes', 'spec.md'],
  ] as const) {
    const { all, exitCode } = await opened.run(['run', '--dir', dir, opened.project.path(`${dir}/${path}`)])
    expect(exitCode, all).toBe(0)
    expect(all).toContain('steps: 3 passed')
  }
})
