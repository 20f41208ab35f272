import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Answer, askAgent, type Question } from '../../agents/ask-agent.ts'
import { judgingText } from './changes/file-kinds.ts'
import { type ChangesToJudge, judgeChanges, type JudgedChanges, judgesWritten } from './changes/judge-changes.ts'
import { hashInstalledJudges } from './changes/outside-git.ts'
import type { Checkpoints } from './checkpoints/checkpoints.ts'
import { suiteOptions } from '../common/suite.ts'
import { resolveOptions } from '../../plan/options/option-defaults.ts'
import { createIsSpec, madeOf } from '../../plan/spec-files.ts'
import { knownPlaces } from '../../spec/dialects/dialect-places.ts'
import { pathIn } from '../../system/files/paths.ts'
import { defaultInclude, hasSpecEnding } from '../../system/spec-endings.ts'
import { makeFolder } from '../../system/files/write-file.ts'
import type { ProgramContext } from '../../system/process/run-command.ts'
import { createMark } from '../../system/process/trees/marks.ts'
import { makeExcerpt, makeShortExcerpt } from '../../test-runners/run/make-excerpt.ts'
import { type ExecutedTests, missingTests } from '../../test-runners/executed-tests.ts'
import type { NamedTest } from '../../test-runners/runner.ts'

export interface AttemptStart extends Pick<ChangesToJudge, 'root' | 'before'> {
  readonly checkpoints: Checkpoints
}

export interface AttemptRules extends Omit<ChangesToJudge, 'checkpoints' | 'before' | 'git' | 'installed' | 'root'> {
  readonly undone: string
}

/** If `forbidden` is not empty, no change was undone yet: the caller must undo all. */
export interface AttemptResult extends JudgedChanges {
  readonly changed: readonly string[]
  readonly moves: readonly string[]
}

/** Begins an attempt. The returned function judges the changes, and undoes those that are not allowed. */
export async function beginAttempt(start: AttemptStart): Promise<(rules: AttemptRules) => Promise<AttemptResult>> {
  const { checkpoints, before, root } = start
  const files = (await checkpoints.files(before)).map(({ path }) => path)
  const installed = await hashInstalledJudges(root, files)
  const specs = await specSources(root, files)
  return async ({ undone, ...rules }) => {
    const git = await checkpoints.restoreGit(before, undone)
    await checkpoints.take(rules.after)
    const changed = await checkpoints.changes(before, rules.after)
    const judges = [...rules.judges, ...specs]
    const judged = await judgeChanges(changed, { ...rules, checkpoints, before, git, installed, root, judges })
    return { ...judged, changed, moves: git.moves }
  }
}

/** `written` lists tests and configuration that the run wrote. If there are any, a pass does not count. */
export async function runWatched<Result>(
  checkpoints: Pick<Checkpoints, 'watch'>,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly written: () => Promise<readonly string[]> }> {
  const writesSince = await checkpoints.watch()
  return { result: await run(), written: async () => judgesWritten(await writesSince()) }
}

export function undoneName(now: Date): string {
  return `undone-${now.toISOString().replaceAll(/[^\dTZ]/g, '')}-${randomBytes(3).toString('hex')}`
}

export interface AskContext extends ProgramContext, Pick<Question, 'folder' | 'ground'> {
  readonly root: string
  readonly signal: AbortSignal
}

type Added = keyof AskContext | 'cwd' | 'network' | 'privateFolder' | 'launcher' | 'mark'
export type ProjectQuestion = Omit<Question, Added>

