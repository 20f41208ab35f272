import { parse } from 'node:path'
import { z } from 'zod'
import { compileGlob } from '../../../system/files/match-glob.ts'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import { installedModules } from './outside-git.ts'
import {
  isAmongProduct,
  isForTests,
  isProductData,
  looksLikeHelper,
  productFolders,
  productKind,
} from './product-files.ts'
import { isConfiguration, isTestByText, isTestFile } from './protected-files.ts'
import { namedByTests, readByJudges, takenByProduct, type FilesBefore } from './read-by-judges.ts'
import { addedSuppression } from './suppressions.ts'

/** A change of an attempt that is not judged with the others. */
export const leftOutSchema = z.object({
  path: z.string().describe('Relative to the root.'),
  reason: z.string().describe('Why, the end of a sentence that begins with the path.'),
})

export type LeftOut = Readonly<z.infer<typeof leftOutSchema>>

/** What was left out, with its reasons; nothing where nothing was. */
export function describeLeftOut(leftOut: readonly LeftOut[]): string {
  return leftOut.map(({ path, reason }) => `${path} (${reason})`).join(', ')
}

export interface ChosenChanges {
  /** Paths of the changes that count. */
  readonly used: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

export interface ChangesOptions {
  readonly checkpoints: Pick<Checkpoints, 'files' | 'texts'>
  /** Names of the checkpoints before and after. */
  readonly before: string
  readonly after: string
  /** Globs of files that a person lets an attempt change, besides. */
  readonly mayChange: readonly string[]
  /** Paths of what starts when the changes are judged. */
  readonly starts: ReadonlySet<string>
  /** Paths of what these get as configuration, or to compare with. */
  readonly handedOver: ReadonlySet<string>
  readonly root: string
  /** Finds interpreters. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Whether one of these globs names a file. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => compileGlob(glob)(path))
}

/**
 * Of the changes of an attempt, those that count: sources of the product, and new files beside them. What tests, compilers and
 * linters read besides is not among them, by its name, by its place, or because something that judges names it.
 */
export async function chooseChanges(paths: readonly string[], options: ChangesOptions): Promise<ChosenChanges> {
  if (paths.length === 0) return { used: [], leftOut: [] }
  const { checkpoints, before, after, mayChange, starts, handedOver } = options
  const [filesBefore, filesAfter] = await Promise.all([checkpoints.files(before), checkpoints.files(after)])
  const all = new Set(filesBefore.map(({ path }) => path))
  const files: FilesBefore = { checkpoints, before, all }
  const asked = paths.filter((path) => !matchesAny(path, mayChange))
  const judges = await readByJudges({ starts, handedOver }, files)
  const [taken, named, was, is] = await Promise.all([
    takenByProduct(
      asked.filter((path) => starts.has(path) || judges.has(path) || looksLikeHelper(path)),
      { files, judges, starts },
    ),
    namedByTests(asked, files),
    checkpoints.texts(before, asked),
    checkpoints.texts(after, asked),
  ])
  const links = new Set([...filesBefore, ...filesAfter].flatMap(({ path, isLink }) => (isLink ? [path] : [])))
  const view: View = { all, after: new Set(filesAfter.map(({ path }) => path)), folders: productFolders([...all]) }
  const modules = await installedModules(
    asked.flatMap((path) => newModule(path, view) ?? []),
    options,
  )
  const leftOut = asked.flatMap((path): LeftOut[] => {
    const reason =
      (handedOver.has(path) ? 'is handed to what judges' : undefined) ??
      (links.has(path) ? 'is a link, which may lead anywhere' : undefined) ??
      reasonByName(path, { view, isTaken: taken.has(path) }) ??
      reasonByReaders(path, { judges, named, starts, isTaken: taken.has(path) }) ??
      reasonByModule(newModule(path, view), modules) ??
      reasonByText(path, { was: was.get(path), is: is.get(path) })
    return reason === undefined ? [] : [{ path, reason }]
  })
  const left = new Set(leftOut.map(({ path }) => path))
  // Where a folder is not replaced, what was in it is not removed.
  const covered = asked.filter((path) => !left.has(path) && foldersAbove(path).some((folder) => left.has(folder)))
  const others = covered.map((path) => ({ path, reason: 'was in a folder that is left as it was' }))
  for (const path of covered) left.add(path)
  return { used: paths.filter((path) => !left.has(path)), leftOut: [...leftOut, ...others] }
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** What is known of a project by the names of its files. */
interface View {
  readonly all: ReadonlySet<string>
  readonly after: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
}

function reasonByName(
  path: string,
  { view, isTaken }: { readonly view: View; readonly isTaken: boolean },
): string | undefined {
  const isNew = !view.all.has(path)
  const kind = productKind(path)
  if (isTestFile(path) && isNew) return 'is a new test, which takes no part in the judgement'
  if (isForTests(path)) return 'is among what tests compare with'
  if (kind === undefined) return 'is no source of the product by its name'
  if (kind === 'dependencies') return undefined
  if (isConfiguration(path.toLowerCase())) return 'is configuration by its name'
  if (looksLikeHelper(path) && !isTaken) return 'looks like a helper, a script or configuration'
  if (kind === 'document') return undefined
  if (kind === 'data')
    return isProductData(path, view.folders) ? undefined : 'is data that no code of the product is beside'
  if (!isNew) return undefined
  if (!isAmongProduct(path, view.folders)) return 'is new, and no code of the product is beside it'
  const other = takesPlaceOf(path, view)
  return other === undefined ? undefined : `is new, and would be taken in place of \`${other}\``
}

function reasonByReaders(
  path: string,
  {
    judges,
    named,
    starts,
    isTaken,
  }: Pick<ChangesOptions, 'starts'> & {
    readonly judges: ReadonlyMap<string, string>
    readonly named: ReadonlyMap<string, string>
    readonly isTaken: boolean
  },
): string | undefined {
  const judge = judges.get(path)
  const isCode = productKind(path) === 'code'
  if (starts.has(path) && !isTaken) return 'is started by what judges'
  if (judge !== undefined && !(isCode && isTaken) && productKind(path) !== 'dependencies')
    return `is read by \`${judge}\``
  const test = named.get(path)
  return test === undefined ? undefined : `is compared with by \`${test}\``
}

const scripts = 'ts tsx mts cts js jsx mjs cjs'.split(' ')

/** A script of the same name that stays: which of them an import means is a matter of luck. */
function takesPlaceOf(path: string, { all, after }: View): string | undefined {
  const { dir, name, ext } = parse(path)
  if (!scripts.includes(ext.slice(1))) return undefined
  const others = scripts.map((extension) => (dir === '' ? `${name}.${extension}` : `${dir}/${name}.${extension}`))
  return others.find((other) => other !== path && all.has(other) && after.has(other))
}

/** The name by which Python would find a new file at its top, where it may stand in for a module that is installed. */
function newModule(path: string, { all }: View): string | undefined {
  if (!/\.pyx?$/.test(path) || all.has(path)) return undefined
  const parts = path.replace(/\.pyx?$/, '').split('/')
  const isPackage = (depth: number): boolean => all.has([...parts.slice(0, depth), '__init__.py'].join('/'))
  // The topmost folder that was a package is known; what is above its first one is a place where modules are found.
  const depth = parts.findIndex((_, index) => index < parts.length - 1 && isPackage(index + 1))
  if (depth !== -1) return undefined
  return parts.at(-1) === '__init__' ? parts.at(-2) : parts.at(-1)
}

function reasonByModule(module: string | undefined, modules: ReadonlySet<string>): string | undefined {
  return module !== undefined && modules.has(module)
    ? `is new, and would be taken in place of the installed module \`${module}\``
    : undefined
}

function reasonByText(
  path: string,
  { was, is }: { readonly was: string | undefined; readonly is: string | undefined },
): string | undefined {
  if (was !== undefined && productKind(path) === 'code' && isTestByText(was)) return 'is a test by what it holds'
  if (is === undefined) return undefined
  if (path.endsWith('package.json')) return reasonByManifest(was, is)
  if (productKind(path) !== 'code') return undefined
  const word = addedSuppression(was, is)
  return word === undefined ? undefined : `adds \`${word}\`, by which less is judged`
}

/** A program that judges can be taken from anywhere by such a version. */
function reasonByManifest(was: string | undefined, is: string): string | undefined {
  const before = versionsIn(was ?? '{}')
  const added = [...versionsIn(is)].find(
    ([name, version]) =>
      before.get(name) !== version && /^(?:file|link|portal|git|github|https?|npm|patch):|\//.test(version),
  )
  return added === undefined ? undefined : `takes \`${added[0]}\` from elsewhere than its registry`
}

function versionsIn(manifest: string): ReadonlyMap<string, string> {
  try {
    const parsed = JSON.parse(manifest) as Record<string, Record<string, unknown> | undefined> // others have no such properties
    const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
    return new Map(
      kinds.flatMap((kind) => Object.entries(parsed[kind] ?? {}).map(([name, version]) => [name, String(version)])),
    )
  } catch {
    return new Map()
  }
}
