import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options, type ResultPromise } from 'execa'
import { type GateResults, gateResultsSchema } from '../../src/commands/gate/evidence.ts'
import { programsFolder } from './programs-folder.ts'
import { hostileName } from './hostile-name.ts'
import { lane } from './lane.ts'
import { createProjectFiles, gitEnv, type ProjectFiles } from './project-files.ts'
import { spawnCommand, type SpawnedEnd } from './spawn-command.ts'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

/** A project with gates, in a temporary folder with a home of its own. */
export interface GateProject extends Omit<ProjectFiles, 'base' | 'root'> {
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  gate(...args: readonly string[]): Promise<SpawnedEnd>
  /** The same without waiting for its end. */
  start(): ResultPromise
  /** With `--json`, read by the schema. */
  evidence(...args: readonly string[]): Promise<GateResults['gate_results'] & { readonly exitCode: number | null }>
  /** Names of the folders with evidence, oldest first. */
  folders(): readonly string[]
}

/** Makes a project of these files; `using` removes it. */
export function createGateProject(files: Readonly<Record<string, string>>, name = hostileName): GateProject {
  const {
    base,
    root: dir,
    ...own
  } = createProjectFiles('mdtest-gate-', { '.gitignore': 'node_modules\n', ...files }, name)
  const { path } = own
  mkdirSync(join(base, 'home'))
  mkdirSync(path('node_modules/.bin'), { recursive: true })
  symlinkSync(bin, path('node_modules/.bin/vitest-mdtest'))
  const env = {
    PATH: `${dirname(lane.node)}:${dirname(process.execPath)}:${programsFolder}:/usr/bin:/bin`,
    HOME: join(base, 'home'),
    TMPDIR: tmpdir(),
    DEPLOY_TOKEN: 'hunter2hunter2',
    ...gitEnv,
  }
  const gate: GateProject['gate'] = (...args) =>
    spawnCommand({ argv: [lane.node, bin, 'gate', ...args], cwd: dir, env }, 280_000)
  const options: Options = { cwd: dir, env, extendEnv: false, reject: false }
  const evidenceDir = path('.mdtest/gate')
  return {
    ...own,
    dir,
    env,
    gate,
    start: () => execa(lane.node, [bin, 'gate'], options),
    async evidence(...args) {
      const { exitCode, stdout } = await gate('--json', ...args)
      return { exitCode, ...gateResultsSchema.parse(JSON.parse(stdout)).gate_results }
    },
    folders: () =>
      existsSync(evidenceDir)
        ? readdirSync(evidenceDir)
            .filter((name) => name.startsWith('2'))
            .toSorted()
        : [],
  }
}

export const sums = `import test from 'node:test'
import assert from 'node:assert'
import { sum } from './sum.mjs'
test('adds', () => assert.strictEqual(sum(1, 2), 3))
test('adds none', () => assert.strictEqual(sum(0, 0), 0))
`
export const wrongSum = 'export const sum = (a, b) => a - b\n'
export const rightSum = 'export const sum = (a, b) => a + b\n'

/** With gates for a wrong sum, and an agent that does this and says that it has fixed it. */
export function gateProjectOfSums(files: Readonly<Record<string, string>> = {}, act = ''): GateProject {
  const commands = { compile: 'node --check sum.mjs', lint: null, test: 'node --test sum.test.mjs' }
  return createGateProject({
    'mdtest.config.json': JSON.stringify({ commands, agent: { command: ['node', 'agent.mjs', '{prompt}'] } }),
    'sum.mjs': wrongSum,
    'sum.test.mjs': sums,
    'agent.mjs': `import { execSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
const prompt = process.argv[2]
${act}
console.log(JSON.stringify({ fix_applied: 'I fixed it.' }))
`,
    ...files,
  })
}
