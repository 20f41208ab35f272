import { dirname } from 'node:path'
import { z } from 'zod'
import { matchGlob } from '../../../system/files/match-glob.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { Checkpoints, Writes } from '../checkpoints/checkpoints.ts'
import type { GitChanges } from '../git/repository-state.ts'
import {
  findProtectedChanges,
  foldersAbove,
  isConfiguration,
  isForTests,
  isDocument,
  isSource,
  isTestByText,
  isTestFile,
  listsDependencies,
  looksLikeHelper,
  testFilesOf,
} from './file-kinds.ts'
import { addedSuppression, differInComments } from './switched-off-checks.ts'
import { clearCaches, hashInstalledJudges, standsInForRunner } from './outside-git.ts'
import { namedByTests, readByJudges, takenByProduct, type FilesBefore } from './read-by-judges.ts'
import { programsStarted } from './programs-started.ts'

export const leftOutSchema = z.object({
  path: z.string().describe('Relative to the root.'),
  reason: z.string().describe('Why, the end of a sentence that begins with the path.'),
})

export type LeftOut = Readonly<z.infer<typeof leftOutSchema>>

export function describeLeftOut(leftOut: readonly LeftOut[]): string {
  return leftOut.map(({ path, reason }) => `${path} (${reason})`).join(', ')
}

export interface ChangesToJudge extends Omit<ChangesOptions, 'starts' | 'handedOver' | 'checkpoints'> {
  readonly checkpoints: Pick<Checkpoints, 'read' | 'files' | 'texts' | 'keepOnly'>
  /** Shell commands whose results decide whether the attempt succeeded. */
  readonly commands: readonly string[]
  readonly protect: readonly string[]
  readonly root: string
  readonly failing: Parameters<typeof testFilesOf>[0]
  readonly git: GitChanges
  readonly installed: ReadonlyMap<string, string>
  readonly allowTestEdits: boolean
}

export interface JudgedChanges extends ChosenChanges {
  /** Changed files and moved git refs that no attempt may touch. If there are any, the caller must undo everything. */
  readonly forbidden: readonly string[]
}

/** Undoes the changes in `leftOut`, but none if any change is forbidden. @throws MdtestError `EXEC_RESTORE_FAILED` */
export async function judgeChanges(paths: readonly string[], asked: ChangesToJudge): Promise<JudgedChanges> {
  const { checkpoints, before, after, git, root } = asked
  const settings = git.settings.map((path) => ({ path, reason: 'is no file of the project' }))
  if (asked.allowTestEdits) return { forbidden: git.moves, used: paths, leftOut: settings }
  const all = (await checkpoints.files(before)).map(({ path }) => path)
  await assertInstalled(all, asked)
  const { byCommands, byOthers, handedOver } = await programsStarted(all, asked)
  const forbidden = [...(await forbiddenChanges(paths, { all, byCommands, asked })), ...git.moves]
  const chosen = await chooseChanges(paths, { ...asked, starts: new Set([...byCommands, ...byOthers]), handedOver })
  if (forbidden.length > 0) return { ...chosen, forbidden }
  if (chosen.leftOut.length > 0) await checkpoints.keepOnly({ before, after, paths: chosen.used })
  await clearCaches(root, [...all, ...chosen.used])
  // Do not report changes that every run makes: compiled Python and logs of specs.
  const told = chosen.leftOut.filter(({ path }) => !/(?:^|\/)(?:__pycache__|[^/]+\.logs)\//.test(path))
  return { forbidden, used: chosen.used, leftOut: [...told, ...settings] }
}

/** Throws if installed test tools changed, because then no test result can be trusted. Restores all files first. */
async function assertInstalled(all: readonly string[], asked: ChangesToJudge): Promise<void> {
  const { checkpoints, before, after, root, installed, mayChange } = asked
  const now = await hashInstalledJudges(root, all)
  const changed = [...new Set([...installed.keys(), ...now.keys()])].filter(
    (path) =>
      installed.get(path) !== now.get(path) && !matchesAny(path, mayChange) && !matchesAny(`${path}/any`, mayChange),
  )
  if (changed.length === 0) return
  await checkpoints.keepOnly({ before, after, paths: [] })
  const names = changed.slice(0, 10).map((path) => `\`${path}\``)
  const message = `While the agent worked, installed test tools were changed, which git does not track: ${names.join(', ')}.`
  throw new MdtestError('EXEC_RESTORE_FAILED', message, {
    hint: 'All other files are as they were before. Reinstall these packages, for example with `npm ci`, and start again.',
  })
}

interface Known {
  readonly all: readonly string[]
  readonly byCommands: ReadonlySet<string>
  readonly asked: ChangesToJudge
}

async function forbiddenChanges(
  paths: readonly string[],
  { all, byCommands, asked }: Known,
): Promise<readonly string[]> {
  const { checkpoints, before, after, mayChange, protect } = asked
  const known = new Set(all.map((path) => dirname(path)))
  // Allow a `.gitignore` in a new folder, because tools hide their own output with it.
  const isOfTool = (path: string): boolean => path.endsWith('/.gitignore') && !known.has(dirname(path))
  const unasked = paths.filter((path) => !matchesAny(path, mayChange) && !isOfTool(path))
  const failing = await testFilesOf(asked.failing, (path) => checkpoints.read(before, path))
  const judges = new Set([...asked.judges, ...byCommands, ...failing])
  const [was, is] = await Promise.all([checkpoints.texts(before, unasked), checkpoints.texts(after, unasked)])
  const changed = unasked.map((path) => ({ path, before: was.get(path), after: is.get(path) }))
  const forbidden = new Set(findProtectedChanges(changed))
  return unasked.filter((path) => judges.has(path) || forbidden.has(path) || matchesAny(path, protect))
}

/** Tests and configuration that a run wrote. Product code is left out, because linters may fix it. */
export function judgesWritten({ changed, added }: Writes): readonly string[] {
  const isJudge = (path: string): boolean =>
    isForTests(path) || isConfiguration(path) || (looksLikeHelper(path) && isSource(path))
  const isNewJudge = (path: string): boolean =>
    isConfiguration(path) && !/\.(?:snap|golden|(?:approved|verified)\.\w+)$/.test(path)
  return [...changed.filter(isJudge), ...added.filter(isNewJudge)]
}

function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchGlob(path, glob))
}

