import { existsSync } from 'node:fs'
import { describe, test } from 'vitest'
import { createFixProject, nodeProject, rightSum, wrongSum } from '../support/fix-project.ts'

const tests = nodeProject['sum.test.mjs'] ?? ''
const weak = tests.replace('5)', '-1)')
const checkpoint = '$(git for-each-ref --format="%(refname)" "refs/mdtest/*/attempt-1")'

interface Scene {
  readonly title: string
  readonly files?: Readonly<Record<string, string>>
  readonly runner?: string
  readonly attempt: { readonly write?: Readonly<Record<string, string>>; readonly run?: string }
  /** Names for which it is undone, or paths that are left out. */
  readonly undone?: readonly (string | RegExp)[]
  readonly leftOut?: readonly string[]
}

const python = {
  'sums/__init__.py': '',
  'sums/add.py': 'def add(a, b):\n    return a - b\n',
  'test_sums.py': 'import sums.add\n\ndef test_adds():\n    assert sums.add.add(2, 3) == 5\n',
  'tool.py': '',
  'pytest.ini': '[pytest]\n',
}
const byFile = (file: string): string =>
  tests
    .replace('5)', `Number(readFileSync('${file}', 'utf8')))`)
    .replace('import test', "import { readFileSync } from 'node:fs'\nimport test")
/** Compiled as a test that passes, by the pytest that judges, for a source that is the same again. */
const compiles = `rm -rf __pycache__; cp -p test_sums.py ../kept
sed -i 's/== 5/!= 5/' test_sums.py; touch -r ../kept test_sums.py
env -u PYTHONDONTWRITEBYTECODE pytest -q test_sums.py
cp -p ../kept test_sums.py`

const scenes: readonly Scene[] = [
  {
    title: 'has git show another tree in place of that of the checkpoint',
    attempt: {
      write: { 'sum.test.mjs': weak },
      run: `git add -A; git replace -f $(git rev-parse ${checkpoint}) $(git write-tree)`,
    },
    undone: ['sum.test.mjs', /^refs\/replace\//],
  },
  {
    title: 'puts a link in place of what tests compare with',
    files: { 'sum.test.mjs': byFile('goals/five'), 'goals/five': '5' },
    attempt: { run: 'mkdir ../goals; echo -1 > ../goals/five; rm -r goals; ln -s ../goals goals' },
    leftOut: ['goals', 'goals/five'],
  },
  {
    title: 'adds a test that patches the product',
    runner: 'pytest',
    files: python,
    attempt: {
      write: { 'test_a.py': 'import sums.add\nsums.add.add = lambda a, b: a + b\n\ndef test_a():\n    pass\n' },
    },
    leftOut: ['test_a.py'],
  },
  {
    title: 'stands in for a module that the runner imports',
    runner: 'pytest',
    files: python,
    attempt: { write: { 'iniconfig.py': 'import os\nos._exit(0)\n', 'pluggy/__init__.py': 'raise SystemExit(0)\n' } },
    leftOut: ['iniconfig.py', 'pluggy/__init__.py'],
  },
  {
    title: 'hides a module by rules of its own',
    runner: 'pytest',
    files: python,
    attempt: { write: { 'packaging/.gitignore': '*\n', 'packaging/__init__.py': 'raise SystemExit(0)\n' } },
    leftOut: ['packaging/.gitignore', 'packaging/__init__.py'],
  },
  {
    title: 'leaves another test compiled than the one that is there',
    runner: 'pytest',
    files: { ...python, '.gitignore': '__pycache__\n.pytest_cache\n' },
    attempt: { run: compiles },
    leftOut: [],
  },
]

describe.concurrent('an attempt does not succeed that', () => {
  test.for(scenes)('$title', async ({ files, runner = 'node', attempt, undone, leftOut }, { expect }) => {
    using project = createFixProject(runner === 'node' ? { ...nodeProject, ...files } : { ...files })
    project.write('notes.txt', 'of the user\n')
    project.plan({ attempts: [attempt] })
    const settings = project.git('config', '--local', '--list')
    const { exitCode, report, stderr } = await project.fix('--max-attempts', '1', '--runner', runner)
    expect({ exitCode, report, stderr }).toMatchObject({ exitCode: 1, report: { result: 'incomplete', attempts: 1 } })
    const told = report.left_out.map(({ path }) => path).filter((path) => !path.startsWith('.git/'))
    if (undone === undefined) expect(told).toEqual(leftOut)
    const names = undone?.map((name) => (typeof name === 'string' ? name : expect.stringMatching(name)))
    const rolledBack = names === undefined ? [] : [{ reason: 'protected-files', names }]
    const { history } = project.state()
    // What the agent was to do it did, whatever programs are installed.
    expect(history.filter((act) => act.kind === 'attempt-made' && act.outcome === 'broke-off')).toEqual([])
    expect(history.filter(({ kind }) => kind === 'rolled-back')).toMatchObject(rolledBack)
    expect(project.git('status', '--short', '--', '.', ':!*__pycache__*', ':!.pytest_cache')).toBe('?? notes.txt\n')
    expect(project.git('for-each-ref', 'refs/replace')).toBe('')
    expect(project.git('config', '--local', '--list')).toBe(settings)
  })
})

test('what is left out is told to the next attempt and to people, and is kept', async ({ expect }) => {
  using project = createFixProject({ ...nodeProject, 'scripts/all.sh': 'true\n' })
  const write = { 'scripts/all.sh': 'false\n', 'sum.mjs': `${wrongSum}// Tried.\n` }
  project.plan({ prompts: true, attempts: [{ write }, { write: { 'sum.mjs': rightSum } }] })
  const { exitCode, report } = await project.fix()
  const reason = 'looks like a helper, a script or configuration'
  expect([exitCode, report]).toMatchObject([
    0,
    { result: 'success', changed_files: ['sum.mjs'], left_out: [{ attempt: 1, path: 'scripts/all.sh', reason }] },
  ])
  expect(project.prompt(2)).toContain(`Changed: \`sum.mjs\`. Left out: scripts/all.sh (${reason}).`)
  expect(project.git('status', '--short')).toBe(' M sum.mjs\n')
  expect(project.git('show', `${report.first_checkpoint}-after:scripts/all.sh`)).toBe('false\n')
  project.write('sum.mjs', wrongSum)
  project.plan({ attempts: [{ write: { 'scripts/all.sh': 'false\n', 'sum.mjs': rightSum } }] })
  const second = await project.fix('--may-change', 'scripts/**')
  expect([second.exitCode, second.report.changed_files]).toEqual([0, ['scripts/all.sh', 'sum.mjs']])
  expect(existsSync(project.path('scripts/all.sh'))).toBe(true)
})
