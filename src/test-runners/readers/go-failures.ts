import { basename } from 'node:path'
import { readComparison } from './common/comparison.ts'
import { messageOf } from './common/message.ts'
import type { GoFiles } from './go-files.ts'
import { lineInMessage, relativeFile } from './common/place.ts'
import type { FailingTest } from '../runner.ts'

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
