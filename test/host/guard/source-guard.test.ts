import { chmod, mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  changedSources,
  retakeSnapshot,
  snapshotSources,
  type SourceSnapshot,
} from '../../../src/host/guard/source-guard.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()

/** Long after the files were written, so that their stamps can be trusted. */
const later = (): Date => new Date(Date.now() + 60_000)

async function repository(files: Readonly<Record<string, string>>): Promise<TestFolder> {
  const folder = newFolder()
  await folder.write(files)
  folder.commitAll()
  return folder
}

function snapshot({ path }: TestFolder, more: Partial<Parameters<typeof snapshotSources>[0]> = {}) {
  return snapshotSources({ root: path, extraFiles: [], env: process.env, now: later, ...more })
}

const changed = (before: SourceSnapshot, writes: readonly string[] = []): Promise<readonly string[]> =>
  changedSources(before, { writes })

const files = { 'a.ts': 'a', 'src/b c.ts': 'b', 'src/ü"\n.ts': 'c', 'var/state.json': '{}' }

describe('a tracked file', () => {
  test('is unchanged when nothing was done', async () => {
    expect(await changed(await snapshot(await repository(files)))).toEqual([])
  })

  test('is changed when its content is, whatever its name', async () => {
    const folder = await repository(files)
    const before = await snapshot(folder)
    await folder.write({ 'src/ü"\n.ts': 'x', 'src/b c.ts': 'bb' })
    expect(await changed(before)).toEqual(['src/b c.ts', 'src/ü"\n.ts'])
  })

  test('is changed when its size and times are set back', async () => {
    const folder = await repository(files)
    await utimes(folder.at('a.ts'), 1_700_000_000, 1_700_000_000)
    const before = await snapshot(folder)
    await folder.write({ 'a.ts': 'x' })
    await utimes(folder.at('a.ts'), 1_700_000_000, 1_700_000_000)
    expect(await changed(before)).toEqual(['a.ts'])
  })

  test('is changed when another file of the same size and times took its place', async () => {
    const folder = await repository(files)
    await utimes(folder.at('a.ts'), 1_700_000_000, 1_700_000_000)
    const before = await snapshot(folder)
    await folder.write({ new: 'x' })
    await utimes(folder.at('new'), 1_700_000_000, 1_700_000_000)
    await rename(folder.at('new'), folder.at('a.ts'))
    expect(await changed(before)).toEqual(['a.ts'])
  })

  test('is not changed when it was touched, or changed and put back', async () => {
    const folder = await repository(files)
    const before = await snapshot(folder)
    await utimes(folder.at('a.ts'), new Date(), new Date())
    await folder.write({ 'src/b c.ts': 'other' })
    await folder.write({ 'src/b c.ts': 'b' })
    expect(await changed(before)).toEqual([])
  })

  test('is changed when it is gone, made executable, a link or a folder', async () => {
    const folder = await repository({ deleted: '1', mode: '2', link: '3', folder: '4', same: '3' })
    const before = await snapshot(folder)
    await rm(folder.at('deleted'))
    await chmod(folder.at('mode'), 0o755)
    await rm(folder.at('link'))
    await symlink('same', folder.at('link'))
    await rm(folder.at('folder'))
    await mkdir(folder.at('folder'))
    expect(await changed(before)).toEqual(['deleted', 'folder', 'link', 'mode'])
  })

  test('is changed when a folder on its way is gone or became a file', async () => {
    const folder = await repository({ 'a/x': '1', 'b/y': '2' })
    const before = await snapshot(folder)
    await rm(folder.at('a'), { recursive: true })
    await rm(folder.at('b'), { recursive: true })
    await folder.write({ b: '' })
    expect(await changed(before)).toEqual(['a/x', 'b/y'])
  })

  test('that is a link is changed when it leads elsewhere', async () => {
    const folder = newFolder()
    await symlink('one', folder.at('link'))
    folder.commitAll()
    const before = await snapshot(folder)
    await rm(folder.at('link'))
    await symlink('two', folder.at('link'))
    expect(await changed(before)).toEqual(['link'])
  })

  test('is compared with its state at the start where it was modified or deleted before', async () => {
    const folder = await repository({ dirty: '1', gone: '2', back: '3' })
    await folder.write({ dirty: 'my own edit' })
    await rm(folder.at('gone'))
    await rm(folder.at('back'))
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await folder.write({ dirty: '1', back: '3' })
    expect(await changed(before)).toEqual(['back', 'dirty'])
  })

  test('is still guarded when the agent takes it out of the index or commits its change', async () => {
    const folder = await repository(files)
    const before = await snapshot(folder)
    folder.git('rm', '-q', '--cached', 'a.ts')
    await folder.write({ 'a.ts': 'x', 'var/state.json': 'y' })
    folder.git('commit', '-q', '-a', '-m', 'hide it')
    expect(await changed(before)).toEqual(['a.ts', 'var/state.json'])
  })

  test('of more than 50 MiB is changed as soon as it is touched', async () => {
    const folder = await repository({ large: '' })
    await truncate(folder.at('large'), 51 * 1024 * 1024)
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await utimes(folder.at('large'), new Date(), new Date())
    expect(await changed(before)).toEqual(['large'])
  })
})

