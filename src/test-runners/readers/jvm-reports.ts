import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addBroken, noResults } from './common/count-tests.ts'
import { readComparison } from './common/comparison.ts'
import { readCompileErrors } from './common/compile-errors.ts'
import { junitResults, readJunitTests, type JunitTest } from './junit-xml.ts'
import { messageOf } from './common/text.ts'
import { readResultsFile } from './common/results-file.ts'
import type { FailingTest, RunnerOutput, RunnerResults } from '../runner.ts'
import { fileOfClass, openSourceFiles } from '../source-files.ts'

/** Clocks of file systems go in steps. */
const clockStepMs = 20
const maxDepth = 12

/** Reads the `TEST-*.xml` that a run left in such folders of the project. */
export async function readJvmReports(output: RunnerOutput, folders: RegExp): Promise<RunnerResults> {
  const files = await findReports(output.root, folders, output.startedAtMs - clockStepMs)
  const tests = await Promise.all(
    files.map(async (file) => ({ file, tests: readJunitTests(await read(output.root, file)) })),
  )
  const known = tests.flatMap(({ tests: own }) => own ?? [])
  const classFiles = openClassFiles(output.root)
  const results = tests.some(({ tests: own }) => own)
    ? junitResults(known, (test) => failingTest(test, classFiles))
    : undefined
  const broken = readCompileErrors(`${output.stdout}\n${output.stderr}`, output.root)
  return addBroken(results ?? nothingRun(output), broken)
}

/** Neither writes a report where no test was found. */
function nothingRun({ stdout, stderr, exitCode }: RunnerOutput): RunnerResults {
  const isNoMatch =
    /^[ \t]*> No tests found for given includes|No tests (?:to run|were executed|matching pattern)/m.test(
      `${stdout}\n${stderr}`,
    )
  return exitCode === 0 || isNoMatch
    ? { counts: { total: 0, passed: 0, failed: 0, skipped: 0 }, failingTests: [] }
    : noResults
}

async function read(root: string, file: string): Promise<string | undefined> {
  return readResultsFile(join(root, file))
}

async function findReports(root: string, folders: RegExp, sinceMs: number): Promise<readonly string[]> {
  const found = await walk(root, { folder: '', folders, depth: 0 })
  const fresh = await Promise.all(
    found.map(async (file) => ((await stat(join(root, file)).catch(() => undefined))?.mtimeMs ?? 0) >= sinceMs),
  )
  return found.filter((_, index) => fresh[index]).toSorted()
}

async function walk(
  root: string,
  { folder, folders, depth }: { readonly folder: string; readonly folders: RegExp; readonly depth: number },
): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  const isReports = folders.test(folder)
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isFile()) return isReports && /^TEST-.*\.xml$/.test(entry.name) ? [path] : []
    const isSearched = entry.isDirectory() && depth < maxDepth && !/^(?:\.|node_modules$|src$)/.test(entry.name)
    return isSearched ? walk(root, { folder: path, folders, depth: depth + 1 }) : []
  })
  return (await Promise.all(found)).flat()
}

interface ClassFiles {
  fileOf(className: string): string | undefined
}

/** Reports name classes, not files. */
function openClassFiles(root: string): ClassFiles {
  const sources = openSourceFiles(root, /\.(?:java|kt|groovy|scala)$/)
  const known = new Map<string, string | undefined>()
  return {
    fileOf(className) {
      if (!known.has(className)) known.set(className, fileOfClass(className, sources))
      return known.get(className)
    },
  }
}

function failingTest({ attributes, message, text }: JunitTest, files: ClassFiles): FailingTest {
  const { classname = '', name = '' } = attributes
  const told = messageOf(message === '' ? text : message)
  const file = files.fileOf(classname)
  const line = file === undefined ? undefined : lineIn(text, { classname, file })
  return {
    name: `${classname}.${name}`,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message: told,
    ...readComparison(told),
    // What is done before all tests of a class has no name of its own.
    ...((name === '' || name === 'initializationError') && { standsFor: 'tests' as const }),
  }
}

/** `at com.example.SumsTest.adds(SumsTest.java:12)`, where that is the test's own class and file. */
function lineIn(
  text: string,
  { classname, file }: { readonly classname: string; readonly file: string },
): number | undefined {
  for (const [, method = '', base = '', line] of text.matchAll(
    /^\s+at (?:\S+\/)?([\w.$]+)\(([\w$]+\.\w+):(\d+)\)$/gm,
  )) {
    if (method.startsWith(classname) && file.endsWith(`/${base}`)) return Number(line)
  }
  return undefined
}
