import { createHash, type Hash } from 'node:crypto'
import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MdtestError } from '../../../system/mdtest-error.ts'

/** Packages of Node.js that run tests, compile or lint, with what they consist of. */
const judgesOfNode =
  /^(?:vitest|vite|vite-node|jest(?:-.*)?|expect|mocha|chai|ava|tap|uvu|jasmine.*|karma|playwright(?:-.*)?|typescript|vue-tsc|tsx|ts-node|ts-jest|eslint|oxlint|prettier|stylelint|c8|nyc|tinyspy|@(?:vitest|jest|playwright|typescript-eslint|eslint|biomejs|oxlint)\/.*)$/
/** The same of Python, and what is loaded before any program. */
const judgesOfPython =
  /^(?:_?pytest|pluggy|iniconfig|packaging|coverage|xdist|pytest_\w+|mypy|ruff|flake8|pylint|unittest2?|(?:site|user)customize\.py|.*\.pth)$/

/**
 * What judges and is installed in a project, where git ignores it: hashes by path, relative to the root. They are of what is in
 * it, so that who installs the same again changes nothing.
 *
 * @param root absolute path
 * @param paths of all files of the project, relative to the root
 */
export async function hashInstalledJudges(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const add = async (place: string): Promise<void> => {
    const hash = createHash('sha256')
    await hashTree(await realpath(join(root, place)).catch(() => join(root, place)), '', hash)
    found.set(place, hash.digest('hex'))
  }
  const manifests = paths.filter((path) => /(?:^|\/)package\.json$/.test(path)).map((path) => dirname(path))
  for (const folder of new Set(['.', ...manifests])) {
    const modules = join(folder, 'node_modules')
    for (const name of await packagesIn(join(root, modules)))
      if (judgesOfNode.test(name)) await add(join(modules, name))
    for (const name of await namesIn(join(root, modules, '.bin'))) {
      if (judgesOfNode.test(name) || name === 'tsc') await add(join(modules, '.bin', name))
    }
  }
  for (const folder of ['.venv/lib', 'venv/lib', '.venv/lib64', 'venv/lib64']) {
    for (const version of await namesIn(join(root, folder))) {
      const modules = join(folder, version, 'site-packages')
      for (const name of await namesIn(join(root, modules)))
        if (judgesOfPython.test(name)) await add(join(modules, name))
    }
  }
  return found
}

/**
 * @throws MdtestError `EXEC_RESTORE_FAILED` where something installed that judges is another one: there is no copy of it
 */
export function assertInstalledJudges(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path))
  if (changed.length === 0) return
  const names = changed.slice(0, 10).map((path) => `\`${path}\``)
  throw new MdtestError(
    'EXEC_RESTORE_FAILED',
    `While the agent worked, what judges it was changed where git keeps nothing: ${names.join(', ')}.`,
    {
      hint: 'All other files are as they were before. Install these packages anew, for example by `npm ci`, and begin again.',
    },
  )
}

async function packagesIn(modules: string): Promise<readonly string[]> {
  const names = await namesIn(modules)
  const scoped = await Promise.all(
    names
      .filter((name) => name.startsWith('@'))
      .map(async (scope) => (await namesIn(join(modules, scope))).map((name) => `${scope}/${name}`)),
  )
  return [...names.filter((name) => !name.startsWith('@')), ...scoped.flat()]
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).toSorted() // It is not there.
}

/** A package within a package is hashed on its own; caches are not hashed. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '__pycache__', '.cache', '.vite', '.local-browsers'])

async function hashTree(place: string, name: string, hash: Hash): Promise<void> {
  const stats = await lstat(place).catch(() => undefined)
  if (stats === undefined) return
  if (stats.isDirectory()) {
    for (const inner of await namesIn(place)) {
      if (!passedOver.has(inner)) await hashTree(join(place, inner), `${name}/${inner}`, hash)
    }
    return
  }
  const content = stats.isSymbolicLink() ? await readlink(place) : stats.isFile() ? await readFile(place) : ''
  hash.update(`${name}\0${content.length}\0`).update(content)
}
