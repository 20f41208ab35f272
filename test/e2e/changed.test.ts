import { rename, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { commitAll, gitIn } from '../support/git-project.ts'
import { lane } from '../support/lane.ts'

const spec = (title: string, body: string, head = ''): string =>
  `---\nagent: none\n${head}---\n\n# ${title}\n\n## It\n\n${body}\n`
const shell = (code: string): string => `\`\`\`sh verify\n${code}\n\`\`\``

const files = {
  'vitest.config.mjs': plainConfig,
  '.gitignore': 'node_modules\n.vitest\n',
  'shop.mjs':
    "#!/usr/bin/env node\nimport { readdirSync, readFileSync } from 'node:fs'\nimport { price } from './price.mjs'\nimport './sum.cjs'\nif (process.argv[2] === 'list') readdirSync('goods')\nelse readFileSync('rate.json')\nconsole.log(price)\n",
  'price.mjs': 'export const price = 12\n',
  'sum.cjs': "require('./deep.cjs')\n",
  'deep.cjs': '',
  'rate.json': '2\n',
  'goods/tea.json': '1\n',
  'prices.json': '[12]\n',
  'ship.sh': '#!/bin/bash\nnode post.mjs "$1"\ncat rate.json\n',
  'post.mjs': '',
  'shared.md': '# Shared\n\nText.\n',
  'node.test.md': spec('Node', shell('node shop.mjs')),
  'copy.test.md': spec('Copy', shell('node shop.mjs list'), 'cwd: copy\n'),
  'script.test.md': spec('Script', shell('bash ship.sh x > "$TMPDIR/out"\ngrep -c 2 "$TMPDIR/out" | wc -l')),
  'plain.test.md': spec('Plain', shell('cd goods && cat tea.json | tr 1 2')),
  'odd.test.md': spec('Odd', shell('python3 --help | head -1; perl -e 1')),
  'watching.test.md': spec('Watching', shell('true'), "watch: ['prices.json', 'src/**']\n"),
  'code.test.md': spec(
    'Code',
    "```ts verify\nimport { price } from './price.mjs'\nif (price < 1) throw new Error('no price')\n```",
  ),
  'reading.test.md': spec(
    'Reading',
    "```ts verify\nimport { readFileSync } from 'node:fs'\nreadFileSync('prices.json')\n```",
  ),
  'including.test.md': spec('Including', '```ts verify\n1 + 1\n```', "include: ['shared.md']\n"),
  'sum.test.mjs': "import { test } from 'vitest'\ntest('sum', () => {})\n",
}
const all = Object.keys(files)
  .filter((name) => name.endsWith('.test.md'))
  .toSorted()
/** On what these rest nobody knows. */
const opaque = ['odd.test.md', 'reading.test.md']

async function createRepository(): Promise<Project> {
  const project = await createProject(files)
  commitAll(project)
  return project
}

async function chosen(project: Project, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await project.vitest(['list', '--filesOnly', '--json', ...args])
  const found: { file: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return found.map(({ file }) => file.slice(project.dir.length + 1)).toSorted()
}

const put = (file: string, text: string) => (project: Project) => project.write(file, text)

test('what changed: `--changed` and `related` run all that may rest on it, and nothing else once it has run', async () => {
  await using project = await createRepository()
  await project.write('deep.cjs', '// not run yet')
  expect(await chosen(project, ['--changed'])).toEqual(all.filter((name) => !/^(?:plain|watching)/.test(name)))
  gitIn(project, 'checkout', '.')
  const ran = await project.vitest(['run'])
  expect(ran.exitCode, ran.all).toBe(0)
  const cases: readonly (readonly [
    what: string,
    change: (project: Project) => Promise<unknown>,
    specs: readonly string[],
  ])[] = [
    ['a module of a module', put('deep.cjs', '1'), ['copy.test.md', 'node.test.md']],
    ['what a program reads', put('rate.json', '3\n'), ['node.test.md', 'script.test.md']],
    ['a file in a folder that it lists', put('goods/salt.json', '1\n'), ['copy.test.md']],
    ['what a command names', put('goods/tea.json', '11\n'), ['plain.test.md']],
    ['a script', put('ship.sh', `${files['ship.sh']}true\n`), ['script.test.md']],
    ['what a script starts', put('post.mjs', '1'), ['script.test.md']],
    ['what was not there', put('goods/package.json', '{}'), all],
    ['a file that nobody knows', put('new.mjs', ''), []],
    [
      'a renamed file',
      ({ dir }) => rename(`${dir}/price.mjs`, `${dir}/cost.mjs`),
      ['code.test.md', 'copy.test.md', 'node.test.md'],
    ],
    ['a glob of `watch`', put('src/new.mjs', ''), ['watching.test.md']],
    ['a file of `watch`', put('prices.json', '[13]\n'), ['watching.test.md']],
    ['what is included', put('shared.md', '# Shared\n\nOther text.\n'), ['including.test.md']],
    ['a spec', put('plain.test.md', `${files['plain.test.md']}\nMore.\n`), ['plain.test.md']],
    ['a recording', put('including.recording.md', ''), ['including.test.md']],
    ['a lock file', put('package-lock.json', '{}'), all],
    ['a test', put('sum.test.mjs', `${files['sum.test.mjs']}\n`), ['sum.test.mjs']],
  ]
  for (const [what, change, specs] of cases) {
    await change(project)
    const found = await chosen(project, ['--changed'])
    expect(
      found.filter((name) => name !== 'sum.test.mjs' || specs.includes(name)),
      what,
    ).toEqual([...new Set([...specs, ...opaque])].toSorted())
    gitIn(project, 'checkout', '--quiet', '.')
    gitIn(project, 'clean', '--quiet', '-fd')
  }
  const why = await project.mdtest(['list', '--why'])
  expect(why.stdout.split('\n').filter((line) => line.startsWith('  rests on'))).toEqual([
    '  rests on code.test.md, package.json, price.mjs, vitest.config.mjs',
    '  rests on copy.test.md, shop.mjs, deep.cjs, package.json, price.mjs, sum.cjs, vitest.config.mjs',
    '  rests on including.test.md, shared.md, package.json, vitest.config.mjs',
    '  rests on node.test.md, shop.mjs, deep.cjs, package.json, price.mjs, rate.json, sum.cjs, vitest.config.mjs',
    expect.stringMatching(
      /^ {2}rests on odd\.test\.md, .*other, because it starts `python3`, which is no program of Node$/,
    ),
    '  rests on plain.test.md, goods/tea.json, package.json, vitest.config.mjs',
    expect.stringMatching(/reading\.test\.md, .*other, because its code reads files or starts programs$/),
    '  rests on script.test.md, ship.sh, post.mjs, rate.json, package.json, vitest.config.mjs',
    '  rests on watching.test.md, package.json, vitest.config.mjs, prices.json, src/**',
  ])
  await project.write('deep.cjs', '1')
  const related = await project.vitest(['related', 'rate.json', '--run', '--reporter=verbose'])
  expect(related.stdout).toContain(
    'changed: 3 specs also to be run, for it is not known on which files they rest: copy.test.md, ',
  )
  for (const name of ['node', 'script', 'copy', 'odd']) expect(related.stdout).toContain(`${name}.test.md`)
  expect(related.stdout).not.toContain('plain.test.md')
  await rm(project.path('node_modules/.vite'), { recursive: true })
  expect(await chosen(project, ['--changed'])).toEqual(all.filter((name) => !/^(?:plain|watching)/.test(name)))
})

test.runIf(lane.vitestMajor === 5)('`--since-last-run`, which only Vitest 5 has, runs what changed since', async () => {
  await using project = await createRepository()
  const ran = await project.vitest(['run', '--since-last-run'])
  expect(ran.exitCode, ran.all).toBe(0)
  const specs = async (): Promise<readonly string[]> => {
    const found = await chosen(project, ['--since-last-run'])
    // The module of a `ts` block is no file, which Vitest takes for a changed one.
    return found.filter((name) => ![...opaque, 'code.test.md', 'including.test.md'].includes(name))
  }
  expect(await specs()).toEqual([])
  await project.write('goods/tea.json', '11\n')
  expect(await specs()).toEqual(['plain.test.md'])
})

test('`mdtest run --changed` is the same, and says where there is nothing to run', async () => {
  await using project = await createRepository()
  expect((await project.mdtest(['run'])).stdout).toContain('9 passed, 0 failed')
  const none = await project.mdtest(['run', '--changed'])
  expect([none.exitCode, none.stdout]).toEqual([0, expect.stringContaining('No spec is affected by the changes.')])
  await project.write('prices.json', '[13]\n')
  const some = await project.mdtest(['run', '--changed'])
  expect([some.exitCode, some.stdout]).toEqual([0, expect.stringContaining('3 passed, 0 failed')])
})
