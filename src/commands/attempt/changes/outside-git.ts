import { createHash, type Hash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { lstat, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside } from '../../../system/files/paths.ts'

// Git does not track these files, but they influence test results: installed test tools, and caches.

const judgesOfNode =
  /^(?:vitest|vite|vite-node|jest(?:-.*)?|expect|mocha|chai|ava|tap|uvu|jasmine.*|karma|playwright(?:-.*)?|typescript|vue-tsc|tsx|ts-node|ts-jest|eslint|oxlint|prettier|stylelint|c8|nyc|tinyspy|@(?:vitest|jest|playwright|typescript-eslint|eslint|biomejs|oxlint)\/.*)$/
const judgesOfPython =
  /^(?:_?pytest|pytest_\w+|iniconfig|pluggy|packaging|exceptiongroup|tomli|pygments|py|attrs?|coverage|xdist|anyio|mock|hypothesis|unittest2?|doctest|tox|nox|mypy\w*|typing_extensions|pathspec|ruff|flake8|pycodestyle|pyflakes|pylint)$/
const loadedByPython = /^(?:site|user)customize\.py$|\.pth$/

/** Whether Python would load this file of the project instead of a module of the test runner. */
export function standsInForRunner(path: string): boolean {
  return /\.pyx?$|\//.test(path) && judgesOfPython.test(path.replace(/^src\//, '').replace(/\.pyx?$|\/.*/, ''))
}

/** Hashes the contents of a project's installed test tools. Reinstalling the same version gives the same hashes. */
export async function hashInstalledJudges(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const add = async (folder: string, isJudge: (name: string) => boolean): Promise<void> => {
    for (const name of (await packagesIn(join(root, folder))).filter(isJudge)) {
      const place = join(folder, name)
      const hash = createHash('sha256')
      await hashTree(await realpath(join(root, place)).catch(() => join(root, place)), '', hash)
      found.set(place, hash.digest('hex'))
    }
  }
  const manifests = paths.filter((path) => /(?:^|\/)package\.json$/.test(path)).map((path) => dirname(path))
  for (const folder of new Set(['.', ...manifests])) {
    await add(join(folder, 'node_modules'), (name) => judgesOfNode.test(name))
    await add(join(folder, 'node_modules/.bin'), (name) => judgesOfNode.test(name) || name === 'tsc')
  }
  for (const folder of ['.venv/lib', 'venv/lib', '.venv/lib64', 'venv/lib64']) {
    for (const version of await namesInFolder(join(root, folder)))
      await add(
        join(folder, version, 'site-packages'),
        (name) => judgesOfPython.test(name) || loadedByPython.test(name),
      )
  }
  return found
}

async function packagesIn(folder: string): Promise<readonly string[]> {
  const found = (await namesInFolder(folder)).map(async (name) =>
    name.startsWith('@') ? (await namesInFolder(join(folder, name))).map((inner) => `${name}/${inner}`) : [name],
  )
  return (await Promise.all(found)).flat()
}

async function namesInFolder(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).toSorted() // The folder may not exist.
}

/** Folders inside a package that are not hashed. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '__pycache__', '.cache', '.vite', '.local-browsers'])

async function hashTree(place: string, name: string, hash: Hash): Promise<void> {
  const stats = await lstat(place).catch(() => undefined)
  if (stats === undefined) return
  if (stats.isDirectory()) {
    for (const inner of await namesInFolder(place)) {
      if (!passedOver.has(inner)) await hashTree(join(place, inner), `${name}/${inner}`, hash)
    }
    return
  }
  const content = stats.isSymbolicLink() ? await readlink(place) : stats.isFile() ? await readFile(place) : ''
  hash.update(`${name}\0${content.length}\0`).update(content)
}

/** Caches whose content tools use without comparing it with the source files. */
const caches =
  /^(?:__pycache__|\.eslintcache|\.stylelintcache|\.mypy_cache|\.ruff_cache|\.prettiercache|.*\.tsbuildinfo|node_modules\/\.(?:vite(?:-temp)?|tmp|cache))$/

export function isInCache(path: string): boolean {
  const parts = path.split('/')
  if (parts.at(-2) === '__pycache__') return /\.pyc(?:\.\d+)?$/.test(path)
  return parts.some((part, index) => caches.test(part) || caches.test(`${part}/${parts[index + 1]}`))
}

export async function clearCaches(root: string, paths: readonly string[]): Promise<void> {
  const realRoot = realpathSync(root)
  for (const folder of new Set(['.', ...paths.map((path) => dirname(path))])) {
    const place = join(root, folder)
    const names = [
      ...(await namesInFolder(place)),
      ...(await namesInFolder(join(place, 'node_modules'))).map((name) => `node_modules/${name}`),
    ]
    for (const name of names.filter((each) => caches.test(each))) {
      const cache = join(folder, name)
      const isOwn = paths.some((path) => path === cache || path.startsWith(`${cache}/`))
      // Keep a cache in a linked `node_modules` outside of the project, because other work trees may use it.
      if (!isOwn && isInside(realpathSync(dirname(join(root, cache))), realRoot))
        await rm(join(root, cache), { recursive: true, force: true })
    }
  }
}
