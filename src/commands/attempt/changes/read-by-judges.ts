import { parse } from 'node:path'
import { agentFolders } from '../../../agents/registry.ts'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import { filesNamedIn, isImportedBy } from './mentions.ts'
import { isForTests, looksLikeHelper, productKind } from './product-files.ts'
import { isBelow, isConfiguration, isTestFile, judgingText } from './protected-files.ts'

/** The files of a project before an attempt. */
export interface FilesBefore {
  readonly checkpoints: Pick<Checkpoints, 'texts'>
  /** Name of the checkpoint. */
  readonly before: string
  /** Paths of all files. */
  readonly all: ReadonlySet<string>
}

/** A longer text (UTF-16 units) was made by a program. */
const maxTextLength = 512 * 1024

/** A file that judges: `isScript` where a command starts it, and not what configures a tool. */
interface Judge {
  readonly path: string
  readonly isScript: boolean
}

/**
 * Files that are read by what judges: named by configuration of runners, compilers and linters, by what the commands start, or
 * by files that are so named. By each of them: the file that names it.
 *
 * @param given.starts paths of what the commands start
 * @param given.handedOver paths of what that gets
 */
export async function readByJudges(
  { starts, handedOver }: { readonly starts: ReadonlySet<string>; readonly handedOver: ReadonlySet<string> },
  { checkpoints, before, all }: FilesBefore,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const seen = new Set<string>()
  let next: readonly Judge[] = [...all].flatMap((path): readonly Judge[] => {
    if (starts.has(path)) return [{ path, isScript: !/makefile|justfile|\.mk$/i.test(path) }]
    const isRead =
      handedOver.has(path) ||
      isManifest(path) ||
      (isConfiguration(path) && !namesCommands.test(path) && !isBelow(commandFolders, path))
    return isRead ? [{ path, isScript: false }] : []
  })
  while (next.length > 0) {
    for (const { path } of next) seen.add(path)
    const texts = await checkpoints.texts(
      before,
      next.map(({ path }) => path),
    )
    const named: (Judge & { readonly by: string })[] = []
    for (const { path, isScript } of next) {
      const text = judgingText(path, (texts.get(path) ?? '').slice(0, maxTextLength))
      const names = filesNamedIn(text, path, all).filter((name) => name !== path && !isCompiled(name))
      const read = isScript ? await helpersOf(path, { names, text, files: { checkpoints, before, all } }) : names
      named.push(...read.map((name) => ({ path: name, isScript, by: path })))
    }
    for (const { path, by } of named) if (!found.has(path)) found.set(path, by)
    // Tests name the product, and are protected themselves.
    const fresh = new Map(named.map((each) => [each.path, each]))
    next = [...fresh.values()].filter(({ path }) => !seen.has(path) && !isTestFile(path))
  }
  return found
}

/** Configuration of what starts the same commands: these tell what is read. */
const namesCommands = /(?:^|\/)mdtest\.config\.json$|\.\w+ignore$/
const commandFolders: ReadonlySet<string> = new Set(['.planning', '.github', '.gitlab', '.husky', ...agentFolders])

function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg)$/.test(path)
}

/** What a Makefile names to have it compiled, and not to start it. */
function isCompiled(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|s|go|rs|java|kt|scala|swift|cs|fs|hs|zig|nim|f90)$/i.test(path)
}

/** What asserts, compares or ends a process is no product. */
const asserting =
  /\b(?:assert\w*|expect\w*|deepEqual|strictEqual|unittest|should|AssertionError)\b|\b(?:process\.exit(?:Code)?|sys\.exit|os\._exit)\b/
const assertingName =
  /assert|check|harness|help|expect|report|support|match|verif|compar|golden|runner|(?:^|[-_./])(?:t|kit|common|shared|spec|suite|run|test\w*)\b/i

/** Of the files that a script names, what it judges with: it may name the product, too, as any test does. */
async function helpersOf(
  script: string,
  { names, text, files }: { readonly names: readonly string[]; readonly text: string; readonly files: FilesBefore },
): Promise<readonly string[]> {
  const isShell = /\.(?:ba|z|k)?sh$/.test(script) || !/\.\w+$/.test(script)
  const code = names.filter((name) => productKind(name) === 'code')
  const texts = await files.checkpoints.texts(files.before, code)
  const { dir } = parse(script)
  return names.filter((name) => {
    if (productKind(name) !== 'code') return true
    if (looksLikeHelper(name) || isForTests(name)) return true
    if (dir !== '' && !productDir.test(`${dir}/`) && name.startsWith(`${dir}/`)) return true
    if (isShell || !isImportedBy(name, text) || code.length === 1) return false
    return assertingName.test(parse(name).name) || asserting.test(texts.get(name) ?? '')
  })
}

const productDir = /(?:^|\/)(?:src|lib|app|pkg|cmd|bin|internal)\/$/

/** Of these files, those that code of the product or tests take code from, as it was before. */
export async function takenByProduct(
  paths: readonly string[],
  {
    files,
    judges,
    starts,
  }: {
    readonly files: FilesBefore
    readonly judges: ReadonlyMap<string, string>
    readonly starts: ReadonlySet<string>
  },
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  const { checkpoints, before, all } = files
  const takers = [...all].filter((path) => {
    if (productKind(path) !== 'code' || judges.has(path) || starts.has(path) || isConfiguration(path)) return false
    return isTestFile(path) || !(looksLikeHelper(path) || isForTests(path))
  })
  const texts = [...(await checkpoints.texts(before, takers))]
  return new Set(paths.filter((path) => texts.some(([by, text]) => by !== path && isImportedBy(path, text))))
}

/** A test that compares with one of these files, by file: it names it. */
export async function namedByTests(
  paths: readonly string[],
  { checkpoints, before, all }: FilesBefore,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  if (paths.length === 0) return found
  const tests = [...all].filter((path) => isTestFile(path) && /\.\w+$/.test(path) && productKind(path) !== undefined)
  for (const [test, text] of await checkpoints.texts(before, tests)) {
    for (const path of paths) if (!found.has(path) && isNamedIn(text, path)) found.set(path, test)
  }
  return found
}

/** Code and templates are what is tested; data that a test names it compares with, and so whatever it matches with a file. */
function isNamedIn(text: string, path: string): boolean {
  const name = path.replace(/.*\//, '')
  if (!text.includes(name)) return false
  if (productKind(path) === 'data') return true
  return text
    .split('\n')
    .some((line) => line.includes(name) && /MatchFile|FileSnapshot|golden|approve|expected/i.test(line))
}
