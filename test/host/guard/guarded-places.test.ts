import { chmod, link, mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { changedSources, snapshotSources, type SourceSnapshot } from '../../../src/host/guard/source-snapshots.ts'
import { isConfigName, listOthers } from '../../../src/host/guard/guarded-places.ts'
import { useFolders, useRepositories, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()

const repository = useRepositories()

type Given = Partial<Parameters<typeof snapshotSources>[0]>

function snapshot({ path }: TestFolder, given: Given = {}): Promise<SourceSnapshot> {
  return snapshotSources({ root: path, extraFiles: [], env: process.env, now: () => new Date(), ...given })
}

function changed(before: SourceSnapshot, writes: readonly string[] = []): Promise<readonly string[]> {
  return changedSources(before, { writes, env: process.env })
}

const files = { 'src/a.ts': '1', 'packages/one/package.json': '{}', 'packages/one/src/b.ts': '1' }

describe('what git tracks', () => {
  test.for<readonly [title: string, act: (folder: TestFolder) => unknown, names: readonly string[]]>([
    [
      'left index and commit',
      ({ git }) => git('rm', '-q', '--cached', 'src/a.ts') + git('commit', '-qm', 'x'),
      ['src/a.ts'],
    ],
    ['has no repository any more', ({ at }) => rename(at('.git'), at('elsewhere')), ['.git']],
    ['has a repository that is none', ({ at }) => rm(at('.git/HEAD')), ['.git']],
  ])('and %s is told', async ([, act, names]) => {
    const folder = repository(files)
    const before = await snapshot(folder)
    await act(folder)
    expect(await changed(before)).toEqual(names)
  })

  test('is listed in a repository without a commit, and whatever its configuration and replaced objects say', async () => {
    const folder = newFolder()
    await folder.write(files)
    folder.git('init', '-q')
    folder.git('add', '-A')
    expect((await snapshot(folder)).places.tracked).toHaveLength(3)
    folder.git('commit', '-qm', 'x')
    const tree = folder.git('rev-parse', 'HEAD^{tree}').trim()
    const empty = folder.git('hash-object', '-t', 'tree', '-w', '/dev/null').trim()
    folder.git('replace', tree, empty)
    folder.git('rm', '-rq', '--cached', 'src')
    folder.git('config', 'core.worktree', '/nowhere')
    expect((await snapshot(folder)).places.tracked?.toSorted()).toEqual(Object.keys(files).toSorted())
    const inner = await snapshot(folder, { root: folder.at('packages/one') })
    expect(inner.places.tracked?.toSorted()).toEqual(['package.json', 'src/b.ts'])
  })

  test('is guarded whatever bits its entry has, through a hard link, and with its times set back', async () => {
    const folder = repository(files)
    folder.git('update-index', '--assume-unchanged', 'src/a.ts')
    folder.git('update-index', '--skip-worktree', 'packages/one/src/b.ts')
    await link(folder.at('src/a.ts'), folder.at('other'))
    const then = await stat(folder.at('packages/one/src/b.ts'))
    const before = await snapshot(folder)
    await writeFile(folder.at('other'), '2')
    await writeFile(folder.at('packages/one/src/b.ts'), '2')
    await utimes(folder.at('packages/one/src/b.ts'), then.atime, then.mtime)
    expect(await changed(before)).toEqual(['packages/one/src/b.ts', 'src/a.ts'])
  })
})

describe('new configuration', () => {
  test('counts by its name, wherever packages are', async () => {
    const guarded = [
      ...['vitest.config.ts', 'vite.config.mts', 'vitest.workspace.json', 'jest.config.cjs', 'mdtest.config.json'],
      ...['.env.test', '.env', '.npmrc', 'src/tsconfig.json', 'packages/one/vitest.config.e2e.ts'],
      'packages/one/src/package.json',
    ]
    const others = ['.env.example', 'src/new.ts', 'data/package.json', 'notes.json']
    const folder = repository(files)
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await folder.write(Object.fromEntries([...guarded, ...others].map((name) => [name, ''])))
    expect(await changed(before)).toEqual(guarded.toSorted())
    expect(await changed(before, guarded)).toEqual([])
  })

  test('counts above the root up to the top of the repository, and no further', async () => {
    const above = newFolder()
    await above.write({ 'repo/packages/one/a.ts': '1' })
    above.git('init', '-q', 'repo')
    above.git('-C', 'repo', 'add', '-A')
    const before = await snapshot(above, { root: above.at('repo/packages/one') })
    await above.write({ '.npmrc': 'x', 'repo/.npmrc': 'x', 'repo/packages/vite.config.js': 'x' })
    expect(await changed(before)).toEqual([above.at('repo/.npmrc'), above.at('repo/packages/vite.config.js')])
  })

  test('counts in the root without git, as does what npm reads at home', async () => {
    const [folder, home] = [newFolder(), newFolder()]
    const before = await snapshot(folder, { env: { ...process.env, HOME: home.path } })
    await folder.write({ 'vitest.config.js': 'x', 'a/vitest.config.js': 'x' })
    await home.write({ '.npmrc': 'script-shell=/tmp/x' })
    expect(await changed(before)).toEqual([home.at('.npmrc'), 'vitest.config.js'].toSorted())
  })

  test('that git ignores is compared once it is there', async () => {
    const folder = repository({ ...files, '.gitignore': '.env*' })
    await folder.write({ '.env.local': 'A=1' })
    const before = await snapshot(folder)
    await folder.write({ '.env.local': 'A=2' })
    expect(await changed(before)).toEqual(['.env.local'])
  })
})

describe('behind a link that git tracks', () => {
  test('a file and the files of a folder outside are guarded, by either name', async () => {
    const outside = newFolder()
    await outside.write({ 'one.ts': '1', 'lib/two.ts': '1', 'lib/sub/three.ts': '1' })
    const folder = newFolder()
    await folder.write(files)
    await symlink(outside.at('one.ts'), folder.at('one.ts'))
    await symlink(outside.at('lib'), folder.at('lib'))
    await symlink('lib', folder.at('again'))
    await symlink('..', folder.at('circle'))
    await symlink('nowhere', folder.at('dead'))
    folder.commitAll()
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await outside.write({ 'one.ts': '2', 'lib/two.ts': '2', 'lib/sub/three.ts': '2', 'lib/new.ts': '1' })
    expect(await changed(before)).toEqual([
      outside.at('lib/sub/three.ts'),
      outside.at('lib/two.ts'),
      outside.at('one.ts'),
    ])
    expect(await changed(before, ['one.ts', 'again/**', 'lib/**'])).toEqual([])
  })

  test('a folder of the product that became a link to the same is none of its changes, with another content it is', async () => {
    const folder = repository(files)
    const before = await snapshot(folder)
    await rename(folder.at('src'), folder.at('moved'))
    await symlink('moved', folder.at('src'))
    expect(await changed(before)).toEqual([])
    await folder.write({ 'moved/a.ts': '2' })
    expect(await changed(before)).toEqual(['src/a.ts'])
  })
})

describe('programs', () => {
  test('of packages and in folders of PATH below the root and the home directory are guarded', async () => {
    const [home, other] = [newFolder(), newFolder()]
    const folder = repository(files)
    await folder.write({ 'tools/own': '1' })
    await home.write({ '.local/bin/python3': '1' })
    await other.write({ check: '1' })
    const PATH = `/usr/bin:${other.path}:${home.at('.local/bin')}:${home.at('bin')}:${folder.at('tools')}:`
    const before = await snapshot(folder, { env: { ...process.env, HOME: home.path, PATH } })
    expect(await changed(before)).toEqual([])
    await folder.write({ 'packages/one/node_modules/.bin/node': 'x', 'tools/own': '2' })
    await home.write({ '.local/bin/python3': '2', '.local/bin/.shim': 'x', 'bin/check': 'x', 'bin/a-new-tool': 'x' })
    await other.write({ free: 'x' })
    expect(await changed(before)).toEqual(
      [
        home.at('.local/bin/python3'),
        home.at('bin/check'),
        'packages/one/node_modules/.bin/node',
        'tools/own',
      ].toSorted(),
    )
    expect(await changed(before, [`${home.path}/**`, '**'])).toEqual([])
  })

  test('are compared by what is in them', async () => {
    const folder = newFolder()
    await folder.write({ 'node_modules/.bin/a': 'one', 'node_modules/.bin/b': 'one', 'node_modules/.bin/c': 'one' })
    const then = await stat(folder.at('node_modules/.bin/a'))
    const before = await snapshot(folder)
    await writeFile(folder.at('node_modules/.bin/a'), 'two')
    await utimes(folder.at('node_modules/.bin/a'), then.atime, then.mtime)
    await rm(folder.at('node_modules/.bin/b'))
    await folder.write({ 'node_modules/.bin/b': 'one' })
    await link(folder.at('node_modules/.bin/c'), folder.at('in-a-store'))
    expect(await changed(before)).toEqual(['node_modules/.bin/a'])
    await chmod(folder.at('node_modules/.bin/c'), 0o755)
    expect(await changed(before)).toEqual(['node_modules/.bin/a', 'node_modules/.bin/c'])
  })

  test('are those of PATH also where a folder of it is made by the agent', async () => {
    const home = newFolder()
    const folder = newFolder()
    const PATH = `${home.at('bin')}:/usr/bin:/bin`
    const before = await snapshot(folder, { env: { HOME: home.path, PATH } })
    await mkdir(home.at('real'))
    await home.write({ 'real/a-new-tool': 'x', 'real/ls': 'x' })
    await symlink('real', home.at('bin'))
    expect(await changed(before)).toEqual([home.at('bin/ls')])
  })
})

const otherFiles = {
  'notes.mjs': '1',
  'sub/new.mjs': '1',
  'data.json': '[]',
  'node_modules/a/index.js': '',
  'a.logs/t.log.md': '',
}

test('files that git neither tracks nor ignores', async () => {
  const folder = newFolder()
  await folder.write({ '.gitignore': 'data.json\nnode_modules\n', 'tracked.mjs': '1' })
  folder.commitAll()
  await folder.write(otherFiles)
  const context = { folder: folder.path, env: process.env }
  expect(await listOthers(context, true)).toEqual({ names: ['notes.mjs', 'sub/new.mjs'], cap: undefined })
})

test('without git, all files but logs and those of packages', async () => {
  const folder = newFolder()
  await folder.write(otherFiles)
  const { names } = await listOthers({ folder: folder.path, env: process.env }, false)
  expect(names.toSorted()).toEqual(['data.json', 'notes.mjs', 'sub/new.mjs'])
})

describe('a name of configuration', () => {
  test.each(
    `vitest.config.ts vite.config.mts vitest.workspace.js vitest.projects.ts jest.config.cjs jest.setup.ts jest.preset.js
    playwright.config.ts mdtest.config.json babel.config.json postcss.config.js vitest.config.e2e.ts
    setupTests.ts setup-vitest.mts package.json tsconfig.json tsconfig.build.json jsconfig.json deno.json deno.jsonc
    bunfig.toml lerna.json nx.json .babelrc .babelrc.js .swcrc .mocharc.yml .browserslistrc .npmrc .yarnrc .yarnrc.yml
    .pnpmfile.cjs pnpm-workspace.yaml .node-version .nvmrc .tool-versions conftest.py sitecustomize.py usercustomize.py
    pytest.ini .pytest.toml tox.ini setup.cfg pyproject.toml GNUmakefile makefile
    .env .env.local .env.test .env.test.local`.split(/\s+/),
  )('%s', (name) => {
    expect(isConfigName(name)).toBe(true)
  })

  test.each(
    `vitest.ts config.ts myvitest.config.ts vitest.config package.json.bak tsconfig.txt Makefile.am app.env .environment
    .env.example .env.sample .env.template .env.dist .env.a.b.c setup.ts setupdb.ts conftest.py.txt xpytest.ini
    README.md .npmrc.md`.split(/\s+/),
  )('is not %s', (name) => {
    expect(isConfigName(name)).toBe(name === 'vitest.config')
  })
})
