import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  beginAttempt,
  runWatched,
  undoneName,
  type AttemptResult,
  type AttemptRules,
} from '../../../src/commands/attempt/attempt.ts'
import { openCheckpoints } from '../../../src/commands/attempt/checkpoints/checkpoints.ts'

let root: string
const path = (name: string): string => join(root, name)
const read = (name: string): string => readFileSync(path(name), 'utf8')
const write = (name: string, text: string): void => {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), text)
}

const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
const git = (...args: string[]): string => {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
  return execFileSync('git', [...identity, ...args], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })
}

let repository: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-attempt-')))
  repository = root
  fill()
  git('init', '-q', '-b', 'main', '--template=')
  git('add', '.')
  git('commit', '-qm', 'first')
})
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-attempt-')))
  fill()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))
afterAll(() => rmSync(repository, { recursive: true }))

function fill(): void {
  write('src/sum.js', 'export const sum = (a, b) => a - b\n')
  write('test/sum.test.js', "import '../src/sum.js'\n")
}

/** Has git know of the folder, where all is committed. */
function useGit(): void {
  rmSync(root, { recursive: true })
  cpSync(repository, root, { recursive: true, preserveTimestamps: true })
}

const rules: AttemptRules = {
  ...{ after: 'after', undone: 'undone', commands: ['node --test'], judges: [], failing: [] },
  ...{ mayChange: [], protect: [], allowTestEdits: false },
}

const openOwnCheckpoints = (): ReturnType<typeof openCheckpoints> =>
  openCheckpoints({
    root,
    folder: path('.mdtest/c'),
    trees: { makeTempDir: () => mkdtempSync(path('.mdtest/t')) },
    refPrefix: 'refs/mdtest/s',
    env,
  })

/** What is made of the work of somebody. */
async function attempt(work: () => void, more: Partial<AttemptRules> = {}): Promise<AttemptResult> {
  const checkpoints = await openOwnCheckpoints()
  await checkpoints.take('before')
  const end = await beginAttempt({ checkpoints, before: 'before', root })
  work()
  return await end({ ...rules, ...more })
}

const none = { changed: [], moves: [], forbidden: [], used: [], leftOut: [] }
const fixSum = (): void => write('src/sum.js', 'export const sum = (a, b) => a + b\n')

test('who does nothing has changed nothing', async () => {
  expect(await attempt(() => undefined)).toEqual(none)
})

describe.for([['in a repository', true] as const, ['without git', false] as const])('%s', ([, hasGit]) => {
  beforeEach(() => {
    if (hasGit) useGit()
  })

  test('a change of what a spec is made of undoes it', async () => {
    const page = '# Page\n\n```console\n$ echo 1\n1\n```\n'
    const judges = {
      'README.md': page,
      'a.test.md': '---\ninclude: [README.md]\n---\n\n# A\n\n```sh\ntrue\n```\n',
      'openspec/specs/cart/spec.md': page,
      'pages/cart.feature': 'Feature: Cart\n',
      'mdtest.context.md': '# Context\n',
      'app/jest.config.cjs': "module.exports = require('vitest-mdtest/jest').mdtest({ include: ['guide/*.md'] })\n",
      'app/guide/start.md': page,
      'data/rates.json': '{}\n',
    }
    for (const [name, text] of Object.entries(judges)) write(name, text)
    const changes = [
      'README.md',
      'a.recording.md',
      'app/guide/start.md',
      'data/rates.json',
      'mdtest.context.md',
      'openspec/specs/cart/spec.md',
      'pages/cart.feature',
    ]
    const result = await attempt(
      () => {
        fixSum()
        write('docs/other.txt', 'for people\n')
        for (const name of changes) write(name, 'changed\n')
      },
      { protect: ['data/**'] },
    )
    expect(result.forbidden).toEqual(changes)
  })

  test('what does not count is taken out, and a change of the product stays', async () => {
    const result = await attempt(() => {
      fixSum()
      write('test/more.test.js', '')
    })
    expect(result).toMatchObject({ changed: ['src/sum.js', 'test/more.test.js'], forbidden: [], used: ['src/sum.js'] })
    expect(result.leftOut).toMatchObject([{ path: 'test/more.test.js', reason: expect.stringContaining('new test') }])
    expect(read('src/sum.js')).toContain('a + b')
    expect(existsSync(path('test/more.test.js'))).toBe(false)
  })
})

test('a test that was changed is told, and nothing is undone yet', async () => {
  const result = await attempt(() => {
    fixSum()
    write('test/sum.test.js', '')
  })
  expect(result).toMatchObject({ changed: ['src/sum.js', 'test/sum.test.js'], forbidden: ['test/sum.test.js'] })
  expect(read('test/sum.test.js')).toBe('')
})

test('all counts where tests may be changed', async () => {
  const result = await attempt(() => write('test/sum.test.js', ''), { allowTestEdits: true })
  expect(result).toEqual({ ...none, changed: ['test/sum.test.js'], used: ['test/sum.test.js'] })
})

test('what judges and is installed is looked at before the work begins', async () => {
  write('.gitignore', 'node_modules/\n')
  write('package.json', '{}')
  write('node_modules/vitest/index.js', 'judge()\n')
  const work = (): void => {
    fixSum()
    write('node_modules/vitest/index.js', '')
  }
  await expect(attempt(work)).rejects.toMatchObject({ code: 'EXEC_RESTORE_FAILED' })
  expect(read('src/sum.js')).toContain('a - b')
})

test('a commit is taken back, is forbidden, and what is in it is seen all the same', async () => {
  useGit()
  const head = git('rev-parse', 'HEAD')
  const result = await attempt(() => {
    fixSum()
    git('commit', '-qam', 'mine')
  })
  expect(git('rev-parse', 'HEAD')).toBe(head)
  expect(result.changed).toEqual(['src/sum.js'])
  expect(result.moves).not.toEqual([])
  expect(result.forbidden).toEqual(result.moves)
})

describe('a run of what judges', () => {
  const watched = async (run: () => void): ReturnType<typeof runWatched<string>> => {
    const checkpoints = await openOwnCheckpoints()
    return await runWatched(checkpoints, async () => {
      run()
      return 'red'
    })
  }
  const work = (): void => {
    write('test/sum.test.js', '')
    write('vitest.config.js', '')
    fixSum()
  }

  test('tells which judges it wrote to, and what it gave', async () => {
    const { result, written } = await watched(work)
    expect(result).toBe('red')
    expect(await written()).toEqual(['test/sum.test.js', 'vitest.config.js'])
  })

  test('that writes to none is told with none', async () => {
    expect(await (await watched(fixSum)).written()).toEqual([])
  })

  test('that fails is an error as it was', async () => {
    const broken = watched(() => {
      throw new TypeError('broken')
    })
    await expect(broken).rejects.toThrow(new TypeError('broken'))
  })
})

test('files and repository go back, and what was there is kept by a name of its own', async () => {
  useGit()
  const checkpoints = await openOwnCheckpoints()
  await checkpoints.take('before')
  fixSum()
  git('commit', '-qam', 'mine')
  const undone = undoneName(new Date('2026-01-02T03:04:05Z'))
  expect(undone).toMatch(/^undone-20260102T030405000Z-[0-9a-f]{6}$/)
  await checkpoints.restoreAll('before', undone)
  expect(git('log', '--format=%s').trim()).toBe('first')
  expect(read('src/sum.js')).toContain('a - b')
  expect(await checkpoints.read(undone, 'src/sum.js')).toContain('a + b')
})
