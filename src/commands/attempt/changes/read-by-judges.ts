import { dirname, join, parse } from 'node:path'
import { agentFolders } from '../../../agents/registry.ts'
import {
  blocksIn,
  isBelow,
  isConfiguration,
  isData,
  isForTests,
  isSource,
  isTestByText,
  isTestFile,
  judgingText,
  looksLikeHelper,
} from './file-kinds.ts'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'

export interface FilesBefore {
  readonly checkpoints: Pick<Checkpoints, 'texts'>
  readonly before: string
  readonly all: ReadonlySet<string>
}

/** Longer files are usually generated, so only this many UTF-16 units of a text are searched. */
const maxTextLength = 512 * 1024

/** A file that tests the product: a script or spec (`isScript`), or the configuration of a tool. */
interface Judge {
  readonly path: string
  readonly isScript: boolean
}

/** Maps each named file to the judge that names it. A named file is a judge, too, so its text is also searched. */
export async function readByJudges(
  { starts, handedOver, specs }: Record<'starts' | 'handedOver' | 'specs', ReadonlySet<string>>,
  files: FilesBefore,
): Promise<ReadonlyMap<string, string>> {
  const { checkpoints, before, all } = files
  const found = new Map<string, string>()
  const seen = new Set<string>()
  let next: readonly Judge[] = [...all].flatMap((path): readonly Judge[] => {
    if (starts.has(path)) return [{ path, isScript: !/makefile|justfile|\.mk$/i.test(path) }]
    if (specs.has(path)) return [{ path, isScript: true }]
    const isRead =
      handedOver.has(path) ||
      isManifest.test(path) ||
      (isConfiguration(path) && !namesCommands.test(path) && !isBelow(commandFolders, path))
    return isRead ? [{ path, isScript: false }] : []
  })
  while (next.length > 0) {
    const paths = next.map(({ path }) => path)
    const texts = await checkpoints.texts(before, paths)
    const named = new Map<string, Judge>()
    for (const { path, isScript } of next) {
      seen.add(path)
      const text = withoutProductNames(judgingText(path, (texts.get(path) ?? '').slice(0, maxTextLength)))
      const names = filesNamedIn(text, path, all).filter((name) => name !== path && !isCompiled.test(name))
      for (const name of isScript ? await helpersOf(path, { names, text, files }) : names) {
        if (!found.has(name)) found.set(name, path)
        named.set(name, { path: name, isScript })
      }
    }
    // Tests are protected anyway. The files that they name are the product, so do not search their text.
    next = [...named.values()].filter(({ path }) => !seen.has(path) && !isTestFile(path))
  }
  return found
}

/** These files are not searched. They contain paths to ignore, or commands, which `programsStarted` reads. */
const namesCommands = /(?:^|\/)mdtest\.config\.json$|\.\w+ignore$/
const commandFolders: ReadonlySet<string> = new Set(['.planning', '.github', '.gitlab', '.husky', ...agentFolders])

const isManifest = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg)$/

/** Files that a Makefile names only to compile them. They are product code. */
const isCompiled = /\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|s|go|rs|java|kt|scala|swift|cs|fs|hs|zig|nim|f90)$/i

/** Matches code that asserts, compares or ends the process. Product code does not do this. */
const asserting =
  /\b(?:assert\w*|expect\w*|deepEqual|strictEqual|unittest|should|AssertionError)\b|\b(?:process\.exit(?:Code)?|sys\.exit|os\._exit)\b/
const assertingName =
  /assert|check|harness|help|expect|report|support|match|verif|compar|golden|runner|(?:^|[-_./])(?:t|kit|common|shared|spec|suite|run|test\w*)\b/i

const inlineCode =
  /(\b(?:node|bun|deno|python3?|ruby|perl|php)\s+(?:-\S+\s+)*?-(?:e|c|p|-eval|-print)\s+)("(?:\\.|[^"\\])*"|'[^']*')/g

/** Removes file names of the product from code such as `node -e '…'`. Names of data and of checks stay. */
export function withoutProductNames(commands: string): string {
  const judges = (name: string): string => (assertingName.test(name) || isData(name) ? name : '')
  return commands.replaceAll(
    inlineCode,
    (_, start: string, code: string) => start + code.replaceAll(/[\w./-]+\.\w+|(?<![\w./-])[\w-]+(?![\w./-])/g, judges),
  )
}

/** Chooses named files that help a script to test the product. The other named files are the product itself. */
async function helpersOf(
  script: string,
  { names, text, files }: { names: readonly string[]; text: string; files: FilesBefore },
): Promise<readonly string[]> {
  const isShell = /\.(?:ba|z|k)?sh$/.test(script) || !/\.\w+$/.test(script)
  const code = names.filter(isSource)
  const texts = await files.checkpoints.texts(files.before, code)
  const { dir } = parse(script)
  return names.filter((name) => {
    if (!isSource(name) || looksLikeHelper(name) || isForTests(name)) return true
    if (dir !== '' && !productDir.test(`${dir}/`) && name.startsWith(`${dir}/`)) return true
    if (isShell || !isImportedBy(name, text) || code.length === 1) return false
    return assertingName.test(parse(name).name) || asserting.test(texts.get(name) ?? '')
  })
}

const productDir = /(?:^|\/)(?:src|lib|app|pkg|cmd|bin|internal)\/$/

