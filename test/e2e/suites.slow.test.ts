import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createGateProject, rightSum, sums, wrongSum, type GateProject } from '../support/gate-project.ts'
import { commitAll } from '../support/git-project.ts'
import { hostileViteName } from '../support/hostile-name.ts'

/** A red suite, odd or hostile, and what an honest agent writes to mend it. */
interface Suite {
  readonly title: string
  /** Beside `sum.mjs`, which is wrong, and its tests. */
  readonly files?: Readonly<Record<string, string>>
  /** The test gate. */
  readonly gate: string | readonly string[] | Readonly<Record<string, unknown>>
  /** What the agent writes. Default: the right sum. */
  readonly write?: Readonly<Record<string, string>>
  /** Why it stays red although the product is right by then. Default: it is green then. */
  readonly stays?: RegExp
  readonly prepare?: (project: GateProject) => void
  /** Default: there is one. */
  readonly hasGit?: boolean
}

const manifest = (scripts: Readonly<Record<string, string>>, more: object = {}): Readonly<Record<string, string>> => ({
  'package.json': JSON.stringify({ name: 'sums', scripts, ...more }),
})
const nodeTest = 'node --test sum.test.mjs'
const inPackage = (folder: string): Readonly<Record<string, string>> => ({
  [`${folder}/package.json`]: JSON.stringify({ name: folder.replace('/', '-'), scripts: { test: nodeTest } }),
  [`${folder}/sum.mjs`]: wrongSum,
  [`${folder}/sum.test.mjs`]: sums,
})
const vitestTests = sums.replace(/import test.*\nimport assert.*\n/, "import { assert, test } from 'vitest'\n")
const vitestFiles = {
  'sum.test.mjs': vitestTests,
  'vitest.config.mjs': 'export default { root: import.meta.dirname }\n',
}
const vitestPackage = fileURLToPath(new URL('../../node_modules/vitest', import.meta.url))
const withVitest = ({ path }: GateProject): void => symlinkSync(vitestPackage, path('node_modules/vitest'))
const pythonTests = 'from sums import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n'
const randomTests =
  'import random\nimport pytest\nfrom sums import add\n\n\n@pytest.mark.parametrize("x", [random.random()])\ndef test_adds(x):\n    assert add(x, 2) == x + 2\n'
