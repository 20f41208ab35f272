import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunnerResults, RunScope } from '../../src/test-runners/runner.ts'
import { runnerNamed, type RunnerName } from '../../src/test-runners/runners.ts'
import { hostileName, hostileViteName } from './hostile-name.ts'
import { isExecutable, programsFolder } from './programs-folder.ts'
import { spawnCommand } from './spawn-command.ts'

const projects = fileURLToPath(new URL('../../fixtures/projects/', import.meta.url))

/** What some programs can take at most: the linker of Rust finds no file below a folder with `%` in its name. */
const largestNames: Readonly<Partial<Record<RunnerName, string>>> = {
  vitest: hostileViteName,
  mdtest: hostileViteName,
  cargo: hostileName.replace('%20 ', ''),
}

/** What a run in a project came to. */
interface RunnerRun extends RunnerResults {
  readonly exitCode: number | null
  /** Both streams. */
  readonly printed: string
}

/** A copy of one of `fixtures/projects/`, in which real runners run. */
export interface RunnerProject extends Disposable {
  readonly root: string
  run(run: RunScope): Promise<RunnerRun>
  /** Adds the file that cannot be compiled. */
  addBroken(): void
}

/** @param packages absolute path of the `node_modules` that the project gets */
export function openRunnerProject(name: RunnerName, packages?: string): RunnerProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `mdtest-runner-${name}-`)))
  const root = join(folder, largestNames[name] ?? hostileName)
  cpSync(join(projects, name), root, { recursive: true })
  if (packages !== undefined) symlinkSync(packages, join(root, 'node_modules'))
  return {
    root,
    addBroken: () => cpSync(join(projects, 'broken', name), root, { recursive: true }),
    async run(run) {
      const resultsDir = mkdtempSync(join(folder, 'results-'))
      const startedAtMs = Date.now()
      const { argv, env } = runnerNamed(name).buildCommand({ run, resultsDir, root })
      const command = { argv, cwd: root, env: { ...environment(), ...env } }
      const { exitCode, stdout, stderr } = await spawnCommand(command, 300_000)
      const output = { stdout, stderr, resultsDir, root, run, exitCode, startedAtMs }
      return { exitCode, printed: `${stdout}\n${stderr}`, ...(await runnerNamed(name).readResults(output)) }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Why the tests of a runner are left out, where its program does not answer in their environment; under CI all do. That it
 * is on PATH says nothing: so is the shim of a version manager.
 */
export function missingProgram(program: 'pytest' | 'go' | 'cargo'): string | undefined {
  const isFound = isExecutable(join(programsFolder, program))
  return isFound || process.env.CI ? undefined : `${program} is not installed`
}

/** Without what Vitest sets for the tests that run in it, and what would change what runners print; no network for Go and Cargo. */
function environment(): Record<string, string> {
  const left = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_|TEST$|FORCE_COLOR|NO_COLOR|RUST_|GITHUB_)/.test(name),
  )
  const inherited = Object.fromEntries(left) as Record<string, string> // none is undefined in an environment
  return { ...inherited, CI: 'true', GOFLAGS: '-mod=mod', GOPROXY: 'off', CARGO_NET_OFFLINE: 'true' }
}
