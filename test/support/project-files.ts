import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { programsFolder } from './programs-folder.ts'
import { hostileName } from './hostile-name.ts'

/** The folder of a project, in a temporary one that has room for more. */
export interface ProjectFiles extends Disposable {
  /** Absolute path of the temporary folder. */
  readonly base: string
  /** Absolute path of the project. */
  readonly root: string
  path(name: string): string
  read(name: string): string
  /** A text that begins with `#!` becomes executable. */
  write(name: string, text: string): void
  git(...args: readonly string[]): string
}

/** Git without a configuration of the user's. */
export const gitEnv = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@localhost',
}

/** @param prefix of the name of the temporary folder */
export function createProjectFiles(
  prefix: string,
  files: Readonly<Record<string, string>>,
  folder = hostileName,
): ProjectFiles {
  const base = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  const root = join(base, folder)
  const path = (name: string): string => join(root, name)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
    if (text.startsWith('#!')) chmodSync(path(name), 0o755)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const env = { PATH: `${dirname(process.execPath)}:${programsFolder}:/usr/bin:/bin`, HOME: base, ...gitEnv }
  return {
    base,
    root,
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    write,
    git: (...args) =>
      execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  }
}
