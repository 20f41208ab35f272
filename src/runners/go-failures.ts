import { readComparison } from './comparison.ts'
import { messageOf } from './message.ts'
import { relativeFile, type Place } from './place.ts'
import type { FailingTest } from './runner.ts'

/** A failed test of Go with the lines that it printed. */
interface FailedGoTest {
  readonly pkg: string
  readonly name: string
  readonly output: readonly string[]
}

interface GoProject {
  readonly root: string | undefined
  /** Of `go.mod` at the root. */
  readonly modulePath: string | undefined
}

/** Describes a failed test by what it logged, or how it panicked. */
export function describeGoFailure(test: FailedGoTest, project: GoProject): FailingTest {
  const text = test.output.join('')
  const own = text.split('\n').filter((line) => !/^\s*(?:=== |--- (?:FAIL|PASS|SKIP))/.test(line))
  const trace = own.findIndex((line) => /^goroutine \d+ \[/.test(line))
  const message = messageOf(withoutPlace((trace === -1 ? own : own.slice(0, trace)).join('\n')))
  return { name: test.name, ...placeOf(text, { ...project, pkg: test.pkg }), message, ...readComparison(message) }
}

/** What the Go compiler had against packages: one for each, at its first line. */
export function buildFailures(text: string): readonly FailingTest[] {
  const sections = text.split(/^# /m).slice(1)
  return sections.flatMap((section): FailingTest[] => {
    const [head = '', ...lines] = section.split('\n')
    const first = lines.map((line) => /^(?:\.\/)?(\S+\.go):(\d+):/.exec(line)).find((found) => found !== null)
    if (!first) return []
    const message = lines.filter((line) => line.trim() !== '' && !line.startsWith('FAIL\t')).join('\n')
    return [
      { name: head.split(' ', 1)[0] ?? '', file: first[1] ?? '', line: Number(first[2]), message: messageOf(message) },
    ]
  })
}

function placeOf(text: string, { root, modulePath, pkg }: GoProject & { readonly pkg: string }): Place | undefined {
  // testify's trace and that of a panic have whole paths, the first one inside the project is the test's.
  for (const [, path = '', line] of text.matchAll(/(?:^\t|Error Trace:\s+)(\/\S+\.go):(\d+)/gm)) {
    const file = relativeFile(path, root)
    if (!file.startsWith('/')) return { file, line: Number(line) }
  }
  const [, name, line] = /^[ \t]+(\S+\.go):(\d+): /m.exec(text) ?? []
  if (name === undefined) return undefined
  const isInModule = modulePath !== undefined && (pkg === modulePath || pkg.startsWith(`${modulePath}/`))
  const folder = isInModule ? pkg.slice(modulePath.length + 1) : ''
  return { file: folder === '' ? name : `${folder}/${name}`, line: Number(line) }
}

/** `    sums_test.go:13: got 3, want 4` → `got 3, want 4` */
function withoutPlace(text: string): string {
  return text.replace(/^\s+\S+\.go:\d+:[ \t]*/, '')
}
