import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openCheckpoints, type Checkpoints } from '../../../../src/commands/attempt/checkpoints/checkpoints.ts'

let root: string
const path = (name: string): string => join(root, name)
const write = (name: string, text: string): void => {
  mkdirSync(join(path(name), '..'), { recursive: true })
  writeFileSync(path(name), text)
}

const gitEnv = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
function git(args: readonly string[], cwd = root): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always']
  return execFileSync('git', [...identity, ...args], { cwd, env: gitEnv, encoding: 'utf8', stdio: 'pipe' })
}

/** Of a file that is new. */
const usualMode = (0o666 & ~process.umask()).toString(8)

/** All that is in the folder, ignored files too: kind, permissions and content. */
function picture(folder = root, prefix = ''): Record<string, string> {
  const entries = readdirSync(Buffer.from(folder, 'latin1'), { encoding: 'latin1' })
    .filter((name) => !['.git', '.mdtest'].includes(name))
    .flatMap((name): [string, string][] => {
      const file = Buffer.from(`${folder}/${name}`, 'latin1')
      const stats = lstatSync(file)
      if (stats.isSymbolicLink()) return [[prefix + name, `-> ${readlinkSync(file)}`]]
      if (stats.isFIFO()) return [[prefix + name, `pipe ${(stats.mode & 0o777).toString(8)}`]]
      if (stats.isFile()) {
        return [[prefix + name, `${(stats.mode & 0o777).toString(8)} ${readFileSync(file, 'latin1')}`]]
      }
      const inner = Object.entries(picture(`${folder}/${name}`, `${prefix}${name}/`))
      return [[`${prefix}${name}/`, ''], ...inner]
    })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const makeTempDir = (): string => {
  mkdirSync(path('.mdtest'), { recursive: true })
  return mkdtempSync(path('.mdtest/t'))
}
const open = (refPrefix = 'refs/mdtest/s'): Promise<Checkpoints> =>
  openCheckpoints({
    root,
    folder: path('.mdtest/c'),
    trees: { makeTempDir },
    refPrefix,
    env: gitEnv,
  })

/** What git says of the user's own. */
const gitState = (): string =>
  [git(['rev-parse', 'HEAD']), git(['ls-files', '-s']), git(['diff', '--cached', '--stat'])].join('\n')

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-checkpoint-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A project with everything in it, half of it not committed. */
function fill(): void {
  write('.gitignore', 'ignored/\n*.log\n/*.snap\n')
  write('.gitattributes', '*.txt text eol=lf\n')
  write('crlf.txt', 'a\r\nb\n')
  write('src/a.js', 'committed\n')
  write('src/gone.js', 'gone\n')
  write('deep/er/only.js', 'only\n')
  write('run.sh', '#!/bin/sh\n')
  chmodSync(path('run.sh'), 0o777 & ~process.umask())
  write('private.txt', 'mine\n')
  chmodSync(path('private.txt'), 0o600)
  write('secret.txt', 'mine\n')
  chmodSync(path('secret.txt'), 0o400)
  execFileSync('mkfifo', ['-m', '620', path('a pipe')])
  symlinkSync('src/a.js', path('link'))
  symlinkSync('nowhere', path('dangling'))
  mkdirSync(path('empty/inner'), { recursive: true })
  writeFileSync(Buffer.from(`${root}/odd \n"\\\u00ff\u0001`, 'latin1'), 'odd bytes')
  write('ignored/big', 'ignored\n')
  write('a.log', 'ignored too\n')
  write('tracked.snap', 'tracked although ignored\n')
}

/** All that an agent may do to it. */
function wreck(): void {
  write('.gitignore', 'src/\nuntracked.js\n')
  write('src/.gitignore', '*\n')
  write('src/a.js', 'wrecked\n')
  rmSync(path('untracked.js'))
  rmSync(path('deep'), { recursive: true })
  write('deep', 'a file now')
  rmSync(path('run.sh'))
  mkdirSync(path('run.sh'))
  write('run.sh/in', 'a folder now')
  chmodSync(path('private.txt'), 0o700)
  rmSync(path('secret.txt'))
  rmSync(path('a pipe'))
  rmSync(path('link'))
  symlinkSync('/etc', path('link'))
  rmSync(path('empty'), { recursive: true })
  write('crlf.txt', 'a\nb\n')
  renameSync(Buffer.from(`${root}/odd \n"\\\u00ff\u0001`, 'latin1'), path('odd'))
  write('new/folder/file.js', 'new\n')
  rmSync(path('tracked.snap'))
}

describe('in a repository', () => {
  let first: string
  beforeAll(() => {
    first = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-first-')))
    root = first
    git(['init', '-q', '--template='])
    fill()
    git(['add', '.'])
    git(['add', '-f', 'tracked.snap'])
    git(['commit', '-qm', 'first'])
    write('staged.js', 'staged\n')
    git(['add', 'staged.js'])
    write('src/a.js', 'not committed\n')
    rmSync(path('src/gone.js'))
    write('untracked.js', 'untracked\n')
    mkdirSync(path('.git/info'))
  })
  afterAll(() => rmSync(first, { recursive: true }))
  // Node does not copy a name that is no text.
  beforeEach(() => void execFileSync('cp', ['-a', `${first}/.`, root]))

  test('all comes back as it was, and nothing of the user has changed', async () => {
    const [before, state] = [picture(), gitState()]
    const checkpoints = await open()
    await checkpoints.take('one')
    wreck()
    write('ignored/big', 'changed while ignored\n')
    await checkpoints.restore('one', 'undone')
    expect(picture()).toEqual({ ...before, 'ignored/big': `${usualMode} changed while ignored\n` })
    expect(gitState()).toBe(state)
    // What was undone is there, too, and can be brought back.
    expect(git(['show', 'refs/mdtest/s/undone:deep'])).toBe('a file now')
  })

  test('a file that was removed is as private as those that its user makes', async () => {
    const umask = process.umask(0o077)
    onTestFinished(() => void process.umask(umask))
    for (const name of ['own.js', 'own.sh']) write(name, 'mine\n')
    chmodSync(path('own.sh'), 0o700)
    const before = picture()
    const checkpoints = await open()
    await checkpoints.take('one')
    for (const name of ['own.js', 'own.sh']) rmSync(path(name))
    await checkpoints.restore('one', 'undone')
    expect(picture()).toEqual(before)
  })

  test('nothing is put back through a link that took the place of a folder, ignored or not', async () => {
    const foreign = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-foreign-')))
    writeFileSync(join(foreign, 'a.js'), "the user's, elsewhere\n")
    const before = picture()
    const checkpoints = await open()
    await checkpoints.take('one')
    for (const ignored of ['/src\n', '']) {
      renameSync(path('src'), path('ignored/moved'))
      symlinkSync(foreign, path('src'))
      write('.gitignore', `${ignored}ignored/\n*.log\n/*.snap\n`)
      await checkpoints.restore('one', `undone${ignored.length}`)
      expect(readFileSync(join(foreign, 'a.js'), 'utf8')).toBe("the user's, elsewhere\n")
      expect(readdirSync(foreign)).toEqual(['a.js'])
      rmSync(path('ignored/moved'), { recursive: true })
      expect(picture()).toEqual(before)
    }
    rmSync(foreign, { recursive: true })
  })

  test('what differs is told, also where rules hide it that are no file of the project, and put back', async () => {
    write('.git/info/exclude', '/mine.txt\n')
    write('mine.txt', 'ignored by its owner\n')
    const before = picture()
    const checkpoints = await open()
    await checkpoints.take('one')
    write('.git/info/exclude', '/mine.txt\nhidden.js\n')
    write('.git/rules', 'secret.js\n')
    git(['config', 'core.excludesFile', path('.git/rules')])
    write('hidden.js', '')
    write('src/secret.js', '')
    write('src/a.js', 'other\n')
    write('a.log', 'ignored\n')
    rmSync(path('staged.js'))
    chmodSync(path('run.sh'), 0o644)
    await checkpoints.take('two')
    const changes = ['hidden.js', 'run.sh', 'src/a.js', 'src/secret.js', 'staged.js']
    expect(await checkpoints.changes('one', 'two')).toEqual(changes)
    expect(await checkpoints.read('one', 'src/a.js')).toBe('not committed\n')
    expect(await checkpoints.read('one', 'hidden.js')).toBeUndefined()
    await (await open()).restore('one', 'undone')
    expect(picture()).toEqual({ ...before, 'a.log': '644 ignored\n' })
  })

  test('neither a folder of ours that is removed nor a ref that is moved keeps files from coming back', async () => {
    const [before, state] = [picture(), gitState()]
    const checkpoints = await open()
    await checkpoints.take('one')
    wreck()
    git(['reset', '-q'])
    rmSync(path('.mdtest'), { recursive: true })
    await checkpoints.restoreGit('one', 'undone')
    await checkpoints.take('two')
    git(['update-ref', 'refs/mdtest/s/one', git(['rev-parse', 'refs/mdtest/s/two']).trim()])
    await checkpoints.restore('one', 'undone')
    expect(picture()).toEqual(before)
    expect(gitState()).toBe(state)
  })

  test('files of repositories inside are kept, and it may have no commit', async () => {
    const inner = path('inner')
    mkdirSync(inner)
    git(['init', '-q'], inner)
    write('inner/file.js', 'inner\n')
    write('inner/.gitignore', '*.log\n')
    write('inner/a.log', 'ignored\n')
    const other = join(root, '.mdtest/origin')
    mkdirSync(other, { recursive: true })
    git(['init', '-q'], other)
    writeFileSync(join(other, 'module.js'), 'module\n')
    git(['add', '.'], other)
    git(['commit', '-qm', 'module'], other)
    git(['submodule', '--quiet', 'add', other, 'module'])
    write('module/new.js', 'not committed\n')
    const before = picture()
    const checkpoints = await open()
    await checkpoints.take('one')
    rmSync(path('inner/file.js'))
    write('inner/more.js', '')
    write('module/module.js', 'wrecked\n')
    rmSync(path('module/new.js'))
    await checkpoints.restore('one', 'undone')
    expect(picture()).toEqual(before)
  })
})

test('older runs are forgotten, but none of another package', async () => {
  git(['init', '-q', '--template='])
  for (const run of ['0', 'a/0', '1', '2']) await (await open(`refs/mdtest/gate/${run}`)).take('before-1')
  await (await open('refs/mdtest/gate/3')).forgetOlder(2)
  const left = git(['for-each-ref', '--format=%(refname)', 'refs/mdtest']).trim().split('\n')
  expect(left).toEqual(['refs/mdtest/gate/2/before-1', 'refs/mdtest/gate/a/0/before-1'])
})

test('without git all but packages is kept in a repository of ours', async () => {
  fill()
  write('untracked.js', 'untracked\n')
  write('node_modules/a/index.js', 'package\n')
  const before = picture()
  const checkpoints = await open()
  await checkpoints.take('one')
  wreck()
  await checkpoints.restore('one', 'undone')
  expect(picture()).toEqual(before)
  expect(existsSync(checkpoints.place('undone'))).toBe(true)
})

test.each([
  ['a repository', '.'],
  ['a folder of a repository', 'app'],
  ['a folder without git', undefined],
])('the command that is told brings the files of %s back, and no others', async (_, folder = '') => {
  const top = root
  if (folder !== '') git(['init', '-q', '--template='])
  root = join(top, folder)
  write('a.js', 'old\n')
  mkdirSync(path('empty'))
  if (folder !== '') git(['add', '.'])
  const before = picture()
  const checkpoints = await open()
  await checkpoints.take('one')
  write('a.js', 'new\n')
  execFileSync('sh', ['-c', checkpoints.restoreCommand('one')], { cwd: root, env: gitEnv })
  expect(picture()).toEqual(before)
  root = top
})

test('what is put back is of another second than what was there: caches go by it', async () => {
  write('a.py', 'right\n')
  const checkpoints = await open()
  await checkpoints.take('one')
  write('a.py', 'wrong\n')
  const second = (): number => Math.floor(lstatSync(path('a.py')).mtimeMs / 1000)
  const undone = second()
  await checkpoints.restore('one', 'undone')
  expect(readFileSync(path('a.py'), 'utf8')).toBe('right\n')
  expect(second()).not.toBe(undone)
})

test('what runs is watched: files that are the same again are told, caches of tools are not', async () => {
  const caches = ['ledger/__pycache__/test_sums.cpython-311.pyc', 'ui/node_modules/.vite/a.json', 'a.tsbuildinfo']
  for (const file of ['test_sums.py', ...caches]) write(file, '1')
  const watched = await (await open()).watch()
  for (const file of ['test_sums.py', ...caches, 'ledger/__pycache__/conftest.py', '__pycache__/b.pyc'])
    write(file, '1')
  expect(await watched()).toEqual({ changed: ['test_sums.py'], added: ['ledger/__pycache__/conftest.py'] })
})
