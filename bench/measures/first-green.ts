import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { npm, runCommand, type Argv } from '../../scripts/lib/run-command.ts'
import type { Measure, MeasureOptions } from '../lib/measure.ts'
import { at } from '../lib/at.ts'
import { packInto } from '../lib/pack.ts'
import { compareTurns, median } from '../lib/rounds.ts'
import type { Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

/** Texts by path */
type Files = Readonly<Record<string, string>>

interface Step {
  readonly argv: Argv
  /** Whether the command installs packages, and so may fail because the registry is unreachable */
  readonly isInstall: boolean
}

interface Scene {
  readonly name: string
  readonly files: Files
  readonly ours: { readonly steps: (tarball: string) => readonly Step[]; readonly tests: number }
  readonly plain: Typed
}

/** Commands that a user types in a folder with these files. */
interface Typed {
  readonly files: Files
  readonly steps: readonly Step[]
  readonly tests: number
}

/** Milliseconds of each command, or the output of a failed installation. */
type Took = { readonly stepsMs: readonly number[] } | { readonly failed: string }

const maxSeconds = 12

const vitestTest = "import { expect, test } from 'vitest'\ntest('adds', () => expect(1 + 1).toBe(2))\n"
const jestTest = "test('adds', () => expect(1 + 1).toBe(2))\n"
const spec = '---\nagent: none\n---\n\n# Sums\n\n```console\n$ echo $((1 + 1))\n2\n```\n'
const monorepo = {
  'package.json': '{ "private": true, "type": "module", "workspaces": ["packages/*"] }\n',
  'vitest.config.ts':
    "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: ['packages/*'] } })\n",
  'packages/core/package.json': '{ "name": "core", "private": true, "type": "module" }\n',
  'packages/core/sum.test.ts': vitestTest,
}

const init = run('npx', 'vitest-mdtest', 'init')

/**
 * What a user types to get a first green spec in an empty folder, and (`plain`) a first green test without mdtest.
 * `files` exist before; `tests` is the number of tests that must pass.
 */
const scenes: readonly Scene[] = [
  vitestScene('Vitest 4', 'vitest@4', {}),
  vitestScene('Vitest 5', 'vitest@5', {}),
  vitestScene('monorepo with `projects`', 'vitest@4', monorepo),
  {
    name: 'Python',
    files: { 'shop.py': 'cart = []\n', 'sums.test.md': spec },
    ours: {
      steps: (tarball) => [run('npx', '--yes', '--package', 'vitest@4', '--package', tarball, 'vitest-mdtest', 'run')],
      tests: 1,
    },
    plain: {
      files: { 'sum.test.ts': vitestTest },
      steps: [install('vitest@4'), run('npx', 'vitest', 'run')],
      tests: 1,
    },
  },
  {
    name: 'Jest',
    files: {
      'package.json': '{ "type": "module" }\n',
      'jest.config.js': 'export default {}\n',
      'sum.test.js': jestTest,
    },
    ours: { steps: (tarball) => [install(tarball, 'jest@30'), init, run('npx', 'jest')], tests: 2 },
    plain: { files: {}, steps: [install('jest@30'), run('npx', 'jest')], tests: 1 },
  },
]

interface SceneOptions extends MeasureOptions {
  readonly rounds: number
}

/** Compares the time from an empty folder to a first green spec with that to a first test without mdtest. */
export const firstGreen: Measure = async ({ rounds = 3, log }) => {
  const above = manifestAbove(await realpath(tmpdir()))
  // npm would install into the folder above instead of the empty folder.
  if (above !== undefined) return [{ name: 'first green', verdict: 'skipped', note: `remove ${above}, or set TMPDIR` }]
  const rows: Row[] = []
  for (const scene of scenes) {
    const row = await measure(scene, { rounds, log })
    log(`${row.name}: ${row.ours ?? row.verdict} (${row.note})`)
    rows.push(row)
  }
  return rows
}

/** Finds a file that makes npm treat the folder, or a parent, as a project. */
function manifestAbove(folder: string): string | undefined {
  const found = ['package.json', 'node_modules'].map((name) => join(folder, name)).find((path) => existsSync(path))
  return found ?? (dirname(folder) === folder ? undefined : manifestAbove(dirname(folder)))
}

async function measure({ name, files, ours, plain }: Scene, { rounds, log }: SceneOptions): Promise<Row> {
  const title = `first green: ${name}`
  const times: Record<'ours' | 'plain', (readonly number[])[]> = { ours: [], plain: [] }
  for (let round = -1; round < rounds; round += 1) {
    const took: Record<keyof typeof times, Took> = {
      ours: await withTarball((tarball) => timeSteps({ ...ours, steps: ours.steps(tarball), files })),
      plain: await timeSteps({ ...plain, files: { ...files, ...plain.files } }),
    }
    for (const side of ['ours', 'plain'] as const) {
      const sideTook = took[side]
      if ('failed' in sideTook) {
        log(sideTook.failed)
        return { name: title, verdict: 'skipped', note: '`npm install` failed; is the registry in reach?' }
      }
      // The first pair only fills npm's cache.
      if (round >= 0) times[side].push(sideTook.stepsMs)
    }
  }
  const { oursMs, plainMs, ratio } = compareTurns(times.ours.map(sum), times.plain.map(sum))
  const each = (times.ours[0] ?? []).map((_, index) => median(times.ours.map((steps) => at(steps, index))))
  return {
    name: title,
    ours: formatSeconds(oursMs),
    plain: formatSeconds(plainMs),
    result: `${ratio.median.toFixed(2)}x`,
    range: `${ratio.min.toFixed(2)}x … ${ratio.max.toFixed(2)}x`,
    target: `<= ${maxSeconds} s`,
    verdict: oursMs <= maxSeconds * 1000 ? 'ok' : 'over',
    note: each.map(formatSeconds).join(' + '),
  }
}

/** Packs a new tarball for each run, because npx caches packages that it has installed. */
async function withTarball<Result>(use: (tarball: string) => Promise<Result>): Promise<Result> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-bench-')))
  try {
    return await use(await packInto(dir))
  } finally {
    await forgetInstalled(dir)
    await rm(dir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Cleans the cache of npx: removes packages that were installed from `dir`. */
async function forgetInstalled(dir: string): Promise<void> {
  const { output } = await runCommand(npm('config', 'get', 'cache'), { quiet: true })
  const cache = join(output.trim().split('\n').at(-1) ?? '', '_npx')
  for (const name of await readdir(cache).catch(() => [])) {
    const manifest = await readFile(join(cache, name, 'package.json'), 'utf8').catch(() => '')
    // npm writes a relative path, which contains the absolute path without its first slash.
    if (manifest.includes(dir.slice(1))) await rm(join(cache, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

async function timeSteps({ files, steps, tests }: Typed): Promise<Took> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-bench-')))
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), text)
    }
    const stepsMs: number[] = []
    let last = ''
    for (const { argv, isInstall } of steps) {
      const startedAtMs = performance.now()
      const { exitCode, output } = await runCommand(argv, { cwd: dir, quiet: true })
      stepsMs.push(performance.now() - startedAtMs)
      if (exitCode !== 0 && isInstall) return { failed: output.trim() }
      assertCount(`exit code of \`${argv.slice(-2).join(' ')}\``, { expected: 0, actual: exitCode, details: output })
      last = stripVTControlCharacters(output)
    }
    const passed = Number(/^ *Tests:? +(\d+) passed/m.exec(last)?.[1] ?? 0)
    assertCount('passed tests', { expected: tests, actual: passed, details: last })
    return { stepsMs }
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 })
  }
}

function vitestScene(name: string, vitest: string, files: Files): Scene {
  const own = Object.keys(files).some((path) => path.endsWith('.test.ts')) ? 1 : 0
  const runAll = run('npx', 'vitest', 'run')
  return {
    name,
    files,
    ours: { steps: (tarball) => [install(tarball, vitest), init, runAll], tests: own + 1 },
    plain: { files: own === 0 ? { 'sum.test.ts': vitestTest } : {}, steps: [install(vitest), runAll], tests: 1 },
  }
}

function install(...packages: string[]): Step {
  return { argv: npm('install', '-D', ...packages), isInstall: true }
}

function run(...argv: Argv): Step {
  return { argv, isInstall: false }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
