import { createHash, type Hash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { lstat, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { isInside } from '../../../system/files/paths.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { runProgram } from '../../../system/process/run-program.ts'

// What git does not keep and judges nevertheless: installed programs, and what tools keep of files that they have judged.

/** Packages of Node.js that run tests, compile or lint, with what they consist of. */
const judgesOfNode =
  /^(?:vitest|vite|vite-node|jest(?:-.*)?|expect|mocha|chai|ava|tap|uvu|jasmine.*|karma|playwright(?:-.*)?|typescript|vue-tsc|tsx|ts-node|ts-jest|eslint|oxlint|prettier|stylelint|c8|nyc|tinyspy|@(?:vitest|jest|playwright|typescript-eslint|eslint|biomejs|oxlint)\/.*)$/
/** The same of Python, and what is loaded before any program. */
const judgesOfPython =
  /^(?:_?pytest|pluggy|iniconfig|packaging|coverage|xdist|pytest_\w+|mypy|ruff|flake8|pylint|unittest2?|(?:site|user)customize\.py|.*\.pth)$/

/** Hashes of what judges and is installed in a project. They are of contents: who installs the same again changes nothing. */
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
    for (const version of await namesIn(join(root, folder)))
      await add(join(folder, version, 'site-packages'), (name) => judgesOfPython.test(name))
  }
  return found
}

/** Says that something installed that judges is another one: there is no copy of it. */
export function judgesChanged(paths: readonly string[]): MdtestError {
  const names = paths.slice(0, 10).map((path) => `\`${path}\``)
  return new MdtestError(
    'EXEC_RESTORE_FAILED',
    `While the agent worked, what judges it was changed where git keeps nothing: ${names.join(', ')}.`,
    {
      hint: 'All other files are as they were before. Install these packages anew, for example by `npm ci`, and begin again.',
    },
  )
}

async function packagesIn(folder: string): Promise<readonly string[]> {
  const found = (await namesIn(folder)).map(async (name) =>
    name.startsWith('@') ? (await namesIn(join(folder, name))).map((inner) => `${name}/${inner}`) : [name],
  )
  return (await Promise.all(found)).flat()
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

const pythonPrograms = ['python3', 'python', 'pytest', 'tox', 'nox', 'mypy', 'ruff', 'uv']
const question =
  'import importlib.util as u, sys\nfor n in sys.argv[1:]:\n  try:\n    print(n if n in sys.builtin_module_names or u.find_spec(n) else "")\n  except Exception:\n    print("")'
/** What runners of tests load themselves: their interpreter may not be found here. */
const ofRunners = new Set(
  `pytest _pytest iniconfig pluggy packaging exceptiongroup tomli pygments py attr attrs coverage xdist anyio mock hypothesis
   unittest doctest tox nox mypy mypy_extensions typing_extensions pathspec ruff flake8 pycodestyle pyflakes pylint
   sitecustomize usercustomize`.split(/\s+/),
)

/** Of these names, those of modules that a Python on PATH or of a runner on PATH has installed. */
export async function installedModules(
  names: readonly string[],
  { root, env }: { root: string; env: Readonly<Record<string, string | undefined>> },
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const own = ['.venv/bin', 'venv/bin'].map((folder) => join(root, folder))
  const interpreters = interpretersIn([...own, ...(env['PATH'] ?? '').split(delimiter).filter(Boolean)])
  const answers = await Promise.all(
    interpreters.map(async (python) => {
      // In isolation: nothing of the project is imported.
      const argv = [python, '-I', '-c', question, ...names] as const // one at least
      const { stdout, failure } = await runProgram(argv, { cwd: '/', env, timeoutMs: 10_000 })
      return failure === undefined ? stdout.toString().split('\n').filter(Boolean) : []
    }),
  )
  return new Set([...answers.flat(), ...names.filter((name) => ofRunners.has(name))])
}

function interpretersIn(folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) => pythonPrograms.map((program) => join(folder, program)))
  const found = files
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const named = /\/python3?$/.test(file) ? [file] : []
      return [...named, ...(/^#!\s*(\S*python[\w.]*)/.exec(beginningOf(file))?.slice(1) ?? [])]
    })
  return [...new Set(found)]
}

function beginningOf(file: string): string {
  try {
    return readFileSync(file, 'latin1').slice(0, 256)
  } catch {
    return '' // A folder of this name, or not ours to read.
  }
}

/** Caches that tools trust without a look at what they were made of, in a folder with a manifest or configuration. */
const caches = [
  ...['.eslintcache', '.stylelintcache', '.mypy_cache', '.ruff_cache', '.prettiercache'],
  ...['.vite', '.vite-temp', '.tmp', '.cache/eslint', '.cache/babel-loader', '.cache/tsbuildinfo'].map(
    (name) => `node_modules/${name}`,
  ),
]
const ownFolderFile = /(?:^|\/)(?:package\.json|tsconfig[\w.-]*\.json|pyproject\.toml|setup\.cfg|mypy\.ini|ruff\.toml)$/
const buildInfo = '.tsbuildinfo'

/** Whether a file is in such a cache, by its path: tools write to these whenever they run. */
export function isInCache(path: string): boolean {
  const isNamed = caches.some((cache) => `/${path}/`.includes(`/${cache}/`))
  return isNamed || path.endsWith(buildInfo) || /(?:^|\/)__pycache__\/[^/]+\.pyc(?:\.\d+)?$/.test(path)
}

export async function clearCaches(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(['.', ...paths.filter((path) => ownFolderFile.test(path)).map((path) => dirname(path))])
  const pythonFolders = new Set(paths.filter((path) => path.endsWith('.py')).map((path) => dirname(path)))
  const found = [...pythonFolders].map((folder) => join(folder, '__pycache__'))
  for (const folder of folders) {
    const buildInfos = (await namesIn(join(root, folder))).filter((name) => name.endsWith(buildInfo))
    found.push(...[...caches, ...buildInfos].map((name) => join(folder, name)))
  }
  const isOwn = (cache: string): boolean => paths.some((path) => path === cache || path.startsWith(`${cache}/`))
  for (const cache of found.filter((each) => !isOwn(each) && existsSync(join(root, each)))) {
    const place = join(root, cache)
    // A link leads to what is of others, such as the packages that several work trees share.
    if (isInside(realpathSync(dirname(place)), realpathSync(root))) await rm(place, { recursive: true, force: true })
  }
}
