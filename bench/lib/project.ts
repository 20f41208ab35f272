import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root, runCommand, type Argv } from '../../scripts/lib/run-command.ts'
import { followPeakMemory } from './peak-memory.ts'
import { assertCount } from './wrong-count.ts'

const programs = { vitest: 'vitest/vitest.mjs', mdtest: 'vitest-mdtest/dist/bin.js' }

/** A configuration without the plugin: what the other side is compared with. */
export const plainConfig = `import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { pool: 'threads', isolate: false } })
`

/** A configuration that only adds the plugin. */
export const mdtestConfig = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({ plugins: [mdtest()] })
`

/** A user's project in a temporary folder. */
export interface Project {
  /** Absolute path. */
  readonly dir: string
  /** @param name path in the project */
  write(name: string, text: string): Promise<void>
  remove(): Promise<void>
}

/** A program of the project's node_modules, as a process of its own. */
interface ProgramRun {
  readonly program: keyof typeof programs
  readonly args: readonly string[]
  /** The PATH in place of ours. */
  readonly path?: string | undefined
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Makes the run slower: see `followPeakMemory`. */
  readonly onPeakMemory?: ((bytes: number) => void) | undefined
}

export interface TestRun extends ProgramRun {
  /** How many have to pass. */
  readonly tests: number
  /** Flags that choose reporters; one has to be `json`. */
  readonly reporters?: readonly string[]
}

/** What we read of the JSON report. */
interface TestCounts {
  readonly numPassedTests?: number
  readonly numTotalTests?: number
}

/** @param files text by name */
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
 * A copy of this package, not a link: what does not lie in `node_modules` is transformed by Vite file by file, which no
 * user pays for.
 */
async function installPackage(modules: string): Promise<void> {
  await mkdir(modules, { recursive: true })
  for (const name of ['dist', 'package.json']) {
    await cp(join(root, name), join(modules, 'vitest-mdtest', name), { recursive: true })
  }
  for (const name of ['vitest', 'vite']) await symlink(join(root, 'node_modules', name), join(modules, name))
}

/**
 * Runs `vitest` or `mdtest` in a project as a process of its own.
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
 * Lists the tests of a project as a process of its own.
 * @param tests how many it has to find
 * @returns wall time in milliseconds
 */
export async function timeListing(project: Project, tests: number): Promise<number> {
  const { durationMs, output } = await timeProgram(project, { program: 'vitest', args: ['list', '--json'] })
  assertCount('listed tests', { expected: tests, actual: JSON.parse(output).length })
  return durationMs
}

/**
 * Lists specs of a project by `mdtest list` as a process of its own.
 * @param scenarios how many it has to find below the path
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

/** The JSON report alone, or within what else was printed. */
function readResult(text: string): TestCounts {
  const line = text.split('\n').find((candidate) => candidate.startsWith('{"numTotalTestSuites"'))
  const counts: TestCounts | null = JSON.parse(line ?? 'null')
  return counts ?? {}
}
