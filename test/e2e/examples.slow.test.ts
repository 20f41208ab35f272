import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createProject, type Project } from '../support/create-project.ts'
import { startGitHub, token } from '../support/github-server.ts'
import { usersLane } from '../support/users-lane.ts'

const [example, openspecExample] = ['ci', 'openspec'].map((name) =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)),
) as [string, string] // of two
const openspecProgram = fileURLToPath(
  new URL('../../node_modules/@fission-ai/openspec/bin/openspec.js', import.meta.url),
)

const step = z.union([
  z.strictObject({ run: z.string() }),
  z.strictObject({
    uses: z.string().regex(/^actions\/[\w-]+@v\d+$/),
    if: z.string().optional(),
    with: z.record(z.string(), z.unknown()).optional(),
  }),
])
const job = { 'runs-on': z.string(), 'timeout-minutes': z.number().optional(), steps: z.array(step) }
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.strictObject({
    shard: z.strictObject({
      ...job,
      strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.strictObject({ shard: z.array(z.number()) }) }),
    }),
    report: z.strictObject({ ...job, needs: z.literal('shard'), if: z.string() }),
  }),
})

describe('examples/ci', () => {
  // Vitest 5 has a place of its own for the report, which the example does not name.
  const missing = usersLane.unavailable ?? (usersLane.vitestMajor === 5 ? 'the example is for Vitest 4' : undefined)
  const title = (text: string): string => (missing ? `${text} (skipped: ${missing})` : text)
  test.skipIf(missing !== undefined)(title('its workflow runs, line by line, on two machines and one'), async () => {
    const { jobs } = workflow.parse(parse(await readFile(join(example, '.github/workflows/test.yml'), 'utf8')))
    const { shard: shards } = jobs.shard.strategy.matrix
    expect(shards).toEqual(Array.from({ length: shards.length }, (_, index) => index + 1))
    await using artifacts = await createProject({})
    await using machine = await createProject({}, usersLane)
    await mkdir(machine.path('node_modules/.bin'))
    await symlink(machine.path('node_modules/vitest/vitest.mjs'), machine.path('node_modules/.bin/vitest'))
    for (const shard of shards) {
      await checkOut(machine)
      const values = { 'matrix.shard': String(shard), 'strategy.job-total': String(shards.length) }
      await runJob(jobs.shard.steps, { machine, artifacts, values })
    }
    await checkOut(machine)
    await runJob(jobs.report.steps, { machine, artifacts, values: {} })
    const junit = await artifacts.read('artifacts/report/junit.xml')
    expect(junit).toMatch(/<testsuites name="vitest tests" tests="5" failures="0" errors="0"/)
    expect(junit).toContain('name="Names &gt; Takes &lt;name&gt; &gt; Takes Łukasz"')
    expect(await readdir(artifacts.path('artifacts/report'))).toContain('index.html')
    const summary = await machine.read('summary.md')
    expect(summary).toMatch(/^2 passed, 1 skipped$/m)
    expect(summary).toMatch(/^\| `specs\/first-contact\.test\.md` \| ⏭️ skipped .*agent:claude/m)
  })
})

