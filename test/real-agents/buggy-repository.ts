import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A project that is right, with patches in `bugs/` that make it wrong. */
const origin = fileURLToPath(new URL('../../fixtures/projects/ledger-python/', import.meta.url))

/** A copy of it in git, with bugs in it. */
export interface BuggyRepository {
  /** What a file was before the bugs. */
  right(file: string): string
  /** All files and empty folders by their paths, but for what the project ignores. */
  files(): Readonly<Record<string, string>>
  git(...args: string[]): string
}

/**
 * @param bugs names of patches
 * @param root absolute path of an empty folder
 */
export function openBuggyRepository(bugs: readonly string[], root: string): BuggyRepository {
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
  return { right: (file) => readFileSync(join(origin, file), 'utf8'), files: () => readFiles(root), git }
}

const ignored = new Set(['bugs', '.git', '.mdtest', '__pycache__', '.pytest_cache'])

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
