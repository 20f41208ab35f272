import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { chromium, usersLane } from '../support/users-lane.ts'
import { projectsConfig, rootConfig, usersFiles } from '../support/users-project.ts'
import type { Lane } from '../support/lane.ts'

interface Outcome {
  /** What the user's own tests report, by file. */
  readonly own: readonly unknown[]
  readonly junit: string
  /** What specs report. */
  readonly specs: readonly string[]
  readonly coverage: string
  /** What files tell that the user's own code appends to. */
  readonly logs: Readonly<Record<string, string>>
  readonly output: string
}

interface FileReport {
  readonly name: string
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
}

/** The same project with and without specs, at once. */
async function compare(config: Readonly<Record<string, string>>, lane: Lane): Promise<readonly [Outcome, Outcome]> {
  await using without = await createProject({ ...usersFiles, ...config }, lane)
  await using withSpecs = await createProject({ ...usersFiles, ...config }, lane)
  return await Promise.all([outcomeOf(without, {}), outcomeOf(withSpecs, { WITH_SPECS: '1' })])
}

async function outcomeOf(project: Project, env: Readonly<Record<string, string>>): Promise<Outcome> {
  const { stdout, all } = await project.vitest(
    ['run', '--reporter=json', '--reporter=junit', '--outputFile.junit=junit.xml'],
    { env },
  )
  expect(stdout, all).not.toBe('')
  const { testResults }: { testResults: readonly FileReport[] } = JSON.parse(mask(stdout, project))
  const sorted = testResults.toSorted((one, other) => one.name.localeCompare(other.name))
  const isSpec = ({ name }: FileReport): boolean => name.endsWith('.md')
  const junit = mask(await project.read('junit.xml'), project).match(/ {4}<testsuite [\s\S]*?<\/testsuite>/g) ?? []
  const logs = ['global-setup.log', 'setup-of-plugin.log', 'reporter.log']
  return {
    own: sorted.filter((file) => !isSpec(file)),
    junit: junit
      .filter((suite) => !suite.includes('.test.md'))
      .toSorted()
      .join('\n'),
    specs: sorted
      .filter(isSpec)
      .flatMap(({ assertionResults }) => assertionResults.map(({ fullName, status }) => `${fullName}: ${status}`)),
    coverage: mask(await project.read('coverage/table.txt'), project),
    logs: Object.fromEntries(
      await Promise.all(logs.map(async (log) => [log, await project.read(log).catch(() => '')])),
    ),
    output: all,
  }
}

/** Times, the folder, ports and what Vite counts up are all that may differ. */
function mask(text: string, { dir }: Project): string {
  return (
    text
      .replaceAll(dir, '<root>')
      // Also in a URL and in XML, where the rest of the path is written otherwise.
      .replaceAll(/mdtest-project-\w+/g, '<name>')
      .replaceAll(/\b(time|timestamp|hostname)="[^"]*"/g, '$1=""')
      .replaceAll(/"(startTime|endTime|duration)":[\d.]+/g, '"$1":0')
      .replaceAll(/(localhost:|[?&]\w*v=|\.vite\/vitest\/)\w+/g, '$1')
  )
}

const passedSpecs = ['Hello Says hello: passed', "Hello Reads markdown as the user's plugin makes it: passed"]

/** Its own tests are as they were, and the specs ran. */
function expectUnchanged(without: Outcome, withSpecs: Outcome): void {
  expect(withSpecs.own).toEqual(without.own)
  expect(withSpecs.junit).toBe(without.junit)
  expect(withSpecs.coverage).toBe(without.coverage)
  expect(withSpecs.logs).toEqual(without.logs)
  expect(withSpecs.specs, withSpecs.output).toEqual(passedSpecs)
}

describe('the tests of the user', () => {
  const lane = usersLane
  const title = (text: string, missing = lane.unavailable): string => (missing ? `${text} (skipped: ${missing})` : text)

  test.skipIf(lane.unavailable !== undefined)(
    title('types, vmThreads, a runner, in-source tests, v8 coverage and other plugins of the user stay as they are'),
    async () => {
      const [without, withSpecs] = await compare({ 'vitest.config.ts': rootConfig }, lane)
      expectUnchanged(without, withSpecs)
      expect(without.specs).toEqual([])
      // That the user's own tests ran, each kind of them.
      const own = JSON.stringify(without.own)
      for (const name of ['adds in its own file', 'chosen', 'sum is a text', 'breaks', 'custom runner', 'injects']) {
        expect(own).toContain(name)
      }
      expect(own).not.toContain('is not defined')
      expect(without.coverage).toMatch(/sum\.ts +\| +50 /)
    },
  )

  const missing = lane.unavailable ?? (chromium === undefined ? '`chromium` is not installed' : undefined)

  test.skipIf(missing !== undefined)(
    title('projects, one of them in a browser, and their coverage stay as they are', missing),
    async () => {
      const [without, withSpecs] = await compare({ 'vitest.config.mts': projectsConfig }, lane)
      expectUnchanged(without, withSpecs)
      expect(JSON.stringify(without.own)).toContain('"fullName":"has a document","status":"passed"')
    },
  )

  test.skipIf(lane.unavailable !== undefined)(title('`--typecheck.only` leaves specs out'), async () => {
    await using project = await createProject({ ...usersFiles, 'vitest.config.ts': rootConfig }, lane)
    const { stdout } = await project.vitest(
      ['run', '--typecheck.only', '--coverage.enabled=false', '--reporter=json'],
      {
        env: { WITH_SPECS: '1' },
      },
    )
    const { testResults }: { testResults: readonly FileReport[] } = JSON.parse(mask(stdout, project))
    const names = testResults.map(({ name }) => name)
    expect(names).toContain('<root>/test/types.test-d.ts')
    expect(names.filter((name) => name.endsWith('.md'))).toEqual([])
  })

  test.skipIf(lane.unavailable !== undefined)(
    title('in a project that runs in a browser the plugin says where to put it'),
    async () => {
      const config = projectsConfig
        .replace('plugins: [markdown, specs]', 'plugins: [markdown]')
        .replace(
          "{ extends: true, test: { name: 'browser'",
          "{ extends: true, plugins: [specs], test: { name: 'browser'",
        )
      await using project = await createProject({ ...usersFiles, 'vitest.config.ts': config }, lane)
      const { exitCode, all } = await project.vitest(['list'], { env: { WITH_SPECS: '1' } })
      expect(exitCode).toBe(1)
      expect(all).toContain(
        'runs its tests in a browser, and specs cannot run there. Put `mdtest()` into the `plugins` of the root',
      )
    },
  )
})
