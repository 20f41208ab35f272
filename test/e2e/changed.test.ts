import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'

const spec = (title: string, body: string, head = ''): string =>
  `---\nagent: none\n${head}---\n\n# ${title}\n\n## It\n\n${body}\n`
const shell = '```sh verify\nnode product.mjs\n```'

const files = {
  'vitest.config.mjs': plainConfig,
  '.gitignore': 'node_modules\n.vitest\n',
  'product.mjs': 'console.log(1)\n',
  'price.mjs': 'export const price = 12\n',
  'prices.json': '[12]\n',
  'shared.md': '# Shared\n\nText.\n',
  'opaque.test.md': spec('Opaque', shell),
  'watching.test.md': spec('Watching', shell, "watch: ['prices.json', 'src/**']\n"),
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

async function createRepository(): Promise<Project> {
  const project = await createProject(files)
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@localhost', ...args], { cwd: project.dir })
  }
  git('init', '--quiet')
  git('add', '-A')
  git('commit', '--quiet', '-m', 'all')
  return project
}

/** Files whose tests ran, of the changed and of the related ones. */
async function chosen(project: Project, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await project.vitest(['run', '--reporter=json', ...args])
  const { testResults }: { testResults: readonly { name: string }[] } = JSON.parse(stdout)
  return testResults.map(({ name }) => name.slice(project.dir.length + 1)).toSorted()
}

describe.concurrent('what changed', () => {
  test.for<readonly [changed: string, text: string, specs: readonly string[]]>([
    ['product.mjs', 'console.log(2)\n', ['opaque.test.md', 'reading.test.md']],
    ['prices.json', '[13]\n', ['opaque.test.md', 'reading.test.md', 'watching.test.md']],
    ['src/new.mjs', 'export {}\n', ['opaque.test.md', 'reading.test.md', 'watching.test.md']],
    ['price.mjs', 'export const price = 13\n', ['code.test.md', 'opaque.test.md', 'reading.test.md']],
    ['shared.md', '# Shared\n\nOther text.\n', ['including.test.md', 'opaque.test.md', 'reading.test.md']],
    [
      'watching.test.md',
      `${files['watching.test.md']}\nMore.\n`,
      ['opaque.test.md', 'reading.test.md', 'watching.test.md'],
    ],
    ['including.recording.md', '', ['including.test.md', 'opaque.test.md', 'reading.test.md']],
    [
      'package-lock.json',
      '{}',
      ['code.test.md', 'including.test.md', 'opaque.test.md', 'reading.test.md', 'watching.test.md'],
    ],
    ['sum.test.mjs', `${files['sum.test.mjs']}\n`, ['opaque.test.md', 'reading.test.md', 'sum.test.mjs']],
  ])('%s changed: `--changed` and `related` run all that may rest on it', async ([changed, text, specs]) => {
    await using project = await createRepository()
    await project.write(changed, text)
    expect(await chosen(project, ['--changed'])).toEqual(specs)
    const { stdout } = await project.vitest(['related', changed, '--run', '--reporter=verbose'])
    for (const name of specs) expect(stdout).toContain(name)
    expect(stdout).toContain(
      'changed: 2 specs also to be run, for it is not known on which files they rest: opaque.test.md, reading.test.md.',
    )
  })

  test('`mdtest run --changed` is the same, and says where there is nothing to run', async () => {
    await using project = await createRepository()
    const none = await project.mdtest(['run', '--changed'])
    expect([none.exitCode, none.stdout]).toEqual([0, expect.stringContaining('No spec rests on what changed.')])
    await project.write('prices.json', '[13]\n')
    const some = await project.mdtest(['run', '--changed'])
    expect([some.exitCode, some.stdout]).toEqual([0, expect.stringContaining('3 passed, 0 failed')])
    const since = await project.mdtest(['run', '--changed=HEAD~0'])
    expect(since.stdout).toContain('3 passed, 0 failed')
  })

  test('`mdtest list --why` says on which files each rests', async () => {
    await using project = await createProject(files)
    const { stdout } = await project.mdtest(['list', '--why'])
    expect(stdout.split('\n').filter((line) => line.startsWith('  rests on'))).toEqual([
      '  rests on code.test.md, and on modules that its code imports',
      '  rests on including.test.md, shared.md, and on modules that its code imports',
      '  rests on opaque.test.md, and may rest on any other, because its commands start programs',
      '  rests on reading.test.md, and on modules that its code imports',
      '  rests on watching.test.md, prices.json, src/**, and on modules that its code imports',
    ])
  })
})
