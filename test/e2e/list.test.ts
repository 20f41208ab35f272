import { symlink } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { projectWithScriptedClaude } from '../support/scripted-claude.ts'

const shop = '# Shop\n\n## Buy\n\nBuy a mug.\n\n- [ ] it is bought\n\n```sh verify\ntouch ran\n```\n'
const config = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({ plugins: [mdtest({ agent: 'codex', maxTokens: 500 })] })
`

test('mdtest list prints the plan with the options in force, and runs nothing', async () => {
  await using project = await createProject({ 'vitest.config.js': config, 'shop.test.md': shop })
  const { exitCode, stdout, stderr } = await project.mdtest(['list'])
  expect(stdout).toMatchInlineSnapshot(`
      "shop.test.md agent codex, max-tokens 500
        Shop :1
          Buy [agent] [sh] 1 check :3"
    `)
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  await expect(project.read('ran')).rejects.toThrow('ENOENT')
})

test('mdtest list --json gives it to programs, in the order of the specs', async () => {
  await using project = await createProject({ 'b.test.md': shop, 'a.test.md': '---\nagent: nobody\n---\n\nDo it.\n' })
  const { exitCode, stdout, stderr } = await project.mdtest(['list', '--json'])
  expect(JSON.parse(stdout)).toEqual([
    {
      spec: project.path('a.test.md'),
      problems: [
        { file: project.path('a.test.md'), line: 2, column: 1, ruleId: 'unknown-agent', message: expect.any(String) },
      ],
      report: expect.stringContaining('a.test.md:2:1  unknown-agent'),
    },
    {
      spec: project.path('b.test.md'),
      title: 'Shop',
      agent: 'auto',
      tags: [],
      requires: [],
      sideEffects: false,
      limits: {},
      scenarios: [
        {
          title: 'Shop',
          line: 1,
          children: [{ kind: 'step', id: '1-buy', title: 'Buy', line: 3, by: ['agent', 'sh'], checks: 1 }],
        },
      ],
    },
  ])
  expect(stderr).toBe('')
  expect(exitCode).toBe(1)
})

test('mdtest list names included files, and has a step for each row of a table', async () => {
  await using project = await createProject({
    'a.test.md':
      '---\ninclude: [shared/login.md]\n---\n\n# Shop\n\n## Buy <what>\n\nBuy it.\n\n### Examples\n\n| what |\n| --- |\n| mug |\n| cup |\n',
    'shared/login.md': '# Log in\n\n## Setup\n\n```sh run\ntrue\n```\n\n## Enter a name\n\nEnter it.\n',
  })
  const { stdout } = await project.mdtest(['list'])
  expect(stdout).toMatchInlineSnapshot(`
    "a.test.md agent auto
      Shop :5
        Setup [sh] shared/login.md:3
        Log in shared/login.md:1
          Enter a name [agent] shared/login.md:9
        Buy <what> :7
          Buy mug [agent] :15
          Buy cup [agent] :16"
  `)
})

test('mdtest list says what is wrong with a spec beside the plan of the others', async () => {
  await using project = await createProject({ 'a.test.md': '---\nfoo: 1\n---\n\nDo it.\n', 'b.test.md': shop })
  await symlink('nowhere', project.path('c.test.md'))
  const { exitCode, stdout, stderr } = await project.mdtest(['list'])
  expect(stdout).toContain('b.test.md agent auto\n')
  expect(stderr).toContain('mdtest: a.test.md has problems:\na.test.md:2:1  front-matter-unknown-key')
  expect(stderr).toContain('mdtest: c.test.md cannot be read')
  expect(exitCode).toBe(1)
})

test('mdtest list --cost estimates from the passes that are on disk', async () => {
  const { project: opened, env } = await projectWithScriptedClaude(`logs: { dir: 'out' }`)
  await using project = opened
  const before = await project.mdtest(['list', '--cost'])
  expect(before.stdout).toContain('  estimate: none, there is no past pass\n')
  await project.mdtest(['run'], { env })
  const after = await project.mdtest(['list', '--cost', '--json'])
  expect(JSON.parse(after.stdout)).toMatchObject([
    { estimate: { scenarios: 1, unknown: 0, passes: 1, usage: { durationMs: expect.any(Number) } } },
  ])
})

describe('mdtest list without a plan', () => {
  const cases: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
    ['a spec that is not there', ['nope.test.md'], /nope\.test\.md/],
    ['a directory without specs', ['-d', 'empty'], /no spec .*empty/],
    ['a line', ['a.test.md:3'], /`mdtest list` takes specs without a line/],
    ['an unknown flag', ['--model', 'x'], /--model.*mdtest list --help/],
    ['a configuration that throws', ['-d', 'broken'], /configuration of .*broken cannot be loaded: no luck/],
    ['an option that there is not', ['-d', 'wrong'], /Unknown option `agnet`/],
  ]

  test.for(cases)('%s is a message and exit code 2', async ([, args, message]) => {
    await using project = await createProject({
      'a.test.md': shop,
      'empty/readme.md': '',
      'broken/a.test.md': shop,
      'broken/vitest.config.js': `throw new Error('no luck')\n`,
      'wrong/a.test.md': shop,
      'wrong/vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nmdtest({ agnet: 'none' })\n`,
    })
    const { exitCode, stderr, stdout } = await project.mdtest(['list', ...args])
    expect(stderr).toMatch(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })
})

test('a file that is no spec by its name is one with `--include`, of which the message tells', async () => {
  const readme = '# Read me\n\n<!-- mdtest: agent=none -->\n\n```sh\ntrue\n```\n'
  await using project = await createProject({ 'README.md': readme, 'docs/a [b].md': readme })
  for (const command of ['list', 'run']) {
    const { stderr, exitCode } = await project.mdtest([command, 'README.md'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('does not match `*.test.md`. To take it as one, pass `--include README.md`.')
    const path = 'docs/a [b].md'
    expect((await project.mdtest([command, path])).stderr).toContain(`\`--include '${path}'\``)
    expect((await project.mdtest([command, '--include', path])).exitCode).toBe(0)
  }
  const { stdout, exitCode, all } = await project.mdtest(['list', '--include', 'README.md'])
  expect(exitCode, all).toBe(0)
  expect(stdout).toContain('Read me [sh] :1')
  expect((await project.mdtest(['list', 'README.md', '--include', '*.md'])).exitCode).toBe(0)
})