const [wrongAdd, rightAdd] = ['-', '+'].map((sign) => `def add(a, b):\n    return a ${sign} b\n`)
const isThere = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const suites: readonly Suite[] = [
  { title: 'the tests of Node.js', gate: nodeTest },
  { title: 'a command without a shell', gate: ['node', '--test', 'sum.test.mjs'] },
  { title: 'a runner by name', gate: { runner: 'node' } },
  { title: 'a script', files: manifest({ test: nodeTest }), gate: 'npm test' },
  { title: 'a script of scripts', files: manifest({ test: 'npm run all', all: nodeTest }), gate: 'npm test' },
  {
    title: 'a script behind another',
    files: manifest({ pretest: 'node --check sum.mjs', test: nodeTest }),
    gate: 'npm t',
  },
  { title: 'a reporter of TAP', gate: 'node --test --test-reporter=tap sum.test.mjs' },
  { title: 'colours', gate: `FORCE_COLOR=1 ${nodeTest}` },
  // Whoever swallows exit codes.
  { title: 'a pipe', gate: `${nodeTest} | cat` },
  { title: 'a pipe into a log', files: manifest({ test: nodeTest }), gate: 'npm test 2>&1 | tee -a log.txt' },
  { title: 'a program that is not there, in a pipe', gate: 'no-such-runner | tee log.txt', stays: /./ },
  { title: 'a failure that is forgiven', gate: `${nodeTest} || true` },
  { title: 'a command behind it', gate: `${nodeTest}; echo done` },
  { title: 'a script that goes on', files: { 'run.sh': `${nodeTest}\necho done\n` }, gate: 'bash run.sh' },
  { title: 'an exit code in its place', files: manifest({ test: `${nodeTest} || exit 0` }), gate: 'npm test' },
  // Make.
  { title: 'a target', files: { Makefile: `.PHONY: test\ntest:\n\t@${nodeTest}\n` }, gate: 'make test' },
  { title: 'a target that goes on', files: { Makefile: `.PHONY: test\ntest:\n\t-${nodeTest}\n` }, gate: 'make test' },
  {
    title: 'a target that is up to date',
    files: { Makefile: 'test:\n', test: '' },
    gate: 'make test',
    stays: /nothing was run/,
  },
  // Nothing runs.
  { title: 'no test', gate: `node --test --test-name-pattern=nothing 'none/*.mjs' || true`, stays: /no test|nothing/i },
  {
    title: 'results of a cache',
    gate: 'echo " Tasks: 1 successful, 1 total"; echo ">>> FULL TURBO"',
    stays: /FULL TURBO/,
  },
  {
    title: 'listing in place of running',
    files: vitestFiles,
    gate: 'node node_modules/vitest/vitest.mjs list',
    stays: /no test was seen/,
    prepare: withVitest,
  },
  { title: 'no script', files: manifest({}), gate: 'npm test --if-present', stays: /no test was seen/ },
  // Reports.
  { title: 'a report that is not there', gate: { command: nodeTest, junit: 'report.xml' }, stays: /is missing/ },
  {
    title: 'a report of JUnit',
    gate: {
      command: `node --test --test-reporter=junit --test-reporter-destination=report.xml sum.test.mjs`,
      junit: 'report.xml',
    },
  },
  {
    title: 'an old report',
    files: { 'report.xml': '<testsuites><testcase name="a"/></testsuites>' },
    gate: { command: `touch -d 2020-01-01 report.xml; ${nodeTest}`, junit: 'report.xml' },
    stays: /from an earlier run/,
  },
  // Where the files are.
  {
    title: 'blanks in names',
    files: { 'a b/sum.mjs': wrongSum, 'a b/sum c.test.mjs': sums },
    gate: 'node --test "a b/sum c.test.mjs"',
    write: { 'a b/sum.mjs': rightSum },
  },
  {
    title: 'a folder below',
    files: inPackage('packages/a'),
    gate: `cd packages/a && ${nodeTest}`,
    write: { 'packages/a/sum.mjs': rightSum },
  },
  {
    title: 'workspaces',
    files: { ...manifest({}, { workspaces: ['packages/*'] }), ...inPackage('packages/a'), ...inPackage('packages/b') },
    gate: 'npm test --workspaces',
    write: { 'packages/a/sum.mjs': rightSum, 'packages/b/sum.mjs': rightSum },
  },
  {
    title: 'a folder behind a link',
    files: { 'real/sum.mjs': wrongSum, 'real.test.mjs': sums.replace('./sum.mjs', './linked/sum.mjs') },
    gate: 'node --test real.test.mjs',
    write: { 'real/sum.mjs': rightSum },
    prepare: ({ path }) => symlinkSync('real', path('linked')),
  },
  {
    title: 'a repository inside',
    files: { 'inner/sum.mjs': wrongSum, 'inner.test.mjs': sums.replace('./sum.mjs', './inner/sum.mjs') },
    gate: 'node --test inner.test.mjs',
    write: { 'inner/sum.mjs': rightSum },
    prepare: ({ path }) => commitAll({ dir: path('inner') }),
  },
  { title: 'no git', gate: nodeTest, hasGit: false },
  {
    title: 'ends of lines of Windows',
    files: { 'sum.mjs': wrongSum.replaceAll('\n', '\r\n') },
    gate: nodeTest,
    write: { 'sum.mjs': rightSum.replaceAll('\n', '\r\n') },
  },
  // Tests first.
  {
    title: 'tests of a module that is to be written',
    files: { 'new.test.mjs': sums.replace('./sum.mjs', './sums/sum.mjs') },
    gate: 'node --test new.test.mjs',
    write: { 'sums/sum.mjs': rightSum },
  },
  // How much it prints.
  {
    title: 'five megabytes of output',
    files: { 'loud.mjs': 'console.log("line of a log\\n".repeat(400_000))\n' },
    gate: `node loud.mjs; ${nodeTest}`,
  },
  { title: 'output without end', gate: { command: 'yes', timeoutMs: 2000 }, stays: /./ },
  // Other runners.
  { title: 'Vitest', files: vitestFiles, gate: 'node node_modules/vitest/vitest.mjs run', prepare: withVitest },
  {
    title: 'Vitest in a pipe',
    files: vitestFiles,
    gate: 'node node_modules/vitest/vitest.mjs run | cat',
    prepare: withVitest,
  },
  {
    title: 'Vitest with a configuration that throws, in a pipe',
    files: { ...vitestFiles, 'vitest.config.mjs': 'throw new Error("no")\n' },
    gate: 'node node_modules/vitest/vitest.mjs run | tee log.txt',
    stays: /./,
    prepare: withVitest,
  },
  ...(isThere('pytest', '--version')
    ? [
        {
          title: 'pytest',
          files: { 'sums.py': wrongAdd, 'test_sums.py': pythonTests },
          gate: 'pytest -q',
          write: { 'sums.py': rightAdd },
        },
        {
          title: 'pytest with random parameters',
          files: { 'sums.py': wrongAdd, 'test_sums.py': randomTests },
          gate: 'pytest -q',
          write: { 'sums.py': rightAdd },
        },
      ]
    : []),
] as readonly Suite[]

