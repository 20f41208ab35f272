import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyRoot } from '../../../src/scenario/workspace/copy-root.ts'
import { useFolders, type TestFolder } from '../../host/use-folder.ts'

const newFolder = useFolders()

/** Copies a folder; gives the copy. */
async function copy(folder: TestFolder, root = folder.path): Promise<string> {
  const target = newFolder().path
  await copyRoot({ root, target, env: process.env })
  return target
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

describe('with git', () => {
  test('tracked and new files are copied as they are on disk, ignored and deleted ones are not', async () => {
    const folder = newFolder()
    await folder.write({ '.gitignore': 'dist\n.env', 'a.ts': 'old', 'b/ü "\n.ts': '', 'gone.ts': '', 'dist/x': '' })
    folder.commitAll()
    await folder.write({ 'a.ts': 'edited', 'new/n.ts': 'new', '.env': 'ignored' })
    await rm(folder.at('gone.ts'))
    const target = await copy(folder)
    expect(await namesIn(target)).toEqual(['.gitignore', 'a.ts', 'b/ü "\n.ts', 'new/n.ts'])
    expect(await readFile(join(target, 'a.ts'), 'utf8')).toBe('edited')
    await expect(lstat(join(target, '.git'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a file that is ignored but tracked is copied, a log folder is not', async () => {
    const folder = newFolder()
    await folder.write({ 'kept.log': '1', 'a.logs/old.log.md': '2' })
    folder.commitAll()
    await folder.write({ '.gitignore': '*.log', 'b/b.logs/new.log.md': '3' })
    expect(await namesIn(await copy(folder))).toEqual(['.gitignore', 'kept.log'])
  })

  test('submodules and other repositories inside are copied by their own rules, where they are checked out', async () => {
    const inner = newFolder()
    await inner.write({ 'in.ts': '', '.gitignore': 'out' })
    inner.commitAll()
    const folder = newFolder()
    await folder.write({ 'a.ts': '' })
    folder.commitAll()
    for (const name of ['sub', 'gone'])
      folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, name)
    folder.git('submodule', '--quiet', 'deinit', '-f', 'gone')
    folder.git('clone', '-q', inner.path, 'deep/nested')
    await folder.write({ 'sub/out': '', 'deep/nested/new.ts': '', 'deep/nested/out': '' })
    expect(await namesIn(await copy(folder))).toEqual([
      ...['.gitmodules', 'a.ts', 'deep/nested/.gitignore', 'deep/nested/in.ts', 'deep/nested/new.ts'],
      ...['sub/.gitignore', 'sub/in.ts'],
    ])
  })
})

test('a file with holes has them in the copy, too', async () => {
  const folder = newFolder()
  await folder.write({ 'disk.img': 'a' })
  await truncate(folder.at('disk.img'), 10 * 1024 ** 3)
  await chmod(folder.at('disk.img'), 0o750)
  const { size, blocks, mode } = await stat(join(await copy(folder), 'disk.img'))
  expect({ size, mode: mode & 0o777 }).toEqual({ size: 10 * 1024 ** 3, mode: 0o750 })
  expect(blocks).toBeLessThan(100)
})

test('without git everything but log folders is copied', async () => {
  const folder = newFolder()
  await folder.write({ '.gitignore': 'dist', 'dist/x': '', 'a/b/c': '', 'a/x.logs/l': '' })
  expect(await namesIn(await copy(folder))).toEqual(['.gitignore', 'a/b/c', 'dist/x'])
})

test('git is not started where there is no repository', async () => {
  const folder = newFolder()
  const bin = newFolder()
  await folder.write({ a: '' })
  await bin.write({ git: '#!/bin/sh\necho started >"$(dirname "$0")/started"\n' })
  await chmod(bin.at('git'), 0o755)
  await copyRoot({ root: folder.path, target: newFolder().path, env: { PATH: `${bin.path}:${process.env['PATH']}` } })
  expect(await namesIn(bin.path)).toEqual(['git'])
})

test('permissions are kept and a named pipe is left out', async () => {
  const folder = newFolder()
  await folder.write({ run: '', secret: '', 'read-only': '' })
  await chmod(folder.at('run'), 0o755)
  await chmod(folder.at('secret'), 0o600)
  await chmod(folder.at('read-only'), 0o444)
  execFileSync('mkfifo', [folder.at('pipe')])
  const target = await copy(folder)
  const mode = async (name: string): Promise<number> => (await stat(join(target, name))).mode & 0o777
  expect([await mode('run'), await mode('secret'), await mode('read-only')]).toEqual([0o755, 0o600, 0o444])
  expect(await namesIn(target)).not.toContain('pipe')
})

test('what is written in the copy is not written in the original', async () => {
  const folder = newFolder()
  await folder.write({ 'a.ts': 'original' })
  await symlink(folder.at('a.ts'), folder.at('absolute'))
  const target = await copy(folder)
  execFileSync('sh', ['-c', 'echo changed > absolute'], { cwd: target })
  expect(await readFile(join(target, 'a.ts'), 'utf8')).toBe('changed\n')
  expect(await readFile(folder.at('a.ts'), 'utf8')).toBe('original')
})

test('links stay as they are unless they leave the root', async () => {
  const outside = newFolder()
  await outside.write({ 'o.ts': '', 'root/d/a.ts': '' })
  const [root, alias] = [outside.at('root'), outside.at('alias')]
  await symlink(root, alias)
  await symlink('d/a.ts', join(root, 'inner'))
  await symlink('missing', join(root, 'dangling'))
  await symlink('../../o.ts', join(root, 'd/leaves'))
  await symlink(join(alias, 'd/a.ts'), join(root, 'by-alias'))
  const target = await copy(outside, alias)
  expect(await readlink(join(target, 'inner'))).toBe('d/a.ts')
  expect(await readlink(join(target, 'dangling'))).toBe('missing')
  expect(await readlink(join(target, 'd/leaves'))).toBe(outside.at('o.ts'))
  expect(await readlink(join(target, 'by-alias'))).toBe(join(target, 'd/a.ts'))
})

describe('installed packages', () => {
  async function workspace(): Promise<TestFolder> {
    const folder = newFolder()
    await folder.write({
      'packages/own/index.js': 'own',
      'packages/own/node_modules/deep/index.js': 'deep',
      'node_modules/lib/index.js': 'lib',
      'node_modules/@scope/lib/index.js': 'scoped',
      'node_modules/.cache/x': '',
      'node_modules/.store/real/index.js': 'real',
    })
    await symlink('../packages/own', folder.at('node_modules/own'))
    await symlink('../../packages/own', folder.at('node_modules/@scope/own'))
    await symlink('.store/real', folder.at('node_modules/real'))
    await mkdir(folder.at('node_modules/.bin'))
    await symlink('../own/index.js', folder.at('node_modules/.bin/own'))
    return folder
  }

  test.for([['ignored by git'], ['in a repository that does not ignore them'], ['without git']])(
    'are linked, and those of the workspace lead to the copy: %s',
    async ([how]) => {
      const folder = await workspace()
      if (how === 'ignored by git') await folder.write({ '.gitignore': 'node_modules/' })
      if (how !== 'without git') folder.git('init', '-q', '--template=')
      const target = await copy(folder)
      const lead = (name: string): Promise<string> => realpath(join(target, name))
      expect(await lead('node_modules/lib')).toBe(folder.at('node_modules/lib'))
      expect(await lead('node_modules/@scope/lib')).toBe(folder.at('node_modules/@scope/lib'))
      expect(await lead('node_modules/real')).toBe(folder.at('node_modules/.store/real'))
      expect(await lead('node_modules/own')).toBe(join(target, 'packages/own'))
      expect(await lead('node_modules/@scope/own')).toBe(join(target, 'packages/own'))
      expect(await lead('node_modules/.bin/own')).toBe(join(target, 'packages/own/index.js'))
      expect(await lead('packages/own/node_modules/deep')).toBe(folder.at('packages/own/node_modules/deep'))
      expect((await lstat(join(target, 'packages/own/index.js'))).isFile()).toBe(true)
      await expect(lead('node_modules/.cache')).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )

  test('of folders above the root are linked, the nearest first', async () => {
    const folder = await workspace()
    await folder.write({ 'packages/own/node_modules/lib/index.js': 'nearer' })
    const target = await copy(folder, folder.at('packages/own'))
    expect(await readFile(join(target, 'node_modules/lib/index.js'), 'utf8')).toBe('nearer')
    expect(await readFile(join(target, 'node_modules/@scope/lib/index.js'), 'utf8')).toBe('scoped')
    expect(await realpath(join(target, 'node_modules/own'))).toBe(target)
  })

  test('are linked where `node_modules` is itself a link', async () => {
    const [folder, elsewhere] = [newFolder(), newFolder()]
    await elsewhere.write({ 'node_modules/lib/index.js': '' })
    await folder.write({ 'a.ts': '', '.gitignore': 'node_modules/' })
    await symlink(elsewhere.at('node_modules'), folder.at('node_modules'))
    folder.git('init', '-q', '--template=')
    const target = await copy(folder)
    expect(await realpath(join(target, 'node_modules/lib'))).toBe(elsewhere.at('node_modules/lib'))
  })

  test('that are tracked are copied, the others beside them linked', async () => {
    const folder = newFolder()
    await folder.write({ 'node_modules/own/index.js': 'tracked' })
    folder.commitAll()
    await folder.write({ 'node_modules/lib/index.js': '' })
    const target = await copy(folder)
    expect((await lstat(join(target, 'node_modules/own/index.js'))).isFile()).toBe(true)
    expect(await realpath(join(target, 'node_modules/own/index.js'))).toBe(join(target, 'node_modules/own/index.js'))
    expect(await realpath(join(target, 'node_modules/lib'))).toBe(folder.at('node_modules/lib'))
  })
})

describe('a copy that cannot be made is an error', () => {
  test('when the target is in the root', async () => {
    const folder = newFolder()
    await folder.write({ a: '' })
    const made = copyRoot({ root: folder.path, target: folder.at('copy'), env: process.env })
    await expect(made).rejects.toMatchObject({ code: 'HOST_COPY_TARGET' })
  })

  test('when the target holds a file already', async () => {
    const [folder, target] = [newFolder(), newFolder()]
    await folder.write({ a: '1' })
    await target.write({ a: '2' })
    const made = copyRoot({ root: folder.path, target: target.path, env: process.env })
    await expect(made).rejects.toMatchObject({ code: 'HOST_COPY_FAILED' })
    expect(await readFile(target.at('a'), 'utf8')).toBe('2')
  })

  test('when it is aborted', async () => {
    const folder = newFolder()
    await folder.write({ a: '1' })
    const made = copyRoot({ root: folder.path, target: newFolder().path, env: {}, signal: AbortSignal.abort() })
    await expect(made).rejects.toMatchObject({ name: 'AbortError' })
  })
})
