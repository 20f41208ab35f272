import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { passingSpec } from '../support/specs.ts'
import { usersLane } from '../support/users-lane.ts'
import { normalizeReport } from '../support/normalize-report.ts'
import { createReporterProject, type ReporterProject } from '../support/reporter-project.ts'
import { readTasks, type ReportedTask } from '../support/task-report.ts'

// Every reporter of Vitest on one project with every kind of result, held against golden files of Vitest 4. Rewrite them
// with MDTEST_UPDATE_FIXTURES=1, and read them as a user would. What the reporter `html` has is seen in ui.slow.test.ts.

const isUpdate = process.env.MDTEST_UPDATE_FIXTURES === '1'
const goldenFolder = fileURLToPath(new URL('../../fixtures/reporters/vitest-4', import.meta.url))

/** Reports by name, normalized. */
type Reports = Readonly<Record<string, string>>

const fileReporters = ['json', 'junit', 'html'] as const
const files = { json: 'report.json', junit: 'report.xml', html: 'html/index.html' } as const
const fileFlags = fileReporters.flatMap((name) => [`--reporter=${name}`, `--outputFile.${name}=${files[name]}`])

describe('reports', () => {
  const title = (text: string): string => (usersLane.unavailable ? `${text} (skipped: ${usersLane.unavailable})` : text)
  const run = test.skipIf(usersLane.unavailable !== undefined)

  run(
    title('every reporter says what the golden files say, and a merged run of shards the same as a whole one'),
    async () => {
      await using project = await createReporterProject()
      const whole = await runWhole(project)
      await project.reset()
      const github = await runOnGitHub(project)
      const blobs = [await runShard(project, 1), await runShard(project, 2)]
      await project.reset()
      for (const [index, blob] of blobs.entries()) await project.write(`blobs/${index + 1}.json`, blob)
      const merged = await merge(project)
      expect(merged.json).toBe(whole.json)
      expect(merged.junit).toBe(whole.junit)
      expect(merged.html).toBe(whole.html)
      expect(merged.summary).toBe(whole.summary)
      expect(lastLines(merged.tree ?? '')).toEqual(lastLines(whole.default ?? ''))
      const { json = '', junit = '', summary = '', default: shown = '' } = whole
      const { tree = '', dot = '', tap = '' } = merged
      // What Vitest puts around it is that of version 4.
      if (usersLane.vitestMajor === 4) {
        await expectGolden({ json, junit, summary, default: shown, ...github, tree, dot, tap })
      }
    },
  )
})

/** In one process, with a job's summary beside them. */
async function runWhole(project: ReporterProject): Promise<Reports> {
  const env = { ...project.env, GITHUB_STEP_SUMMARY: project.path('summary.md') }
  const { exitCode, stdout } = await project.vitest(['run', '--reporter=default', ...fileFlags], { env })
  expect(exitCode).toBe(1)
  return { default: normalizeReport(stdout, project.dir), ...(await readFiles(project)) }
}

/** As a job of GitHub Actions does, where Vitest writes a summary of its own. */
async function runOnGitHub(project: ReporterProject): Promise<Reports> {
  const env = {
    ...project.env,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: project.path('summary.md'),
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'owner/shop',
    GITHUB_SHA: '0123abc',
    GITHUB_WORKSPACE: dirname(project.dir),
  }
  const args = ['run', '--reporter=verbose', '--reporter=github-actions']
  const { stdout } = await project.vitest(args, { env })
  const isCommand = (line: string): boolean => line.startsWith('::')
  const lines = normalizeReport(stdout, project.dir).split('\n')
  const summary = normalizeReport(await project.read('summary.md'), project.dir)
  return {
    verbose: lines.filter((line) => !isCommand(line)).join('\n'),
    'github-actions': lines.filter(isCommand).join('\n'),
    'github-summary': summary.replaceAll(/(?<=blob\/0123abc\/).+?(?=\/\w+\.test\.md)/g, '<folder>'),
  }
}

/** As the reporter `html` does by itself, for the user's own tests. */
const located = ['--includeTaskLocation']

/** On a machine of its own: the same path, and nothing of another run in it. The blob is all that it leaves. */
async function runShard(project: ReporterProject, shard: number): Promise<string> {
  await project.reset()
  const env = { ...project.env, GITHUB_STEP_SUMMARY: project.path('summary.md') }
  await project.vitest(['run', `--shard=${shard}/2`, '--reporter=blob', '--outputFile.blob=blob.json', ...located], {
    env,
  })
  // That of the merged run has all.
  await expect(project.read('summary.md')).rejects.toThrow('ENOENT')
  return project.read('blob.json')
}