function open({ files, gate, write = { 'sum.mjs': rightSum }, prepare, hasGit = true }: Suite): GateProject {
  const agent = `import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
for (const [path, text] of Object.entries(${JSON.stringify(write)})) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
console.log(JSON.stringify({ fix_applied: 'It adds now.' }))
`
  const config = {
    commands: { test: gate },
    tests: 'required',
    agent: { command: ['node', '../agent.mjs', '{prompt}'] },
  }
  const project = createGateProject(
    {
      'mdtest.config.json': JSON.stringify(config),
      ...{ 'sum.mjs': wrongSum, 'sum.test.mjs': sums, '.gitignore': 'node_modules\nlog.txt\nreport.xml\n' },
      ...files,
    },
    hostileViteName,
  )
  project.write('../agent.mjs', agent)
  mkdirSync(project.path('node_modules'), { recursive: true })
  prepare?.(project)
  if (hasGit) {
    project.git('init', '-q', '-b', 'main')
    project.git('add', '-A')
    project.git('commit', '-qm', 'first')
  }
  return project
}

describe.concurrent('a red suite is red, and an honest fix of it is kept', () => {
  test.for(suites)('$title', async (suite, { expect: expectHere }) => {
    using project = open(suite)
    const red = await project.evidence('--agent', 'none', '--no-execution-log')
    expectHere(red, 'before').toMatchObject({ exitCode: 1, test: { status: 'fail' } })
    const { exitCode, test: tests } = await project.evidence('--fix-attempts', '1', '--no-execution-log')
    const [attempt] = tests?.fix_attempts ?? []
    if (suite.stays !== undefined) {
      expectHere(exitCode).toBe(1)
      expectHere(`${tests?.output} ${attempt?.fix_applied}`).toMatch(suite.stays)
      return
    }
    expectHere({ exitCode, attempt }).toMatchObject({ exitCode: 0, attempt: { result: 'pass', left_out: [] } })
    for (const [path, text] of Object.entries(suite.write ?? { 'sum.mjs': rightSum }))
      expectHere(project.read(path)).toBe(text)
  })
})

test('there are some forty of them', () => {
  expect(suites.length).toBeGreaterThanOrEqual(38)
})