describe('pull requests in examples/ci', () => {
  const read = async (file: string): Promise<string> => readFile(join(example, file), 'utf8')
  const linesOf = (job: { readonly steps: readonly { readonly run?: string }[] }): readonly string[] =>
    job.steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : run))

  test('a pull request and a fork get a comment, the fork a check besides, and GitLab its files', async () => {
    await using github = await startGitHub()
    await using machine = await createProject({}, usersLane)
    await mkdir(machine.path('node_modules/.bin'))
    for (const [name, file] of [
      ['vitest', 'vitest/vitest.mjs'],
      ['vitest-mdtest', 'vitest-mdtest/dist/bin.js'],
    ])
      await symlink(machine.path(`node_modules/${file}`), machine.path(`node_modules/.bin/${name}`))
    await checkOut(machine)
    const git = async (...args: readonly string[]): Promise<unknown> =>
      execa('git', ['-c', 'user.name=me', '-c', 'user.email=me@localhost', ...args], { cwd: machine.dir })
    await git('init', '--quiet', '-b', 'main')
    await writeFile(machine.path('.gitignore'), 'node_modules\n.vitest\nmdtest-report\n')
    await git('add', '-A')
    await git('commit', '--quiet', '-m', 'all')
    await git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    const run = async (line: string, event: object, more: Readonly<Record<string, string>> = {}) => {
      await writeFile(machine.path('../event.json'), JSON.stringify(event))
      const env = {
        ...{
          PATH: process.env.PATH,
          HOME: machine.path('../home'),
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_TOKEN: token,
        },
        ...{ GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: 'merge', GITHUB_API_URL: github.url, GITHUB_WORKSPACE: machine.dir },
        ...{
          GITHUB_EVENT_PATH: machine.path('../event.json'),
          GITHUB_RUN_ID: '5',
          GITHUB_WORKFLOW: 'pull request',
          ...more,
        },
      }
      return execa('bash', ['-e', '-c', line], { cwd: machine.dir, env, extendEnv: false, reject: false, all: true })
    }
    const own = parse(await read('.github/workflows/pull-request.yml'))
    expect(own.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
    const [line = ''] = linesOf(own.jobs.specs)
    const event = { pull_request: { number: 7, head: { sha: 'abc', repo: { full_name: 'o/r' } } } }
    await writeFile(machine.path('greet.mjs'), 'console.log("Hello, @octocat!")\n')
    const ran = await run(line.replace('${{ github.base_ref }}', 'main'), event)
    expect([ran.exitCode, github.comments.length], ran.all).toEqual([1, 1])
    expect(github.comments[0]?.body).toContain('Hello, @octocat!')
    const fork = parse(await read('.github/workflows/tell-fork.yml'))
    expect(fork.jobs.tell.steps.map(({ uses }: { uses?: string }) => uses)).toEqual([
      'actions/download-artifact@v4',
      undefined,
    ])
    github.pulls = [{ number: 8, head: { sha: 'def' } }]
    const before = { id: 6, run_attempt: 1, head_sha: 'def', head_repository: { full_name: 'fork/r' } }
    const told = await run(linesOf(fork.jobs.tell)[0] ?? '', { workflow_run: before })
    expect([told.exitCode, github.checks], told.all).toMatchObject([0, [{ head_sha: 'def', conclusion: 'failure' }]])
    const gitlab = parse(await read('.gitlab-ci.yml')).specs
    const tested = await run(gitlab.script[1], {}, { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD', GITHUB_REPOSITORY: '' })
    expect(tested.exitCode, tested.all).toBe(1)
    await run(gitlab.after_script[0], {})
    expect(await machine.read('junit.xml')).toContain('<failure')
    const [first] = JSON.parse(await machine.read(gitlab.artifacts.reports.codequality))
    expect(first.location.path).toMatch(/^specs\//)
  })
})

/** A fresh machine with the packages of the project. All have the same path for it, as on GitHub. */
async function checkOut(machine: Project): Promise<void> {
  for (const name of await readdir(machine.dir)) {
    if (name !== 'node_modules') await rm(machine.path(name), { recursive: true })
  }
  await cp(example, machine.dir, { recursive: true, filter: (path) => !path.includes('node_modules') })
}

interface Surroundings {
  readonly machine: Project
  readonly artifacts: Project
  /** What stands for the expressions, by name. */
  readonly values: Readonly<Record<string, string>>
}

/** Does what GitHub does with these steps, as far as they are used here. */
async function runJob(steps: readonly z.infer<typeof step>[], surroundings: Surroundings): Promise<void> {
  const { machine } = surroundings
  for (const each of steps) {
    if ('run' in each) {
      // The packages are there: a package that is tested is not yet in a registry.
      if (each.run === 'npm ci') continue
      const { exitCode, all } = await execa('bash', ['-e', '-c', fill(each.run, surroundings)], {
        cwd: machine.dir,
        env: {
          PATH: process.env.PATH,
          HOME: machine.path('home'),
          CI: 'true',
          GITHUB_STEP_SUMMARY: machine.path('summary.md'),
        },
        extendEnv: false,
        reject: false,
        all: true,
      })
      expect(exitCode, all).toBe(0)
    } else await useAction(each, surroundings)
  }
}

async function useAction(
  { uses, with: inputs = {} }: Extract<z.infer<typeof step>, { uses: string }>,
  surroundings: Surroundings,
): Promise<void> {
  const { machine, artifacts } = surroundings
  const [action] = uses.split('@')
  const path = fill(String(inputs.path ?? ''), surroundings)
  if (action === 'actions/upload-artifact') {
    const folder = artifacts.path(`artifacts/${fill(String(inputs.name), surroundings)}`)
    await mkdir(folder, { recursive: true })
    // Nothing of these specs leaves a log folder.
    if (inputs['if-no-files-found'] !== 'ignore') await cp(machine.path(path), folder, { recursive: true })
  } else if (action === 'actions/download-artifact') {
    const wanted = String(inputs.pattern).replace(/\*$/, '')
    const names = (await readdir(artifacts.path('artifacts'))).filter((name) => name.startsWith(wanted))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) await cp(artifacts.path(`artifacts/${name}`), machine.path(path), { recursive: true })
  } else expect(['actions/checkout', 'actions/setup-node']).toContain(action)
}

/** An expression that nothing stands for is a mistake. */
function fill(text: string, { values }: Pick<Surroundings, 'values'>): string {
  return text.replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => {
    expect(Object.keys(values)).toContain(name)
    return values[name] ?? ''
  })
}

