import { mkdirSync, symlinkSync } from 'node:fs'
import { chmod, mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  changedSources,
  filesBehindLinks,
  retakeSnapshot,
  snapshotSources,
  type SourceSnapshot,
} from '../../../src/host/guard/source-snapshots.ts'
import { useFolders, useRepositories, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()
const repository = useRepositories()

/** Long after the files were written, so that their stamps can be trusted. */
const later = (): Date => new Date(Date.now() + 60_000)

function snapshot({ path }: TestFolder, more: Partial<Parameters<typeof snapshotSources>[0]> = {}) {
  return snapshotSources({ root: path, extraFiles: [], env: process.env, now: later, ...more })
}

const changed = (before: SourceSnapshot, writes: readonly string[] = []): Promise<readonly string[]> =>
  changedSources(before, { writes })

const files = { 'a.ts': 'a', 'src/b c.ts': 'b', 'src/ü"\n.ts': 'c', 'var/state.json': '{}' }

describe('a tracked file', () => {
  /** What is done to a file of the name, and whether it is changed by that. Its text was `old`. */
  const acts: Readonly<Record<string, readonly [(folder: TestFolder, name: string) => Promise<unknown>, boolean]>> = {
    alone: [async () => undefined, false],
    'ü"\n with another content': [({ write }, name) => write({ [name]: 'new' }), true],
    'of the same size, with its times set back': [
      async ({ at, write }, name) => {
        await write({ [name]: 'new' })
        await utimes(at(name), 1_700_000_000, 1_700_000_000)
      },
      true,
    ],
    'in whose place another came of the same size and times': [
      async ({ at, write }, name) => {
        await write({ other: 'new' })
        await utimes(at('other'), 1_700_000_000, 1_700_000_000)
        await rename(at('other'), at(name))
      },
      true,
    ],
    touched: [({ at }, name) => utimes(at(name), new Date(), new Date()), false],
    'changed and put back': [
      async ({ write }, name) => {
        await write({ [name]: 'new' })
        await write({ [name]: 'old' })
      },
      false,
    ],
    gone: [({ at }, name) => rm(at(name)), true],
    'made executable': [({ at }, name) => chmod(at(name), 0o755), true],
    'made a link': [
      async ({ at }, name) => {
        await rm(at(name))
        await symlink('alone', at(name))
      },
      true,
    ],
    'made a folder': [
      async ({ at }, name) => {
        await rm(at(name))
        await mkdir(at(name))
      },
      true,
    ],
    'folder/gone': [({ at }) => rm(at('folder'), { recursive: true }), true],
    'file/of a folder': [
      async ({ at, write }) => {
        await rm(at('file'), { recursive: true })
        await write({ file: '' })
      },
      true,
    ],
    'of more than 50 MiB, touched': [({ at }, name) => utimes(at(name), new Date(), new Date()), true],
  }

  test('is changed by these acts', async () => {
    const names = Object.keys(acts)
    const folder = newFolder()
    await folder.write(Object.fromEntries(names.map((name) => [name, 'old'])))
    await symlink('one', folder.at('link'))
    folder.commitAll()
    await truncate(folder.at('of more than 50 MiB, touched'), 51 * 1024 * 1024)
    for (const name of names) await utimes(folder.at(name), 1_700_000_000, 1_700_000_000)
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    for (const [name, [act]] of Object.entries(acts)) await act(folder, name)
    await rm(folder.at('link'))
    await symlink('two', folder.at('link'))
    const expected = Object.entries(acts).flatMap(([name, [, isChanged]]) => (isChanged ? [name] : []))
    expect(await changed(before)).toEqual([...expected, 'link'].toSorted())
  })

  test('is compared with its state at the start where it was modified or deleted before', async () => {
    const folder = repository({ dirty: '1', gone: '2', back: '3' })
    await folder.write({ dirty: 'my own edit' })
    await rm(folder.at('gone'))
    await rm(folder.at('back'))
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await folder.write({ dirty: '1', back: '3' })
    expect(await changed(before)).toEqual(['back', 'dirty'])
  })

  test('is still guarded when the agent takes it out of the index or commits its change', async () => {
    const folder = repository(files)
    const before = await snapshot(folder)
    folder.git('rm', '-q', '--cached', 'a.ts')
    await folder.write({ 'a.ts': 'x', 'var/state.json': 'y' })
    folder.git('commit', '-q', '-a', '-m', 'hide it')
    expect(await changed(before)).toEqual(['a.ts', 'var/state.json'])
  })

  test('may change where it matches `writes`, and a new file is no change', async () => {
    const folder = repository(files)
    const before = await snapshot(folder)
    await folder.write({ 'var/state.json': 'x', 'a.ts': 'x', 'new.ts': '' })
    folder.git('add', '-A')
    expect(await changed(before, ['var/**', '*.json'])).toEqual(['a.ts'])
  })
})

test('a file that was written just before the snapshot is read, whatever its stamp', async () => {
  const folder = repository(files)
  await folder.write({ 'a.ts': 'y' })
  const taken = await snapshot(folder, { now: () => new Date() })
  const file = folder.at('a.ts')
  await folder.write({ 'a.ts': 'x' })
  const after = await snapshot(folder, { now: () => new Date() })
  // A clock that had not moved on would give both states the same stamp.
  const state = { ...taken.files.get(file)!, stamp: after.files.get(file)!.stamp }
  const sameTick = { ...taken, files: new Map(taken.files).set(file, state) }
  expect(await changed(sameTick)).toEqual(['a.ts'])
})

describe('a program in `node_modules/.bin`', () => {
  async function installed(): Promise<TestFolder> {
    const folder = newFolder()
    await folder.write({ 'node_modules/tool/cli.js': 'a', 'node_modules/.bin/own': 'a' })
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

  test('is guarded in a folder that was not there, and where PATH has one', async () => {
    const [folder, above] = [newFolder(), newFolder()]
    const env = { ...process.env, PATH: `/usr/bin:${above.at('node_modules/.bin')}:/bin` }
    const before = await snapshot(folder, { env })
    await folder.write({ 'node_modules/.bin/a': 'x' })
    await above.write({ 'node_modules/.bin/b': 'x', 'node_modules/other': 'x' })
    expect(await changed(before)).toEqual([above.at('node_modules/.bin/b'), 'node_modules/.bin/a'])
  })
})

test('extra files are guarded untracked, outside of the root, and behind links', async () => {
  const folder = repository({ ...files, '.gitignore': 'ignored.ts' })
  const outside = newFolder()
  await outside.write({ 'config.ts': '1', 'target.ts': '2' })
  await folder.write({ 'ignored.ts': '3' })
  await symlink(outside.at('target.ts'), folder.at('linked.ts'))
  const inside = ['ignored.ts', 'linked.ts', 'absent.ts'].map((name) => folder.at(name))
  const before = await snapshot(folder, { extraFiles: [outside.at('config.ts'), ...inside] })
  expect(await changed(before)).toEqual([])
  await outside.write({ 'config.ts': 'x', 'target.ts': 'x' })
  await folder.write({ 'ignored.ts': 'x', 'absent.ts': 'x' })
  expect(await changed(before)).toEqual(
    [outside.at('config.ts'), outside.at('target.ts'), 'absent.ts', 'ignored.ts'].toSorted(),
  )
})

describe('git', () => {
  test('lists below the root only, also from inside a hook', async () => {
    const folder = repository({ 'app/a.ts': '1', 'other/b.ts': '2' })
    const env = { ...process.env, GIT_DIR: '.git', GIT_INDEX_FILE: '.git/none' }
    const before = await snapshot(folder, { root: folder.at('app'), env })
    await folder.write({ 'app/a.ts': 'x', 'other/b.ts': 'x' })
    expect(await changed(before)).toEqual(['a.ts'])
  })

  test('lists the files of submodules, though they left the index, but not of other repositories inside', async () => {
    const inner = repository({ 'in.ts': '1' })
    const folder = repository(files)
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub')
    folder.git('commit', '-qm', 'sub')
    await folder.write({ 'nested/n.ts': '1' })
    folder.git('init', '-q', 'nested')
    folder.git('-C', 'nested', 'add', '-A')
    folder.git('rm', '-q', '--cached', 'sub')
    const before = await snapshot(folder)
    expect(await changed(before)).toEqual([])
    await folder.write({ 'sub/in.ts': 'x', 'nested/n.ts': 'x' })
    expect(await changed(before)).toEqual(['sub/in.ts'])
  })

  test('that fails is an error: nothing would be guarded', async () => {
    const folder = repository(files)
    await writeFile(folder.at('.git/index'), 'broken')
    await expect(snapshot(folder)).rejects.toMatchObject({ code: 'HOST_GIT_FAILED' })
  })

  test('starts no program of the repository, and is ended by a signal', async () => {
    const folder = repository(files)
    folder.git('config', 'core.fsmonitor', `touch ${folder.at('started')}; false`)
    await snapshot(folder)
    await expect(stat(folder.at('started'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(snapshot(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

test('a snapshot taken again holds the same files as they are now, and asks git for nothing', async () => {
  const folder = repository(files)
  const first = await snapshot(folder)
  await folder.write({ 'a.ts': 'changed', 'new.ts': '' })
  folder.git('add', '-A')
  const second = await retakeSnapshot(first, { now: later })
  expect([...second.files.keys()]).toEqual([...first.files.keys()])
  expect(await changed(second)).toEqual([])
  await folder.write({ 'a.ts': 'a', 'src/b c.ts': 'x' })
  expect(await changed(second)).toEqual(['a.ts', 'src/b c.ts'])
})

/** A root with links, and what lies beside it. */
async function linked(target: string): Promise<{ readonly folder: TestFolder; readonly found: readonly string[] }> {
  const folder = newFolder()
  await folder.write({
    'root/src/a.ts': '',
    'out/b.ts': '',
    'out/sub/c.ts': '',
    'out/node_modules/x/d.ts': '',
    'out/.git/HEAD': '',
  })
  mkdirSync(folder.at('empty'))
  symlinkSync(target, folder.at('root/link'))
  const behind = filesBehindLinks([folder.at('root/link')], folder.at('root'))
  const short = (path: string): string => path.slice(folder.path.length + 1)
  return { folder, found: [...behind].map(([file, name]) => `${short(file)} as ${short(name)}`).toSorted() }
}

describe('behind a link', () => {
  test.each<[string, readonly string[]]>([
    ['src/a.ts', ['root/src/a.ts as root/link']],
    ['../out/b.ts', ['out/b.ts as root/link']],
    ['../out', ['out/b.ts as root/link/b.ts', 'out/sub/c.ts as root/link/sub/c.ts']],
    ['../empty', []],
    ['src', []],
    ['.', []],
    ['..', []],
    ['nowhere', []],
    ['link', []],
  ])('to %s', async (target, files) => {
    expect((await linked(target)).found).toEqual(files)
  })

  test('is nothing where there is no link, and no root either', () => {
    expect(filesBehindLinks([], '/nowhere').size).toBe(0)
  })
})
