import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createProject, type Project } from '../support/create-project.ts'
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