export async function takenByProduct(
  paths: readonly string[],
  given: { files: FilesBefore; judges: ReadonlyMap<string, string>; starts: ReadonlySet<string> },
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  const { checkpoints, before, all } = given.files
  const takers = [...all].filter((path) => {
    if (!isSource(path) || isConfiguration(path)) return false
    if (given.judges.has(path) || given.starts.has(path)) return false
    return isTestFile(path) || !(looksLikeHelper(path) || isForTests(path))
  })
  const texts = [...(await checkpoints.texts(before, takers))]
  return new Set(paths.filter((path) => texts.some(([by, text]) => by !== path && isImportedBy(path, text))))
}

export async function namedByTests(
  paths: readonly string[],
  { checkpoints, before, all }: FilesBefore,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  if (paths.length === 0) return found
  const candidates = [...all].filter((path) => (isTestFile(path) && /\.\w+$/.test(path)) || isSource(path))
  for (const [test, whole] of await checkpoints.texts(before, candidates)) {
    if (!isTestFile(test) && !isTestByText(whole)) continue
    const text = test.endsWith('.md') ? blocksIn(whole) : whole
    for (const path of paths) if (!found.has(path) && isNamedIn(text, path)) found.set(path, test)
  }
  return found
}

/** Whether a test names the file. A file that is not data counts only beside a word such as `toMatchFile`. */
function isNamedIn(text: string, path: string): boolean {
  const name = path.replace(/.*\//, '')
  if (!text.includes(name)) return false
  if (isData(path)) return true
  return text
    .split('\n')
    .some((line) => line.includes(name) && /MatchFile|FileSnapshot|golden|approve|expected/i.test(line))
}

/** Extensions that an import may leave out. If several files exist, the first extension counts. */
const codeExtensions = 'ts tsx mts cts js jsx mjs cjs json vue svelte py rb mk'.split(' ')

/** Configuration keys whose values are product files, for example `entry`. */
const productKeys =
  /\b(?:entry|entries|entryPoints|input|alias|find|replacement|include|exclude|files|main|module|types|typings|exports|bin|browser|style|coverage|collectCoverageFrom|content|outDir|rootDir|baseUrl|testMatch|testpaths)\b/i
/** Matches a key for product files with its value, but no other keys in the same line. */
const productValues = new RegExp(
  String.raw`["']?${productKeys.source}["']?\s*[:=]\s*(?:\[[^\]]*\]|"[^"]*"|'[^']*')`,
  'gi',
)
const importWords = /\b(?:import|require|from|export)\b/

export function filesNamedIn(text: string, path: string, all: ReadonlySet<string>): readonly string[] {
  const folder = dirname(path)
  const isConfiguration = /\.(?:[cm]?[jt]s|jsonc?|ya?ml|toml)$/.test(path)
  const plain = isConfiguration ? text.replaceAll(productValues, '') : text
  const found = plain.split('\n').flatMap((line) => {
    if (isConfiguration && productKeys.test(line.replaceAll('<rootDir>', '')) && !importWords.test(line)) return []
    return [...possiblePaths(line), ...(namesModules(line, path) ? modulesIn(line) : [])]
  })
  const files = [...new Set(found)].flatMap((name) => {
    const places = name.startsWith('.') ? [join(folder, name)] : [join(folder, name), join(name)]
    return places.flatMap((place) => fileAt(place, all) ?? [])
  })
  return [...new Set(files)]
}

/** Words of a line that may be paths, without quotes and punctuation. */
function possiblePaths(line: string): readonly string[] {
  return line
    .replaceAll(
      /<rootDir>\/?|\$\{?(?:configDir|workspaceFolder|PWD|CURDIR|TESTDIR|TESTROOT)\}?\/?|\$\((?:PWD|CURDIR)\)\/?/g,
      './',
    )
    .split(/[\s"'`,;:=()[\]{}<>|&]+/)
    .filter((word) => /[./]/.test(word) || /^\w[\w-]{2,}$/.test(word))
    .map((word) => word.replace(/^@/, ''))
}

function namesModules(line: string, path: string): boolean {
  if (path.endsWith('.py')) return importWords.test(line) || line.includes('pytest_plugins')
  return /\.(?:ini|toml|cfg)$/.test(path) && /(?:^|[\s"'=])-p\b|plugin|addopts|settings/i.test(line)
}

/** Names of modules as paths: `tools/plugin` for `import tools.plugin` and for `-p tools.plugin`. */
function modulesIn(line: string): readonly string[] {
  return [...line.matchAll(/\b([A-Za-z_]\w*(?:\.\w+)*)\b/g)].map(([, name = '']) => name.replaceAll('.', '/'))
}

function fileAt(place: string, all: ReadonlySet<string>): string | undefined {
  const withoutExtension = place.replace(/\.[cm]?js$/, '')
  const candidates = [
    place,
    ...[place, withoutExtension, `${place}/index`].flatMap((each) =>
      codeExtensions.map((ending) => `${each}.${ending}`),
    ),
    `${place}/__init__.py`,
  ]
  return candidates.find((candidate) => all.has(candidate))
}

/** Whether an import in the text names the file without its extension. */
export function isImportedBy(path: string, text: string): boolean {
  const { dir, name } = parse(path)
  const module = /^(?:index|__init__|mod|lib)$/.test(name) ? dir.replace(/.*\//, '') : name
  if (module === '') return false
  const word = module.replaceAll(/[^\w]/g, String.raw`\$&`)
  const statement = String.raw`\b(?:import|require|from|use|using|include|include_once|require_once|require_relative|mod|export|load|alias)\b`
  // In Go, an import names a folder, and one `import` can list several.
  const ofGo = path.endsWith('.go') ? `|"[^"\n]*/${dir.replace(/.*\//, '').replaceAll(/[^\w]/g, String.raw`\$&`)}"` : ''
  return new RegExp(String.raw`${statement}[^\n]*[\b./"'\s]${word}\b${ofGo}`).test(text)
}
