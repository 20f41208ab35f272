import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep, basename } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { readComparison } from './common/comparison.ts'
import { messageOf } from './common/text.ts'
import { lineInMessage, relativeFile } from './common/place.ts'
import type { FailingTest } from '../runner.ts'

/** Finds the folders of packages, and the files that hold their tests: Go tells neither. */
export interface GoFiles {
  /** Of a package, relative to the root; `undefined` where it is outside or unknown. */
  folderOf(pkg: string): string | undefined
  /** The file of a test or of the test that it is in, relative to the root. */
  fileOf(pkg: string, test: string): string | undefined
}

/** @param root absolute; `undefined` where it is not known: then nothing is found */
export function openGoFiles(root: string | undefined): GoFiles {
  const module = root === undefined ? undefined : findModule(root)
  const known = new Map<string, ReadonlyMap<string, string>>()
  const folderOf = (pkg: string): string | undefined => {
    if (root === undefined || module === undefined) return undefined
    const isOwn = pkg === module.path || pkg.startsWith(`${module.path}/`)
    // Of `./...` alone: packages of the module that is at the root, or around it.
    const folder = join(module.folder, isOwn ? pkg.slice(module.path.length + 1) : '..')
    return isOwn && isInside(folder, root) ? relative(root, folder).split(sep).join('/') : undefined
  }
  const testsIn = (folder: string): ReadonlyMap<string, string> => {
    const found = known.get(folder) ?? new Map(testFilesIn(join(root ?? '', folder)).flatMap(testsOf))
    known.set(folder, found)
    return found
  }
  return {
    folderOf,
    fileOf(pkg, test) {
      const folder = folderOf(pkg)
      const file = folder === undefined ? undefined : testsIn(folder).get(test.split('/', 1)[0] ?? '')
      return file === undefined || folder === '' ? file : `${folder}/${file}`
    },
  }
}

/** Names of the tests that the text of a file declares. */
export function testNamesIn(source: string): readonly string[] {
  return [...source.matchAll(/^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(/gm)].map(([, name = '']) => name)
}

function testFilesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('_test.go'))
  return names.map((name) => join(folder, name))
}

function testsOf(file: string): readonly (readonly [test: string, file: string])[] {
  const name = relative(dirname(file), file)
  return testNamesIn(readFileSync(file, 'utf8')).map((test) => [test, name] as const) // a pair
}

/** The nearest `go.mod`, from the root upwards. */
function findModule(root: string): { readonly path: string; readonly folder: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const file = join(folder, 'go.mod')
    const path = existsSync(file) ? /^module\s+"?([^\s"]+)/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
    if (path !== undefined) return { path, folder }
    if (dirname(folder) === folder) return undefined
  }
}

/** A failed test of Go with the lines that it printed. */
interface FailedGoTest {
  readonly pkg: string
  readonly name: string
  readonly output: readonly string[]
}

/** Describes a failed test by what it logged, or how it panicked. */
export function describeGoFailure(test: FailedGoTest, files: GoFiles): FailingTest {
  const text = test.output.join('')
  const own = text.split('\n').filter((line) => !/^\s*(?:=== |--- (?:FAIL|PASS|SKIP))/.test(line))
  const trace = own.findIndex((line) => /^goroutine \d+ \[/.test(line))
  const message = messageOf(withoutPlace((trace === -1 ? own : own.slice(0, trace)).join('\n')))
  const file = files.fileOf(test.pkg, test.name)
  const line = file === undefined ? undefined : lineInMessage(text, basename(file))
  return {
    name: test.name,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message,
    ...readComparison(message),
  }
}

/** What the Go compiler had against packages: one for each, at its first line. */
export function buildFailures(text: string, root?: string): readonly FailingTest[] {
  const sections = text.split(/^# /m).slice(1)
  return sections.flatMap((section): FailingTest[] => {
    const [head = '', ...lines] = section.split('\n')
    const first = lines.map((line) => /^(?:vet: )?(\S.*?\.go):(\d+):/.exec(line)).find((found) => found !== null)
    if (!first) return []
    const message = lines.filter((line) => line.trim() !== '' && !line.startsWith('FAIL\t')).join('\n')
    const file = relativeFile(first[1] ?? '', root)
    // `pkg_test [pkg.test]`: tests outside of their package.
    const name = /\[(\S+)\.test\]/.exec(head)?.[1] ?? head.split(' ', 1)[0] ?? ''
    return [{ name, file, line: Number(first[2]), message: messageOf(message), standsFor: 'tests' }]
  })
}

/** `    sums_test.go:13: got 3, want 4` → `got 3, want 4` */
function withoutPlace(text: string): string {
  return text.replace(/^\s+\S+\.go:\d+:[ \t]*/, '')
}
