import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root, runCommand, type Argv } from '../../scripts/lib/run-command.ts'
import { followPeakMemory } from './peak-memory.ts'
import { assertCount } from './wrong-count.ts'

const programs = { vitest: 'vitest/vitest.mjs', mdtest: 'vitest-mdtest/dist/bin.js' }

/** A configuration without the plugin, for the side that mdtest is compared with. */
export const plainConfig = `import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { pool: 'threads', isolate: false } })
`

export const mdtestConfig = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({ plugins: [mdtest()] })
`

/** A project in a temporary folder, like a user's. */
export interface Project {
  /** Absolute path */
  readonly dir: string
  /** @param name path within the project */
  write(name: string, text: string): Promise<void>
  remove(): Promise<void>
}

/** A run of a program from the project's node_modules, in its own process. */
interface ProgramRun {
  readonly program: keyof typeof programs
  readonly args: readonly string[]
  /** Replaces PATH. */
  readonly path?: string | undefined
  /** Additional variables */
  readonly env?: Readonly<Record<string, string>>
  /** Makes the run slower, see `followPeakMemory`. */
  readonly onPeakMemory?: ((bytes: number) => void) | undefined
}

export interface TestRun extends ProgramRun {
  /** Number of tests that must pass */
  readonly tests: number
  /** Flags that choose reporters. One of the reporters must be `json`. */
  readonly reporters?: readonly string[]
}

/** The part of the JSON report that is read here. */
interface TestCounts {
  readonly numPassedTests?: number
  readonly numTotalTests?: number
}

/** @param files texts by path */
export async function createProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-bench-')))
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }\n', ...files })) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  await installPackage(join(dir, 'node_modules'))
  return {
    dir,
    write: (name, text) => writeFile(join(dir, name), text),
    remove: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/**
 * Copies this package. Vite would transform each file of a linked package, because it lies outside of `node_modules`;
 * users never have these costs.
 */
async function installPackage(modules: string): Promise<void> {
  await mkdir(modules, { recursive: true })
  for (const name of ['dist', 'package.json']) {
    await cp(join(root, name), join(modules, 'vitest-mdtest', name), { recursive: true })
  }
  for (const name of ['vitest', 'vite']) await symlink(join(root, 'node_modules', name), join(modules, name))
}

/**
 * Runs `vitest` or `mdtest` in a project, in its own process.
 * @returns wall time of the process in milliseconds
 */
export async function timeTests(
  project: Project,
  { tests, reporters = ['--reporter=json'], ...run }: TestRun,
): Promise<number> {
  const resultFile = join(project.dir, 'result.json')
  await rm(resultFile, { force: true })
  const reporter = [...reporters, ...(run.program === 'vitest' ? [`--outputFile=${resultFile}`] : [])]
  const { durationMs, output } = await timeProgram(project, { ...run, args: [...run.args, ...reporter] })
  const { numPassedTests, numTotalTests } = readResult(await readFile(resultFile, 'utf8').catch(() => output))
  const details = output.slice(-2000)
  assertCount('passed tests', { expected: tests, actual: numPassedTests, details })
  assertCount('tests in all', { expected: tests, actual: numTotalTests, details })
  return durationMs
}

/**
 * Runs `vitest list` in a project, in its own process.
 * @param tests number of tests that must be listed
 * @returns wall time in milliseconds
 */
export async function timeListing(project: Project, tests: number): Promise<number> {
  const { durationMs, output } = await timeProgram(project, { program: 'vitest', args: ['list', '--json'] })
  assertCount('listed tests', { expected: tests, actual: JSON.parse(output).length })
  return durationMs
}

/**
 * Runs `mdtest list` in a project, in its own process.
 * @param scenarios number of scenarios that must be listed below the path
 * @returns wall time in milliseconds
 */
export async function timeSpecList(project: Project, path: string, scenarios: number): Promise<number> {
  const { durationMs, output } = await timeProgram(project, { program: 'mdtest', args: ['list', path, '--json'] })
  const specs: readonly { readonly scenarios: readonly unknown[] }[] = JSON.parse(output)
  assertCount('listed scenarios', { expected: scenarios, actual: specs.flatMap((spec) => spec.scenarios).length })
  return durationMs
}

async function timeProgram(
  { dir }: Project,
  { program, args, path = process.env.PATH, env = {}, onPeakMemory }: ProgramRun,
): Promise<{ durationMs: number; output: string }> {
  const argv: Argv = [process.execPath, join(dir, 'node_modules', programs[program]), ...args]
  let endFollowing = () => 0
  const startedAtMs = performance.now()
  const { exitCode, output } = await runCommand(argv, {
    cwd: dir,
    env: { PATH: path, HOME: process.env.HOME, TMPDIR: tmpdir(), NO_COLOR: '1', ...env },
    quiet: true,
    onStart(pid) {
      if (onPeakMemory) endFollowing = followPeakMemory(pid)
    },
  })
  onPeakMemory?.(endFollowing())
  const durationMs = performance.now() - startedAtMs
  assertCount(`exit code of ${program}`, { expected: 0, actual: exitCode, details: output.slice(-2000) })
  return { durationMs, output }
}

/** Parses the JSON report, which may be surrounded by other output. */
function readResult(text: string): TestCounts {
  const line = text.split('\n').find((candidate) => candidate.startsWith('{"numTotalTestSuites"'))
  const counts: TestCounts | null = JSON.parse(line ?? 'null')
  return counts ?? {}
}