test('a file that was written just before the snapshot is read, whatever its stamp', async () => {
  const folder = await repository(files)
  const taken = await snapshot(folder, { now: () => new Date() })
  const file = folder.at('a.ts')
  await folder.write({ 'a.ts': 'x' })
  const after = await snapshot(folder, { now: () => new Date() })
  // A clock that had not moved on would give both states the same stamp.
  const state = { ...taken.files.get(file)!, stamp: after.files.get(file)!.stamp }
  const sameTick = { ...taken, files: new Map(taken.files).set(file, state) }
  expect(await changed(sameTick)).toEqual(['a.ts'])
})

test('new files are not a change', async () => {
  const folder = await repository(files)
  const before = await snapshot(folder)
  await folder.write({ 'new.ts': '', 'src/new.ts': '' })
  folder.git('add', '-A')
  expect(await changed(before)).toEqual([])
})

test('files that match `writes` may change', async () => {
  const folder = await repository(files)
  const before = await snapshot(folder)
  await folder.write({ 'var/state.json': 'x', 'a.ts': 'x' })
  expect(await changed(before, ['var/**', '*.json'])).toEqual(['a.ts'])
})

describe('a program in `node_modules/.bin`', () => {
  const ignored = { '.gitignore': 'node_modules\n', 'node_modules/tool/cli.js': 'a', 'node_modules/.bin/own': 'a' }
  async function installed(): Promise<TestFolder> {
    const folder = await repository(ignored)
    await symlink('../tool/cli.js', folder.at('node_modules/.bin/tool'))
    return folder
  }

  test.for<readonly [title: string, change: (folder: TestFolder) => Promise<unknown>, name: string]>([
    ['is new', (folder) => folder.write({ 'node_modules/.bin/node': 'x' }), 'node'],
    ['is gone', ({ at }) => rm(at('node_modules/.bin/tool')), 'tool'],
    ['was written', (folder) => folder.write({ 'node_modules/.bin/own': 'b' }), 'own'],
    ['was made executable', ({ at }) => chmod(at('node_modules/.bin/own'), 0o755), 'own'],
    ['leads to what was written', (folder) => folder.write({ 'node_modules/tool/cli.js': 'b' }), 'tool'],
    ['leads nowhere any more', ({ at }) => rm(at('node_modules/tool'), { recursive: true }), 'tool'],
    [
      'leads elsewhere',
      async ({ at }) => {
        await rm(at('node_modules/.bin/tool'))
        await symlink('./own', at('node_modules/.bin/tool'))
      },
      'tool',
    ],
  ])('that %s is a change', async ([, change, name]) => {
    const folder = await installed()
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await change(folder)
    expect(await changed(before)).toEqual([`node_modules/.bin/${name}`])
    expect(await changed(before, ['node_modules/'])).toEqual([])
    expect(await changed(await retakeSnapshot(before, { now: later }))).toEqual([])
  })

  test('is guarded in a folder that was not there, without a repository, and where PATH has one', async () => {
    const [folder, above] = [newFolder(), newFolder()]
    const env = { ...process.env, PATH: `/usr/bin:${above.at('node_modules/.bin')}:/bin` }
    const before = await snapshot(folder, { env })
    await folder.write({ 'node_modules/.bin/a': 'x' })
    await above.write({ 'node_modules/.bin/b': 'x', 'node_modules/other': 'x' })
    expect(await changed(before)).toEqual([above.at('node_modules/.bin/b'), 'node_modules/.bin/a'])
  })
})

