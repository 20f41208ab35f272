import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside } from '../../../system/files/paths.ts'

/**
 * Caches that tools trust without looking at what they were made of: a test that was compiled, a file that a linter found
 * good. They are made anew. Relative to a folder with a manifest or configuration.
 */
const caches = [
  ...['.eslintcache', '.stylelintcache', '.mypy_cache', '.ruff_cache', '.prettiercache'],
  ...['.vite', '.vite-temp', '.tmp', '.cache/eslint', '.cache/babel-loader', '.cache/tsbuildinfo'].map(
    (name) => `node_modules/${name}`,
  ),
]
const ownFolderFile = /(?:^|\/)(?:package\.json|tsconfig[\w.-]*\.json|pyproject\.toml|setup\.cfg|mypy\.ini|ruff\.toml)$/

const ofPython = '__pycache__'
const compiledPython = new RegExp(String.raw`(?:^|/)${ofPython}/[^/]+\.pyc(?:\.\d+)?$`)
/** Of what TypeScript has checked. */
const buildInfo = '.tsbuildinfo'

/** Whether a file is in such a cache, by its path: tools write to these whenever they run. Pure. */
export function isInCache(path: string): boolean {
  const isNamed = caches.some((cache) => `/${path}/`.includes(`/${cache}/`))
  return isNamed || path.endsWith(buildInfo) || compiledPython.test(path)
}

/**
 * Removes such caches of a project, as far as they are no files of it.
 *
 * @param root absolute path
 * @param paths of all files of the project, relative to the root
 */
export async function clearCaches(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(['.', ...paths.filter((path) => ownFolderFile.test(path)).map((path) => dirname(path))])
  const pythonFolders = new Set(paths.filter((path) => path.endsWith('.py')).map((path) => dirname(path)))
  const found = [
    ...[...folders].flatMap((folder) =>
      [...caches, ...buildInfosIn(join(root, folder))].map((name) => join(folder, name)),
    ),
    ...[...pythonFolders].map((folder) => join(folder, ofPython)),
  ]
  const isOwn = (cache: string): boolean => paths.some((path) => path === cache || path.startsWith(`${cache}/`))
  for (const cache of found) {
    const place = join(root, cache)
    if (!isOwn(cache) && existsSync(place) && isWithin(root, dirname(place))) {
      await rm(place, { recursive: true, force: true })
    }
  }
}

/** A link leads to what is of others, such as the packages that several work trees share. */
function isWithin(root: string, folder: string): boolean {
  return isInside(realpathSync(folder), realpathSync(root))
}

function buildInfosIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(buildInfo))
  } catch {
    return [] // It is gone.
  }
}