async function merge(project: ReporterProject): Promise<Reports> {
  const mergeTo = async (
    name: string,
    flags: readonly string[] = [],
    more = {},
  ): Promise<readonly [string, string]> => {
    const args = ['--merge-reports=blobs', `--reporter=${name}`, ...flags]
    const { exitCode, stdout } = await project.vitest(args, { env: { ...project.env, ...more } })
    expect(exitCode).toBe(1)
    return [name, normalizeReport(stdout, project.dir)]
  }
  const texts = await Promise.all([
    mergeTo('tree', fileFlags, { GITHUB_STEP_SUMMARY: project.path('summary.md') }),
    mergeTo('dot'),
    mergeTo('tap'),
  ])
  return { ...Object.fromEntries(texts), ...(await readFiles(project)) }
}

async function readFiles(project: ReporterProject): Promise<Reports> {
  const { testResults, ...rest } = z
    .looseObject({ testResults: z.array(z.looseObject({ name: z.string() })) })
    .parse(JSON.parse(await project.read(files.json)))
  const json = { ...rest, testResults: testResults.toSorted(byName) }
  const html = formatTasks(readHtml(project, await readFile(htmlData(project))))
  const texts = {
    json: JSON.stringify(json, undefined, 2),
    junit: sortSuites(await project.read(files.junit)),
    html,
    summary: await project.read('summary.md'),
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, normalizeReport(text, project.dir)]))
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}

/** They come in the order in which files began; a merged run has another one. */
function sortSuites(junit: string): string {
  const suites = junit.match(/ {4}<testsuite [\s\S]*?<\/testsuite>\n/g) ?? []
  const start = junit.indexOf(suites[0] ?? '')
  return `${junit.slice(0, start)}${suites.toSorted().join('')}</testsuites>`
}

/** Vitest 5 has a place of its own for it. */
function htmlData(project: ReporterProject): string {
  const places = ['html/html.meta.json.gz', '.vitest/ui/html.meta.json.gz'].map((name) => project.path(name))
  return places.find((path) => existsSync(path)) ?? ''
}

function readHtml(project: ReporterProject, data: Buffer): readonly ReportedTask[] {
  const { files: tasks } = z.object({ files: z.unknown() }).parse(parseFlatted(gunzipSync(data).toString(), project))
  return readTasks(tasks)
}

function parseFlatted(text: string, project: ReporterProject): unknown {
  const { parse } = createRequire(project.path('package.json'))('flatted')
  return parse(text)
}

function formatTasks(tasks: readonly ReportedTask[]): string {
  return JSON.stringify(tasks, undefined, 2)
}

/** Those of mdtest, but for starts: of those only the process that made them knows. */
function lastLines(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => /^(?:skipped|agents:|steps:) ?/.test(line))
  expect(lines).toHaveLength(3)
  return lines.map((line) => line.replace(/, \d+ starts/, ''))
}

async function expectGolden(reports: Reports): Promise<void> {
  const seen: Record<string, string> = {}
  const golden: Record<string, string> = {}
  for (const [name, text] of Object.entries(reports)) {
    const file = `${goldenFolder}/${name}.txt`
    seen[name] = `${text.trimEnd()}\n`
    if (isUpdate) await writeFile(file, seen[name])
    golden[name] = await readFile(file, 'utf8')
  }
  expect(seen).toEqual(golden)
}

test('results of a project at another path are merged, or said to be lost', async () => {
  const files = { 'vitest.config.js': plainConfig, 'a.test.md': passingSpec }
  await using one = await createProject(files)
  await using other = await createProject(files)
  await one.vitest(['run', '--reporter=blob', '--outputFile.blob=blob.json'])
  await other.write('blobs/1.json', await one.read('blob.json'))
  const env = { GITHUB_STEP_SUMMARY: other.path('summary.md') }
  const { all } = await other.vitest(['--merge-reports=blobs', '--reporter=default'], { env })
  expect(all).toContain('✓ |mdtest| a.test.md (2 tests)')
  if (lane.vitestMajor === 4) return expect(all).toContain('Use the same path for the project on every machine.')
  expect(all).not.toContain('mdtest: Some')
  expect(await other.read('summary.md')).toContain('| `a.test.md` | ✅ passed | 2 verified |')
})