export async function askInProject(question: ProjectQuestion, context: AskContext): Promise<Answer> {
  const { root, env, folder, ground, redactor, trees, runMark, signal } = context
  makeFolder(ground, folder)
  const answer = await askAgent({
    ...question,
    ...{ cwd: root, env, network: false, folder, ground, redactor, runMark, signal },
    privateFolder: trees.makeTempDir(),
    launcher: await trees.launcher(),
    mark: createMark(),
  })
  if (answer.ok || answer.output === undefined) return answer
  // Prefer lines that name the error, because the last lines may be only a stack trace.
  const { blocks, tail } = makeExcerpt(answer.output, { maxBytes: answer.output.length })
  const why = makeShortExcerpt(blocks, { maxBytes: 500 }) || tail.slice(-500)
  return why === '' ? answer : { ...answer, reason: `${answer.reason} Its output: ${why}`.trimEnd() }
}

const vitestConfig = /(?:^|\/)(?:vitest|vite)\.config\.[cm]?[jt]s$/
/** Jest's configuration is not executed. Each spec file that its text mentions counts as a spec. */
const jestConfig = /(?:^|\/)(?:jest\.config\.\w+|package\.json)$/

/** Specs in the default places, specs of configurations that mention mdtest, and the files that they include. */
async function specSources(root: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  const usual = resolveOptions({})
  const suites = [{ folder: root, options: usual, include: usual.include }]
  for (const file of files.filter((each) => vitestConfig.test(each)).map((each) => join(root, each))) {
    const text = await readFile(file, 'utf8').catch(() => '')
    // Skip a configuration that cannot be loaded, because no run could read its specs.
    const options = text.includes('mdtest') ? await suiteOptions(dirname(file)).catch(() => undefined) : undefined
    if (options !== undefined) suites.push({ folder: dirname(file), options, include: options.include })
  }
  for (const file of files.filter((each) => jestConfig.test(each)).map((each) => join(root, each))) {
    const text = judgingText(file, await readFile(file, 'utf8').catch(() => ''))
    const words = [...text.matchAll(/(["'`])(?:<rootDir>\/)?(.*?)\1/g)].map(([, , word = '']) => word)
    if (text.includes('mdtest'))
      suites.push({ folder: dirname(file), options: usual, include: words.filter(hasSpecEnding) })
  }
  const sources = new Set<string>()
  for (const { folder, options, include: own } of suites) {
    const named = Object.values(options.dialects).flatMap((globs) => globs ?? [])
    const include = [...defaultInclude, ...own, ...named, ...knownPlaces]
    const specs = files.map((file) => join(root, file)).filter(createIsSpec({ root: folder, include }))
    for (const file of await madeOf(specs, { root: folder, options, commandLine: {} })) sources.add(pathIn(root, file))
  }
  return sources
}

export interface RunsToCompare {
  readonly before: readonly NamedTest[]
  readonly after: ExecutedTests
  /** How many names of tests differ between two runs of the same code. */
  readonly unstable?: number | undefined
  readonly counts: { readonly before?: number | undefined; readonly after?: number | undefined }
  readonly areTestsAdded: boolean
}

export interface LostTests {
  readonly words: string
  readonly missing: readonly NamedTest[]
}

/** Finds tests that ran before the attempt but not after it. Compares their number first, then their names. */
export function findLostTests({
  before,
  after,
  unstable = 0,
  counts,
  areTestsAdded,
}: RunsToCompare): LostTests | undefined {
  const { before: old, after: now } = counts
  if (old !== undefined && old > 0 && (now === undefined || now < old)) {
    const words = now === undefined ? 'none was seen to be' : `only ${now} were`
    return { words: `Of ${old} tests ${words} executed afterwards`, missing: [] }
  }
  // If tests were added, more tests must be executed than before.
  if (old !== undefined && areTestsAdded && now === old)
    return { words: `Tests were added, and still only ${now} were executed`, missing: [] }
  const missing = after.areAll ? missingTests(before, after.tests, after.skipped) : []
  const added = missing.length > unstable ? [] : missingTests(after.tests, before)
  if (missing.length <= added.length) return undefined
  const others = missing.length === 1 ? '' : ` and ${missing.length - 1} more`
  return {
    words: `Tests that were executed before were not executed any more: \`${missing[0]?.name}\`${others}`,
    missing,
  }
}