/** Runs OpenSpec's own command, which tells nobody of it. */
async function openspec({ dir, path }: Project, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: path('home'), OPENSPEC_TELEMETRY: '0', DO_NOT_TRACK: '1', NO_COLOR: '1' }
  const { stdout } = await execa(process.execPath, [openspecProgram, ...args], { cwd: dir, env, extendEnv: false })
  return stdout
}

async function listScenarios({ mdtest }: Project, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await mdtest(['list', '--json', ...args])
  expect(stderr).toBe('')
  const specs = JSON.parse(stdout) as readonly Listed[] // of the list
  return specs.flatMap(({ scenarios }) =>
    scenarios.map(({ title, change }) => `${title}${change ? `, ${change}` : ''}`),
  )
}

interface Listed {
  readonly scenarios: readonly { readonly title: string; readonly change?: string }[]
}

test('OpenSpec takes the specs and the change of examples/openspec, and what is archived is expected to pass', async () => {
  await using project = await createProject({})
  await cp(openspecExample, project.dir, { recursive: true, filter: (path) => !path.endsWith('.logs') })
  const { items } = JSON.parse(await openspec(project, 'validate', '--all', '--strict', '--json')) as {
    readonly items: readonly { readonly id: string; readonly valid: boolean }[]
  } // of OpenSpec
  const valid = items.map((item) => `${item.id} ${item.valid}`)
  expect(valid.toSorted()).toEqual(['add-discounts true', 'cart true', 'prices true'])

  const changes = (await listScenarios(project, '--change', 'add-discounts')).map((line) => line.split(', ')[1])
  expect(changes).toEqual(Array.from({ length: 5 }, () => 'add-discounts'))
  await openspec(project, 'archive', 'add-discounts', '--yes')
  expect((await readdir(project.path('openspec/changes'))).toSorted()).toEqual(['archive'])
  const scenarios = await listScenarios(project, 'openspec')
  expect(scenarios).toHaveLength(12)
  expect(scenarios).toEqual(expect.arrayContaining(['New discount', 'Total with a discount']))
  expect(scenarios.filter((line) => line.includes('add-discounts'))).toEqual([])
})
