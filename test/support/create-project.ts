import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options, type ResultPromise } from 'execa'
import { hostileViteName } from './hostile-name.ts'
import { lane, type Lane } from './lane.ts'

/** How a program ended and what it printed. */
export interface Finished {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** Both streams. */
  readonly all: string
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
  readonly input?: string
}

/** What can be started in a project; Jest in its own lane only. */
export type Program = keyof typeof programs

const programs = {
  vitest: 'vitest/vitest.mjs',
  mdtest: 'vitest-mdtest/dist/bin.js',
  jest: 'jest/bin/jest.js',
}

/** A user's project in a temporary folder, with real Vitest and this package in its `node_modules`. */
export interface Project extends AsyncDisposable {
  readonly dir: string
  path(name: string): string
  write(name: string, text: string): Promise<void>
  read(name: string): Promise<string>
  remove(name: string): Promise<void>
  /** With `--reporter=json` or `junit`, `stdout` is the report: Vitest 4 prints it, 5 writes it to a file. */
  vitest(args: readonly string[], options?: RunOptions): Promise<Finished>
  mdtest(args: readonly string[], options?: RunOptions): Promise<Finished>
  jest(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** Starts a program without waiting for its end. */
  start(program: Program, args: readonly string[], options?: RunOptions): ResultPromise
}

/** The configuration of a project that only adds the plugin. */
export const plainConfig = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({ plugins: [mdtest()] })
`

/** Makes a project of these files in a folder of this name; `await using` removes it. */
export async function createProject(
  files: Readonly<Record<string, string>>,
  { node, packages }: Lane = lane,
  folder = hostileViteName,
): Promise<Project> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-project-')))
  const dir = join(base, folder)
  const path = (name: string): string => join(dir, name)
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), text)
  }
  await write('package.json', '{ "type": "module" }\n')
  for (const [name, text] of Object.entries(files)) await write(name, text)
  await mkdir(path('node_modules'), { recursive: true })
  for (const [name, target] of Object.entries(packages)) {
    await mkdir(dirname(path(`node_modules/${name}`)), { recursive: true })
    await symlink(target, path(`node_modules/${name}`))
  }
  const start: Project['start'] = (program, args, options = {}) =>
    execa(node, [path(`node_modules/${programs[program]}`), ...args], execaOptions(dir, options))
  const finish = async (running: ResultPromise): Promise<Finished> => {
    const { exitCode, stdout, stderr, all } = await running
    return { exitCode, stdout: String(stdout), stderr: String(stderr), all: String(all) }
  }
  return {
    dir,
    path,
    write,
    read: (name) => readFile(path(name), 'utf8'),
    remove: (name) => rm(path(name)),
    async vitest(args, options) {
      const reporter = /^--reporter=(json|junit)$/.exec(args.find((arg) => arg.startsWith('--reporter=')) ?? '')?.[1]
      if (reporter === undefined) return finish(start('vitest', args, options))
      const file = path(`.report.${reporter}`)
      await rm(file, { force: true })
      const finished = await finish(start('vitest', [...args, `--outputFile.${reporter}=${file}`], options))
      return { ...finished, stdout: await readFile(file, 'utf8').catch(() => '') }
    },
    async mdtest(args, options) {
      const finished = await finish(start('mdtest', args, options))
      const written = /^JSON report written to (.+)$/m.exec(finished.stdout)?.[1]
      return written === undefined ? finished : { ...finished, stdout: await readFile(written, 'utf8') }
    },
    jest: (args, options) => finish(start('jest', args, options)),
    start,
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** Each start of Vitest loads the same: from Node.js 22 on it is compiled once. */
const compileCache = fileURLToPath(new URL('../../.cache/node', import.meta.url))

/** Nothing of the Vitest that runs this test, of CI or of a coding agent reaches the project. */
function execaOptions(cwd: string, { env = {}, timeoutMs = 110_000, input }: RunOptions): Options {
  const { PATH = '', HOME = '' } = process.env
  return {
    cwd,
    env: { PATH, HOME, TMPDIR: tmpdir(), NO_COLOR: '1', NODE_COMPILE_CACHE: compileCache, ...env },
    extendEnv: false,
    reject: false,
    all: true,
    timeout: timeoutMs,
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
  }
}
