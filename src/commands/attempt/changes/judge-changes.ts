import { dirname, join } from 'node:path'
import { chooseChanges, matchesAny, type ChangesOptions, type LeftOut } from './choose-changes.ts'
import type { Checkpoints, Writes } from '../checkpoints/checkpoints.ts'
import type { GitChanges } from '../git/kept-repository.ts'
import { assertInstalledJudges, clearCaches, hashInstalledJudges } from './outside-git.ts'
import { isForTests, looksLikeHelper, productKind } from './product-files.ts'
import { allProgramsOf, filesHandedOver, programsOf, withScripts } from './programs-of.ts'
import {
  isConfiguration,
  testFilesOf,
  findProtectedChanges,
  mayBeProtected,
  type ChangedFile,
} from './protected-files.ts'

/** An attempt of an agent between two checkpoints. */
export interface ChangesToJudge extends Omit<ChangesOptions, 'starts' | 'handedOver' | 'checkpoints'> {
  readonly checkpoints: Pick<Checkpoints, 'read' | 'files' | 'texts' | 'keepOnly'>
  /** As a shell reads them: what decides whether it was a fix. */
  readonly commands: readonly string[]
  /** Files that decide it, too, relative to the root. */
  readonly judges: readonly string[]
  /** Globs of what an attempt may not change besides. */
  readonly protect: readonly string[]
  /** Tests that failed before it. */
  readonly failing: Parameters<typeof testFilesOf>[0]
  /** What had changed in the repository, and was put back. */
  readonly git: GitChanges
  /** What is installed and judges, before it. */
  readonly installed: ReadonlyMap<string, string>
  /** Whether an attempt may change anything. */
  readonly allowTestEdits: boolean
}

