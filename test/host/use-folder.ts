import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach } from 'vitest'

/** A folder that is gone after the test. */
export interface TestFolder {
  readonly path: string
  at(...names: readonly string[]): string
  write(files: Readonly<Record<string, string>>): Promise<void>
  git(...args: readonly string[]): string
  /** Makes a repository of the folder and commits what is in it. */
  commitAll(): void
}

/** Makes folders for the tests of a file, with links in their paths resolved. */
export function useFolders(): () => TestFolder {
  const made: string[] = []
  afterEach(async () => {
    for (const path of made.splice(0)) await rm(path, { recursive: true, force: true })
  })
  return () => {
    const path = mkdtempSync(join(realpathSync(tmpdir()), 'mdtest-host-'))
    made.push(path)
    return createFolder(path)
  }
}

/** Makes repositories in which these files are committed. Each is a copy of one that is made once in a file of tests. */
export function useRepositories(): (files: Readonly<Record<string, string>>) => TestFolder {
  const newFolder = useFolders()
  const made = new Map<string, string>()
  afterAll(() => {
    for (const path of made.values()) rmSync(path, { recursive: true, force: true })
  })
  return (files) => {
    const key = JSON.stringify(files)
    const first = made.get(key) ?? mkdtempSync(join(realpathSync(tmpdir()), 'mdtest-repository-'))
    if (!made.has(key)) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(first, name)), { recursive: true })
        writeFileSync(join(first, name), text)
      }
      createFolder(first).commitAll()
      made.set(key, first)
    }
    const folder = newFolder()
    cpSync(first, folder.path, { recursive: true, preserveTimestamps: true })
    return folder
  }
}

function createFolder(path: string): TestFolder {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    path,
    at: (...names) => join(path, ...names),
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(path, name)), { recursive: true })
        await writeFile(join(path, name), text)
      }
    },
    git,
    commitAll() {
      git('init', '-q', '--template=')
      git('add', '-A')
      git('commit', '-q', '-m', 'all')
    },
  }
}