interface ChosenChanges {
  readonly used: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

interface ChangesOptions {
  readonly checkpoints: Pick<Checkpoints, 'files' | 'texts'>
  readonly before: string
  readonly after: string
  readonly mayChange: readonly string[]
  readonly starts: ReadonlySet<string>
  readonly handedOver: ReadonlySet<string>
  /** Files that test the product although their names do not show this, for example specs. */
  readonly judges: readonly string[]
  /** Whether a compiler or linter failed. Then added comments are judged, too: a comment could hide the failure. */
  readonly areCommentsJudged?: boolean
}

export async function chooseChanges(paths: readonly string[], options: ChangesOptions): Promise<ChosenChanges> {
  const asked = paths.filter((path) => !matchesAny(path, options.mayChange))
  const view = await lookAt(asked, options)
  const leftOut = asked.flatMap((path): LeftOut[] => {
    const reason = reasonByName(path, view) ?? reasonByReaders(path, view) ?? reasonByText(path, view)
    return reason === undefined ? [] : [{ path, reason }]
  })
  const left = new Set(leftOut.map(({ path }) => path))
  // If the agent replaced the folder `a` by a link, undoing the link also restores `a/b`.
  const covered = asked.filter((path) => !left.has(path) && foldersAbove(path).some((folder) => left.has(folder)))
  for (const path of covered) leftOut.push({ path, reason: 'was in a folder that was not changed' })
  return { used: paths.filter((path) => !left.has(path) && !covered.includes(path)), leftOut }
}

type View = Awaited<ReturnType<typeof lookAt>>

async function lookAt(paths: readonly string[], options: ChangesOptions) {
  const { checkpoints, before, after, starts, handedOver } = options
  const [filesBefore, filesAfter] = await Promise.all([checkpoints.files(before), checkpoints.files(after)])
  const all = new Set(filesBefore.map(({ path }) => path))
  const files: FilesBefore = { checkpoints, before, all }
  const judges =
    paths.length === 0
      ? new Map<string, string>()
      : await readByJudges({ starts, handedOver, specs: new Set(options.judges) }, files)
  const helpers = paths.filter((path) => starts.has(path) || judges.has(path) || looksLikeHelper(path))
  return {
    ...{ all, handedOver, starts, judges },
    links: new Set([...filesBefore, ...filesAfter].flatMap(({ path, isLink }) => (isLink ? [path] : []))),
    taken: await takenByProduct(helpers, { files, judges, starts }),
    named: await namedByTests(paths, files),
    areCommentsJudged: options.areCommentsJudged ?? false,
    was: await checkpoints.texts(before, paths),
    is: await checkpoints.texts(after, paths),
  }
}

function reasonByName(path: string, { all, links, taken, handedOver }: View): string | undefined {
  const isNew = !all.has(path)
  if (handedOver.has(path)) return 'is passed to a judging command'
  if (links.has(path)) return 'is a link, which may lead anywhere'
  if (isTestFile(path) && isNew) return 'is a new test, which does not count for the result'
  if (isForTests(path)) return 'is data that tests compare with'
  if (isConfiguration(path.toLowerCase())) return 'is configuration by its name'
  if (isNew && standsInForRunner(path)) return 'is new, and would replace a module of the test runner'
  return looksLikeHelper(path) && !taken.has(path) ? 'looks like a helper, a script or configuration' : undefined
}

function reasonByReaders(path: string, { taken, starts, judges, named }: View): string | undefined {
  const isTaken = taken.has(path)
  const [judge, test] = [judges.get(path), named.get(path)]
  if (starts.has(path) && !isTaken) return 'is started by a judging command'
  if (judge !== undefined && !listsDependencies(path) && !(isSource(path) && isTaken)) return `is read by \`${judge}\``
  return test === undefined ? undefined : `is compared with by \`${test}\``
}

function reasonByText(path: string, view: View): string | undefined {
  const [was, is] = [view.was.get(path), view.is.get(path)]
  if (was !== undefined && isSource(path) && isTestByText(was)) return 'is a test by its content'
  if (view.areCommentsJudged && was !== undefined && is !== undefined && differInComments(path, was, is))
    return 'changes nothing but comments, which compile and lint gates read'
  const word = is === undefined || isDocument(path) ? undefined : addedSuppression(was, is)
  return word === undefined ? undefined : `adds \`${word}\`, which disables a check`
}
