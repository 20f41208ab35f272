import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lane } from '../support/lane.ts'

const projects = fileURLToPath(new URL('../../fixtures/projects/', import.meta.url))

/** Projects of `fixtures/projects/` that are right, with the patches in `bugs/` that make them wrong. */
type RepositoryName = 'cart-typescript' | 'ledger-python'

/** A copy of one in git, with bugs in it. */
export interface BuggyRepository {
  /** What a file was before the bugs. */
  right(file: string): string
  /** All files and empty folders by their paths, but for what the project ignores. */
  files(): Readonly<Record<string, string>>
  git(...args: string[]): string
}

export interface BuggyRepositorySetup {
  readonly name: RepositoryName
  /** Names of patches. */
  readonly bugs: readonly string[]
}

/** @param root absolute path of an empty folder */
export function openBuggyRepository({ name, bugs }: BuggyRepositorySetup, root: string): BuggyRepository {
  const origin = join(projects, name)
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      encoding: 'utf8',
    })
  cpSync(origin, root, { recursive: true, filter: (path) => !ignored.has(basename(path)) })
  git('init', '-q', '-b', 'main')
  git('apply', ...bugs.map((bug) => join(origin, 'bugs', `${bug}.patch`)))
  git('add', '.')
  git('commit', '-qm', 'all of it')
  if (name === 'cart-typescript') linkVitest(root)
  return { right: (file) => readFileSync(join(origin, file), 'utf8'), files: () => readFiles(root), git }
}

const ignored = new Set(['bugs', '.git', '.mdtest', 'node_modules', '__pycache__', '.pytest_cache'])

function linkVitest(root: string): void {
  for (const [name, target] of Object.entries(lane.packages)) link(target, join(root, 'node_modules', name))
  link('../vitest/vitest.mjs', join(root, 'node_modules/.bin/vitest'))
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

function readFiles(root: string, folder = ''): Record<string, string> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => !ignored.has(name))
  if (entries.length === 0) return { [`${folder}/`]: '' }
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? readFiles(root, path) : { [path]: readFileSync(join(root, path), 'utf8') }
    }),
  ) as Record<string, string> // of such records
}