/** What an attempt may have done. */
export interface JudgedChanges {
  /** Paths of changes, and names of what it moved in git, for which all of it is to be undone. */
  readonly forbidden: readonly string[]
  readonly used: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * Judges what an attempt changed, and makes the files what they were before with only those changes that count, unless all is to
 * be undone.
 *
 * @param paths of all that it changed
 * @throws MdtestError `EXEC_RESTORE_FAILED` where the files are not that afterwards
 */
export async function judgeChanges(paths: readonly string[], asked: ChangesToJudge): Promise<JudgedChanges> {
  const { checkpoints, before, after, git, allowTestEdits } = asked
  const settings = git.settings.map((path) => ({ path, reason: 'is no file of the project' }))
  if (allowTestEdits) return { forbidden: git.moves, used: paths, leftOut: settings }
  await assertInstalled(asked)
  const programs = await programsStarted(asked)
  const read = (path: string): Promise<string | undefined> => checkpoints.read(before, path)
  const named = paths.filter((path) => matchesAny(path, asked.protect))
  const judges = new Set([
    ...asked.judges,
    ...named,
    ...programs.byCommands,
    ...(await testFilesOf(asked.failing, read)),
  ])
  const known = new Set((await checkpoints.files(before)).map(({ path }) => dirname(path)))
  // Tools hide what they make by rules within.
  const isOfTool = (path: string): boolean => path.endsWith('/.gitignore') && !known.has(dirname(path))
  const unasked = paths.filter((path) => !matchesAny(path, asked.mayChange) && !isOfTool(path))
  const forbidden = [...(await forbiddenChanges(unasked, { checkpoints, before, after, judges })), ...git.moves]
  const starts = new Set([...programs.byCommands, ...programs.byOthers])
  const chosen = await chooseChanges(paths, { ...asked, starts, handedOver: programs.handedOver })
  if (forbidden.length > 0) return { ...chosen, forbidden }
  if (chosen.leftOut.length > 0) await checkpoints.keepOnly({ before, after, paths: chosen.used })
  await clearCaches(asked.root, [...(await checkpoints.files(before)).map(({ path }) => path), ...chosen.used])
  // Compiled Python and logs of specs are no news to anybody.
  const told = chosen.leftOut.filter(({ path }) => !/(?:^|\/)(?:__pycache__|[^/]+\.logs)\//.test(path))
  return { forbidden, used: chosen.used, leftOut: [...told, ...settings] }
}

/** Where these are others, nothing is left to judge with: the files are what they were, and that is all. */
async function assertInstalled({
  checkpoints,
  before,
  after,
  root,
  installed,
  mayChange,
}: ChangesToJudge): Promise<void> {
  const all = (await checkpoints.files(before)).map(({ path }) => path)
  const now = await hashInstalledJudges(root, all)
  const counting = (hashes: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    new Map([...hashes].filter(([path]) => !matchesAny(path, mayChange) && !matchesAny(`${path}/any`, mayChange)))
  try {
    assertInstalledJudges(counting(installed), counting(now))
  } catch (error: unknown) {
    await checkpoints.keepOnly({ before, after, paths: [] })
    throw error
  }
}

interface Programs {
  readonly byCommands: ReadonlySet<string>
  /** By scripts of packages within this one, and by files of make. */
  readonly byOthers: readonly string[]
  /** What these get as configuration, or to compare with. */
  readonly handedOver: ReadonlySet<string>
}

const makeFile = /(?:^|\/)(?:GNU)?[mM]akefile$|\.mk$|(?:^|\/)\.?[jJ]ustfile$|(?:^|\/)Taskfile\.ya?ml$/
const usesMake = /(?:^|[\s;&|(])(?:g?make|just|task)(?:\s|$)/m

async function programsStarted({ checkpoints, before, commands }: ChangesToJudge): Promise<Programs> {
  const read = (path: string): Promise<string | undefined> => checkpoints.read(before, path)
  const scripts = withScripts(commands, await read('package.json'))
  const byCommands = await allProgramsOf(scripts, read)
  const files = (await checkpoints.files(before)).map(({ path }) => path)
  const makeFiles = usesMake.test(scripts.join('\n')) ? files.filter((path) => makeFile.test(path)) : []
  const manifests = files.filter((path) => path.endsWith('/package.json'))
  const texts = await checkpoints.texts(before, [...makeFiles, ...manifests])
  const byOthers = [...texts].flatMap(([path, text]) => {
    const lines = path.endsWith('package.json')
      ? withScripts(scripts, text).filter((line) => !scripts.includes(line))
      : [text]
    return lines.flatMap(programsOf).map((program) => join(dirname(path), program))
  })
  const handed = filesHandedOver(scripts)
  const others = handed.words.filter((path) => productKind(path) !== 'code')
  return { byCommands, byOthers: [...makeFiles, ...byOthers], handedOver: new Set([...handed.byOption, ...others]) }
}

/**
 * Of the files that were written to while commands judged, those that judge: tests, what they compare with, helpers and
 * configuration. Sources may well be written to, by a linter that mends them. Pure.
 */
export function judgesWritten({ changed, added }: Writes): readonly string[] {
  const isJudge = (path: string): boolean =>
    isForTests(path) || isConfiguration(path) || (looksLikeHelper(path) && productKind(path) === 'code')
  const isNewJudge = (path: string): boolean =>
    isConfiguration(path) && !/\.(?:snap|golden|(?:approved|verified)\.\w+)$/.test(path)
  return [...changed.filter(isJudge), ...added.filter(isNewJudge)]
}

interface Attempt {
  readonly checkpoints: Pick<Checkpoints, 'read'>
  /** Names of the checkpoints before and after it. */
  readonly before: string
  readonly after: string
  /** Files that decide what passes. Their names may be any. */
  readonly judges: ReadonlySet<string>
}

/** The changed files that an attempt may not change, in their order. */
async function forbiddenChanges(
  paths: readonly string[],
  { checkpoints, before, after, judges }: Attempt,
): Promise<readonly string[]> {
  const changed: ChangedFile[] = []
  for (const path of paths.filter((each) => !judges.has(each) && mayBeProtected(each))) {
    const [was, is] = await Promise.all([checkpoints.read(before, path), checkpoints.read(after, path)])
    changed.push({ path, before: was, after: is })
  }
  const forbidden = new Set(findProtectedChanges(changed))
  return paths.filter((path) => judges.has(path) || forbidden.has(path))
}
