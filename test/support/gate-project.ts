import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options, type ResultPromise } from 'execa'
import type { GateResults } from '../../src/gate/gate-results.ts'
import { gateResultsSchema } from '../../src/gate/gate-results.ts'
import { spawnCommand, type SpawnedEnd } from './spawn-command.ts'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

/** A project with gates, in a temporary folder with a home of its own. */
export interface GateProject extends Disposable {
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  path(name: string): string
  write(name: string, text: string): void
  read(name: string): string
  gate(...args: readonly string[]): Promise<SpawnedEnd>
  /** The same without waiting for its end. */
  start(): ResultPromise
  /** With `--json`, read by the schema. */
  evidence(...args: readonly string[]): Promise<GateResults['gate_results'] & { readonly exitCode: number | null }>
  git(...args: readonly string[]): string
  /** Names of the folders with evidence, oldest first. */
  folders(): readonly string[]
}

/** Makes a project of these files; `using` removes it. */
export function createGateProject(files: Readonly<Record<string, string>>): GateProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-gate-')))
  const dir = join(base, 'project')
  const path = (name: string): string => join(dir, name)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
    if (text.startsWith('#!')) chmodSync(path(name), 0o755)
  }
  mkdirSync(join(base, 'home'))
  for (const [name, text] of Object.entries({ '.gitignore': 'node_modules\n', ...files })) write(name, text)
  mkdirSync(path('node_modules/.bin'), { recursive: true })
  symlinkSync(bin, path('node_modules/.bin/mdtest'))
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(base, 'home'),
    TMPDIR: tmpdir(),
    DEPLOY_TOKEN: 'hunter2hunter2',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@localhost',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@localhost',
  }
  const gate: GateProject['gate'] = (...args) =>
    spawnCommand({ argv: [process.execPath, bin, 'gate', ...args], cwd: dir, env }, 100_000)
  const options: Options = { cwd: dir, env, extendEnv: false, reject: false }
  const evidenceDir = path('.mdtest/gate')
  return {
    dir,
    env,
    path,
    write,
    read: (name) => readFileSync(path(name), 'utf8'),
    gate,
    start: () => execa(process.execPath, [bin, 'gate'], options),
    async evidence(...args) {
      const { exitCode, stdout } = await gate('--json', ...args)
      return { exitCode, ...gateResultsSchema.parse(JSON.parse(stdout)).gate_results }
    },
    git: (...args) => execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    folders: () =>
      existsSync(evidenceDir)
        ? readdirSync(evidenceDir)
            .filter((name) => name.startsWith('2'))
            .toSorted()
        : [],
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  }
}
