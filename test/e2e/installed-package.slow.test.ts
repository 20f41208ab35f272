import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileName } from '../support/hostile-name.ts'
import { lane } from '../support/lane.ts'
import { anchorsOf, linksOf } from '../support/markdown-links.ts'

// The package as it comes from npm, installed in a folder that holds nothing else.
const repository = fileURLToPath(new URL('../..', import.meta.url))
const base = mkdtempSync(join(tmpdir(), 'mdtest-installed-'))
const dir = join(base, hostileName)
const installed = join(dir, 'node_modules/vitest-mdtest')
const withoutVitest: string[] = []

beforeAll(async () => {
  mkdirSync(dir)
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', base], { cwd: repository })
  const tarball = readdirSync(base).find((name) => name.endsWith('.tgz')) ?? ''
  await run('npm', ['install', '-D', '--prefer-offline', '--no-audit', '--no-fund', `../${tarball}`])
  // As with Jest alone: Vitest is optional.
  for (const command of ['run', 'list', 'demo']) {
    const { exitCode, stderr } = await run('npx', ['vitest-mdtest', command], { reject: false })
    withoutVitest.push(`${exitCode} ${stderr}`)
  }
  for (const name of ['vitest', 'vite']) symlinkSync(lane.packages[name] ?? '', join(dir, 'node_modules', name))
})
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 3 }))

test('brings nothing else but what an interface in a terminal needs', () => {
  const packages = readdirSync(join(dir, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:@[^/]+\/)?[^@./][^/]*$/.test(path))
    .filter((path) => !['vitest', 'vite'].includes(path))
  expect(packages.filter((path) => !path.startsWith('@lydell/'))).toEqual(['vitest-mdtest'])
})

test('says which commands need Vitest, and how to have it', () => {
  const told = (name: string): unknown =>
    expect.stringMatching(`^2 mdtest: \`${name}\` needs Vitest.*npm install -D vitest`)
  expect(withoutVitest).toEqual([told('run'), told('list'), told('demo')])
})

test('holds whatever README and the pages of docs/ lead to', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  const pages = files.filter((file) => /^(?:README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^docs\/.*\.md$/.test(file))
  expect(pages).toContain('README.md')
  expect(pages.length).toBeGreaterThan(20)
  const text = (file: string): string => readFileSync(join(installed, file), 'utf8')
  const leadsNowhere = ({ file, anchor }: { readonly file: string; readonly anchor: string }): boolean =>
    file.startsWith('..') ||
    !existsSync(join(installed, file)) ||
    (anchor !== '' && file.endsWith('.md') && !anchorsOf(text(file)).includes(anchor))
  const broken = pages.flatMap((page) =>
    linksOf(page, text(page))
      .filter(leadsNowhere)
      .map(({ link }) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('prints its pages by npx', async () => {
  const list = await run('npx', ['vitest-mdtest', 'docs'])
  const topics = [...list.stdout.matchAll(/^ {2}([\w/-]+) {2,}\S/gm)].map(([, topic = '']) => topic)
  expect(topics.length).toBeGreaterThan(20)
  expect((await run('npx', ['vitest-mdtest', 'docs', topics[0] ?? ''])).stdout).toMatch(/^# Your first hour/)
})

const config = `import { defineConfig } from 'vitest/config'
import { mdtest, MdtestError, type Options, type StepMeta } from 'vitest-mdtest'
import type { AgentEvent, CliAgent } from 'vitest-mdtest/agents'
import type {} from 'vitest-mdtest/blocks'
import transformer, { mdtest as jestProject } from 'vitest-mdtest/jest'
import setUp from 'vitest-mdtest/jest/setup'
import tearDown from 'vitest-mdtest/jest/teardown'
import Report from 'vitest-mdtest/reporter'
import { parseResultLog, readResultLog, resultLogSchema, type ResultLog } from 'vitest-mdtest/result-log'

const options: Options = { allow: ['Bash(npm *)'], minAssurance: 'evidenced' }
export const log: ResultLog = resultLogSchema.parse({ status: 'pass' })
export const parts = [transformer, jestProject, setUp, tearDown, parseResultLog, readResultLog, MdtestError]
export type Parts = [AgentEvent, CliAgent, StepMeta]
// @ts-expect-error there is no such option, and the types say so
mdtest({ alow: [] })
export default defineConfig({ plugins: [mdtest(options)], test: { reporters: ['default', new Report()] } })
`

test('has types that hold by themselves', async () => {
  writeFileSync(join(dir, 'vitest.config.ts'), config)
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'esnext.disposable', 'dom'], module: 'nodenext', types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
  }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['vitest.config.ts'] }))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', 'tsconfig.json', '--listFiles'])
  const read = stdout.split('\n').filter((file) => file.startsWith(installed))
  expect(read.map((file) => relative(installed, file))).toContain('dist/public/result-log.d.ts')
})

/** Outside of whatever starts the tests: npm tells its children what it was told. */
interface Options {
  readonly cwd?: string
  readonly reject?: boolean
}

interface Ended {
  readonly exitCode?: number
  readonly stdout: string
  readonly stderr: string
}

function run(program: string, args: readonly string[], options: Options = {}): Promise<Ended> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_(?!config_)|VITEST)/.test(name)),
  )
  return execa(program, args, { cwd: dir, env, extendEnv: false, stdin: 'ignore', ...options })
}