describe('extra files', () => {
  test('are guarded untracked, outside of the root, and behind links', async () => {
    const folder = await repository({ ...files, '.gitignore': 'ignored.ts' })
    const outside = newFolder()
    await outside.write({ 'config.ts': '1', 'target.ts': '2' })
    await folder.write({ 'ignored.ts': '3' })
    await symlink(outside.at('target.ts'), folder.at('linked.ts'))
    const extraFiles = [
      outside.at('config.ts'),
      folder.at('ignored.ts'),
      folder.at('linked.ts'),
      folder.at('absent.ts'),
    ]
    const before = await snapshot(folder, { extraFiles })
    expect(await changed(before)).toEqual([])
    await outside.write({ 'config.ts': 'x', 'target.ts': 'x' })
    await folder.write({ 'ignored.ts': 'x', 'absent.ts': 'x' })
    expect(await changed(before)).toEqual(
      [outside.at('config.ts'), outside.at('target.ts'), 'absent.ts', 'ignored.ts'].toSorted(),
    )
  })

  test('are all there is without a repository', async () => {
    const folder = newFolder()
    await folder.write({ 'a.ts': '1', 'config.ts': '2' })
    const before = await snapshot(folder, { extraFiles: [folder.at('config.ts')] })
    await folder.write({ 'a.ts': 'x', 'config.ts': 'x' })
    expect(await changed(before)).toEqual(['config.ts'])
  })
})

describe('git', () => {
  test('lists below the root only, also from inside a hook', async () => {
    const folder = await repository({ 'app/a.ts': '1', 'other/b.ts': '2' })
    const env = { ...process.env, GIT_DIR: '.git', GIT_INDEX_FILE: '.git/none' }
    const before = await snapshot(folder, { root: folder.at('app'), env })
    await folder.write({ 'app/a.ts': 'x', 'other/b.ts': 'x' })
    expect(await changed(before)).toEqual(['a.ts'])
  })

  test('lists the files of submodules, but not of other repositories inside', async () => {
    const inner = await repository({ 'in.ts': '1' })
    const folder = await repository(files)
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub')
    await folder.write({ 'nested/n.ts': '1' })
    folder.git('init', '-q', 'nested')
    folder.git('-C', 'nested', 'add', '-A')
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await folder.write({ 'sub/in.ts': 'x', 'nested/n.ts': 'x' })
    expect(await changed(before)).toEqual(['sub/in.ts'])
  })

  test('that fails is an error: nothing would be guarded', async () => {
    const folder = await repository(files)
    await writeFile(folder.at('.git/index'), 'broken')
    await expect(snapshot(folder)).rejects.toMatchObject({ code: 'HOST_GIT_FAILED' })
  })

  test('starts no program of the repository', async () => {
    const folder = await repository(files)
    folder.git('config', 'core.fsmonitor', `touch ${folder.at('started')}; false`)
    await snapshot(folder)
    await expect(stat(folder.at('started'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('a signal ends a snapshot', async () => {
  const folder = await repository(files)
  await expect(snapshot(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

test('a snapshot taken again holds the same files as they are now, and asks git for nothing', async () => {
  const folder = await repository(files)
  const first = await snapshot(folder)
  await folder.write({ 'a.ts': 'changed', 'new.ts': '' })
  folder.git('add', '-A')
  const second = await retakeSnapshot(first, { now: later })
  expect([...second.files.keys()]).toEqual([...first.files.keys()])
  expect(await changed(second)).toEqual([])
  await folder.write({ 'a.ts': 'a', 'src/b c.ts': 'x' })
  expect(await changed(second)).toEqual(['a.ts', 'src/b c.ts'])
})
