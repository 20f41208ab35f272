import { execFileSync } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'

const goods = ['tea', 'salt', 'rice', 'milk', 'soap', 'oil', 'figs', 'nuts']
const spec = (title: string, commands: string): string =>
  `---\nagent: none\n---\n\n# ${title}\n\n## It\n\n\`\`\`console\n${commands}\n\`\`\`\n`
const module = (name: string, price: number): string =>
  `import rate from './rate.cjs'\nexport const ${name} = ${price} * rate\n`

/** A product of eight modules that share one, of a script, of data and of a configuration of its own. */
const files: Readonly<Record<string, string>> = {
  'vitest.config.mjs': plainConfig,
  '.gitignore': 'node_modules\n.vitest\n',
  'package-lock.json': '{}',
  'cli.mjs':
    'const [name] = process.argv.slice(2)\nconst module = await import(`./goods/${name}.mjs`)\nconsole.log(name, module[name])\n',
  'goods/rate.cjs': 'module.exports = 1\n',
  ...Object.fromEntries(goods.map((name, index) => [`goods/${name}.mjs`, module(name, index + 1)])),
  ...Object.fromEntries(
    goods.map((name, index) => [`specs/${name}.test.md`, spec(name, `$ node cli.mjs ${name}\n${name} ${index + 1}`)]),
  ),
  'total.sh': '#!/bin/bash\nwc -l < data/stock.txt\n',
  'data/stock.txt': 'tea\nsalt\n',
  'data/names.json': '["tea"]\n',
  'shop.config.json': '{ "name": "Shop" }\n',
  'title.cjs': "const { name } = JSON.parse(require('fs').readFileSync('shop.config.json'))\nconsole.log(name)\n",
  'names.cjs': "console.log(require('fs').readdirSync('data').join(' '))\n",
  'specs/total.test.md': spec('Total', '$ bash total.sh\n2'),
  'specs/title.test.md': spec('Title', '$ node title.cjs\nShop'),
  'specs/names.test.md': spec('Names', '$ node names.cjs\nnames.json stock.txt'),
  'specs/count.test.md': spec('Count', '$ grep -c tea data/names.json\n1'),
}

type Change = (project: Project) => Promise<unknown>
const write =
  (file: string, text = files[file] ?? ''): Change =>
  (project) =>
    project.write(file, text)
const move =
  (from: string, to: string): Change =>
  (project) =>
    rename(project.path(from), project.path(to))

/** Each breaks something or not; what broke is mended by the next one. */
const commits: readonly Change[] = [
  ...goods.flatMap((name, index) => [
    write(`goods/${name}.mjs`, `${module(name, index + 1)}// faster\n`),
    write(`goods/${name}.mjs`, module(name, index + 50)),
    write(`goods/${name}.mjs`),
    write(`notes/${name}.txt`, 'An idea.\n'),
  ]),
  ...[write('goods/rate.cjs', 'module.exports = 2\n'), write('goods/rate.cjs')],
  ...[write('data/stock.txt', 'tea\n'), write('data/stock.txt'), write('data/stock.txt', 'rice\nsalt\n')],
  ...[write('data/more.txt', ''), move('data/more.txt', 'notes/more.txt')],
  ...[write('data/names.json', '["salt"]\n'), write('data/names.json')],
  ...[write('shop.config.json', '{ "name": "Store" }\n'), write('shop.config.json')],
  ...[write('total.sh', '#!/bin/bash\nwc -c < data/stock.txt\n'), write('total.sh')],
  ...[move('goods/milk.mjs', 'goods/cream.mjs'), move('goods/cream.mjs', 'goods/milk.mjs')],
  ...[move('title.cjs', 'name.cjs'), write('specs/title.test.md', spec('Title', '$ node name.cjs\nShop'))],
  write('package-lock.json', '{ "packages": { "left-pad": {} } }'),
  ...[write('goods/oil.mjs', "export { oil } from './fat.mjs'\n"), write('goods/fat.mjs', module('oil', 6))],
  ...[write('goods/fat.mjs', module('oil', 7)), write('goods/fat.mjs', module('oil', 6))],
  ...[write('specs/tea.test.md', spec('tea', '$ node cli.mjs tea\ntea 2')), write('specs/tea.test.md')],
  ...[
    write('README.md', '# Shop\n'),
    write('tools/lint.mjs', 'export {}\n'),
    write('cli.mjs', `${files['cli.mjs']}\n`),
  ],
  ...[write('tools/lint.mjs', '// old\n'), write('README.md', '# The shop\n')],
]

test('60 commits: no spec whose outcome differs is left out, and at most 40 % run', async () => {
  await using project = await createProject(files)
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@localhost', ...args], { cwd: project.dir })
  }
  const commit = (): void => {
    git('add', '-A')
    git('commit', '--quiet', '-m', 'next')
  }
  const outcomes = async (): Promise<ReadonlyMap<string, string>> => {
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const { testResults }: { testResults: { name: string; status: string }[] } = JSON.parse(stdout)
    return new Map(testResults.map(({ name, status }) => [name, status]))
  }
  git('init', '--quiet')
  commit()
  let before = await outcomes()
  expect([commits.length >= 60, before.size, new Set(before.values()).size]).toEqual([true, 12, 1])
  let [chosenCount, differing] = [0, 0]
  for (const [index, change] of commits.entries()) {
    await change(project)
    commit()
    const { stdout } = await project.vitest(['list', '--filesOnly', '--json', '--changed=HEAD~1'])
    const listed: { file: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
    const chosen = new Set(listed.map(({ file }) => file))
    const now = await outcomes()
    const leftOut = [...now].filter(([file, status]) => before.get(file) !== status && !chosen.has(file))
    expect(leftOut, `commit ${index + 1}`).toEqual([])
    differing += [...now].filter(([file, status]) => before.get(file) !== status).length
    chosenCount += chosen.size
    before = now
  }
  const share = chosenCount / (commits.length * before.size)
  console.log(`${commits.length} commits, ${differing} outcomes differ, ${(share * 100).toFixed(1)} % of the specs run`)
  expect(differing).toBeGreaterThan(40)
  expect(share).toBeLessThanOrEqual(0.4)
}, 1_800_000)
