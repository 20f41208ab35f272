import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { validate } from 'ctrf'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { bot, startGitHub, token, type GitHubServer } from '../support/github-server.ts'

const files = {
  'vitest.config.mjs': plainConfig,
  'web/shop.test.md':
    '---\nagent: none\n---\n\n# Shop\n\n## Pay\n\n```sh verify\necho 12.00\n```\n\n## Send\n\n```console verify\n$ echo @octocat ::add-mask::x\nsent\n```\n',
  'sum.test.mjs': "import { test } from 'vitest'\ntest('sum', () => {})\n",
}

/** What GitHub Actions gives a job of a pull request. */
async function jobOf(project: Project, github: GitHubServer): Promise<Readonly<Record<string, string>>> {
  const event = { pull_request: { number: 7, head: { sha: 'abcdef0123', repo: { full_name: 'fork/r' } } } }
  await project.write('event.json', JSON.stringify(event))
  await project.write('summary.md', '')
  return {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: 'merge', GITHUB_WORKSPACE: project.dir },
    ...{ GITHUB_API_URL: github.url, GITHUB_SERVER_URL: 'https://github.com', GITHUB_TOKEN: token },
    ...{ GITHUB_RUN_ID: '5', GITHUB_RUN_ATTEMPT: '1', GITHUB_WORKFLOW: 'ci', GITHUB_JOB: 'specs', RUNNER_NAME: 'r1' },
    ...{ GITHUB_EVENT_PATH: project.path('event.json'), GITHUB_STEP_SUMMARY: project.path('summary.md') },
  }
}

describe.concurrent('a pull request', () => {
  test('the reporter writes the report and the comment; the command writes the same comment again', async () => {
    await using github = await startGitHub()
    await using project = await createProject(files)
    github.files = [{ filename: 'web/shop.test.md', patch: '@@ -10,3 +10,4 @@\n ```\n \n+## Send\n ' }]
    const env = await jobOf(project, github)
    const run = await project.vitest(['run', '--reporter=default', '--reporter=vitest-mdtest/github'], { env })
    expect(run.exitCode).toBe(1)
    expect(run.all).toContain('github: the results are in pull request 7')
    expect(github.comments).toMatchObject([{ user: { login: bot } }])
    const [comment] = github.comments
    expect(comment?.body.split('\n').slice(0, 4)).toEqual([
      ...['<!-- vitest-mdtest:comment -->', '### Specs', ''],
      expect.stringMatching(/^❌ 1 failed, 1 passed \(1 verified\) · \d+\.\d s$/),
    ])
    expect(comment?.body).toContain(
      '❌ [`web/shop.test.md:13`](https://github.com/fork/r/blob/abcdef0123/web/shop.test.md?plain=1#L13) `Shop › Send`',
    )
    expect(comment?.body).toContain('@octocat')
    expect(run.stdout).not.toMatch(/^\s*::add-mask/m)
    const told = await project.mdtest(['report', '--github'], { env })
    expect([told.exitCode, told.stdout, github.comments]).toEqual([
      0,
      expect.stringContaining('pull request 7'),
      [comment],
    ])
    github.fault = () => ({ status: 403, message: 'Resource not accessible by integration' })
    const fork = await project.mdtest(['report', '--github'], { env })
    expect([fork.exitCode, fork.stdout]).toEqual([0, expect.stringContaining('from a fork')])
    expect(await project.read('summary.md')).toContain('`Shop › Send`')
    const passed = await project.vitest(['run', '-t', 'Pay', '--reporter=default', '--reporter=vitest-mdtest/github'], {
      env,
    })
    expect([passed.exitCode, passed.all]).toEqual([0, expect.stringContaining('github: no comment')])
  })

  test('`--dry-run` prints what would be sent and asks nobody; what is wrong is said', async () => {
    await using github = await startGitHub()
    await using project = await createProject(files)
    const none = await project.mdtest(['report', '--github', '--dry-run'])
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('There is no report in')])
    await project.vitest(['run', '--reporter=vitest-mdtest/reporter'])
    const dry = await project.mdtest(['report', '--github', '--dry-run'], { env: await jobOf(project, github) })
    expect([dry.exitCode, github.requests]).toEqual([0, []])
    expect(dry.stdout).toContain('### Specs')
    for (const [args, why] of [
      [['report'], '`mdtest report` only posts'],
      [['report', '--github'], 'no GitHub Actions job'],
    ] as const) {
      const { exitCode, stderr } = await project.mdtest(args)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(why)])
    }
  })

  test("the action's script runs as GitHub runs it, with names of a matrix", async () => {
    await using github = await startGitHub()
    await using project = await createProject(files)
    await project.vitest(['run', '--reporter=vitest-mdtest/reporter'])
    await mkdir(project.path('node_modules/.bin'))
    await symlink('../vitest-mdtest/dist/bin.js', project.path('node_modules/.bin/mdtest'))
    const action = parse(await readFile(fileURLToPath(new URL('../../action.yml', import.meta.url)), 'utf8'))
    const matrix = { node: 24, os: 'ubuntu; $(touch evil)' }
    const contexts: Readonly<Record<string, string>> = {
      'github.token': token,
      'toJSON(matrix)': JSON.stringify(matrix, undefined, 2),
    }
    const valueOf = (text: string, inputs: Readonly<Record<string, string>>): string =>
      text.replaceAll(
        /\$\{\{ (.*?) \}\}/g,
        (_all, name: string) => contexts[name] ?? inputs[name.replace('inputs.', '')] ?? '',
      )
    const named: [string, { default: string }][] = Object.entries(action.inputs)
    const inputs = Object.fromEntries(named.map(([name, { default: value }]) => [name, valueOf(value, {})]))
    for (const step of action.runs.steps) {
      const own = Object.entries<string>(step.env).map(([name, value]) => [name, valueOf(value, inputs)])
      const env = { ...process.env, ...(await jobOf(project, github)), ...Object.fromEntries(own) }
      const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run]
      await promisify(execFile)(step.shell, bash, { cwd: project.dir, env })
    }
    expect(github.comments[0]?.body).toContain('<code>ci / specs (24, ubuntu; $(touch evil))</code>')
    await expect(project.read('evil')).rejects.toThrow('ENOENT')
  })

  test('CTRF holds all tests by its schema, also those that are no specs', async () => {
    await using project = await createProject(files)
    await project.vitest(['run', '--reporter=vitest-mdtest/ctrf'])
    const report = JSON.parse(await project.read('ctrf/ctrf-report.json'))
    expect(validate(report)).toMatchObject({ valid: true })
    expect(report.results.summary).toMatchObject({ tests: 3, passed: 2, failed: 1, skipped: 0 })
    expect(
      report.results.tests.map(({ name, status, filePath }: Record<string, string>) => [name, status, filePath]),
    ).toEqual(
      expect.arrayContaining([
        ['Pay', 'passed', 'web/shop.test.md'],
        ['Send', 'failed', 'web/shop.test.md'],
        ['sum', 'passed', 'sum.test.mjs'],
      ]),
    )
  })
})
