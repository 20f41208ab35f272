import { symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

const shop = '# Shop\n\n## Buy\n\nBuy a mug.\n\n- [ ] it is bought\n\n```sh verify\ntouch ran\n```\n'
const table =
  '---\nafter-failure: stop\n---\n\n# Shop\n\n## Buy <what>\n\nBuy it.\n\n### Examples\n\n| what |\n| --- |\n| mug |\n'
const includes =
  '---\ninclude: [shared/login.md]\n---\n\n# Shop\n\n## Buy <what>\n\nBuy it.\n\n### Examples\n\n| what |\n| --- |\n| mug |\n| cup |\n'
const files = {
  'vitest.config.js': `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({ plugins: [mdtest({ agent: 'codex', maxTokens: 500 })] })
`,
  'a.test.md': '---\nagent: nobody\n---\n\nDo it.\n',
  'b.test.md': shop,
  'includes.test.md': includes,
  'shared/login.md': '# Log in\n\n## Setup\n\n```sh run\ntrue\n```\n\n## Enter a name\n\nEnter it.\n',
}

test('mdtest list prints the plan with the options in force and what is wrong beside it, and runs nothing', async () => {
  await using project = await createProject(files)
  await symlink('nowhere', project.path('c.test.md'))
  const { exitCode, stdout, stderr } = await project.mdtest(['list'])
  expect(stdout).toMatchInlineSnapshot(`
    "b.test.md agent codex, max-tokens 500
      Shop :1
        Buy [agent] [sh] 1 check :3

    includes.test.md agent codex, max-tokens 500
      Shop :5
        Setup [sh] shared/login.md:3
        Log in shared/login.md:1
          Enter a name [agent] shared/login.md:9
        Buy <what> :7
          Buy mug [agent] :15
          Buy cup [agent] :16"
  `)
  expect(stderr).toContain('mdtest: a.test.md has problems:\na.test.md:2:1  unknown-agent')
  expect(stderr).toContain('mdtest: c.test.md cannot be read')
  expect(exitCode).toBe(1)
  await expect(project.read('ran')).rejects.toThrow('ENOENT')
})

test('mdtest list --json gives it to programs, in the order of the specs', async () => {
  await using project = await createProject({ 'a.test.md': files['a.test.md'], 'b.test.md': shop, 'c.test.md': table })
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
      afterFailure: 'stop',
      executor: 'auto',
      sandbox: 'auto',
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
    expect.objectContaining({ spec: project.path('c.test.md'), afterFailure: 'stop' }),
  ])
  expect(stderr).toBe('')
  expect(exitCode).toBe(1)
})

test('without a plan mdtest list is a message and exit code 2', async () => {
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['nope.test.md'], /nope\.test\.md/],
    [['a.test.md:3'], /`mdtest list` takes specs without a line/],
    [['--model', 'x'], /--model.*mdtest list --help/],
    [['-d', 'broken'], /configuration of .*broken cannot be loaded: no luck/],
  ]
  await using project = await createProject({
    'a.test.md': shop,
    'broken/a.test.md': shop,
    'broken/vitest.config.js': `throw new Error('no luck')\n`,
  })
  for (const [args, message] of cases) {
    const { exitCode, stderr, stdout } = await project.mdtest(['list', ...args])
    expect(stderr, args.join(' ')).toMatch(message)
    expect([stdout, exitCode]).toEqual(['', 2])
  }
})

test('a file that is no spec by its name is one with `--include`, of which the message tells', async () => {
  const readme = '# Read me\n\n<!-- mdtest: agent=none -->\n\n```sh\ntrue\n```\n'
  await using project = await createProject({ 'README.md': readme, 'docs/a [b].md': readme })
  const left = await project.mdtest(['run', 'README.md'])
  expect(left.stderr).toContain('does not match `*.test.md`. To take it as one, pass `--include README.md`.')
  expect(left.exitCode).toBe(2)
  const path = 'docs/a [b].md'
  expect((await project.mdtest(['list', path])).stderr).toContain(`\`--include '${path}'\``)
  expect((await project.mdtest(['run', '--include', path])).exitCode).toBe(0)
  const { stdout, exitCode } = await project.mdtest(['list', 'README.md', '--include', '*.md'])
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Read me [sh] :1')])
})
