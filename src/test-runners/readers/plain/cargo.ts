import { readComparison } from '../common/comparison.ts'
import { addCounts, countTests } from '../common/count-tests.ts'
import { messageOf } from '../common/message.ts'
import { relativeFile } from '../common/place.ts'
import type { FailingTest, RunnerResults } from '../../runner.ts'
import { maxFailures } from './plain-reader.ts'

/** Reads what `cargo test` prints, standard output before standard error. A file with errors counts as a failed test. */
export function readCargoText(text: string, root?: string): RunnerResults | undefined {
  const summaries = [...text.matchAll(/^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored;/gm)]
  const broken = brokenFiles(text, root)
  if (summaries.length === 0 && broken.length === 0) return undefined
  const counts = summaries.map(([, passed, failed, skipped]) => ({
    passed: Number(passed),
    failed: Number(failed),
    skipped: Number(skipped),
  }))
  const outside = countTests(broken.map(() => 'failed'))
  const passed = [...text.matchAll(/^test (.+?)(?: - should panic)? \.\.\. ok$/gm)].map(([, name = '']) => ({ name }))
  return {
    counts: addCounts([...counts, outside]),
    failingTests: [...failedTests(text, root), ...broken],
    passedTests: passed,
  }
}

function failedTests(text: string, root?: string): readonly FailingTest[] {
  const names = [...text.matchAll(/^test (.+?)(?: - should panic)? \.\.\. FAILED$/gm)]
    .map(([, name = '']) => name)
    .slice(0, maxFailures)
  const sections = text.split(/^---- (?=.+ stdout ----$)/m, 2 * maxFailures).slice(1)
  return names.map((name) => {
    const section = sections.find((each) => each.startsWith(`${name} stdout ----`)) ?? ''
    const body = section.slice(section.indexOf('\n') + 1).split(/^failures:$/m, 1)[0] ?? ''
    return failingTest(name, { body, root })
  })
}

function failingTest(
  name: string,
  { body, root }: { readonly body: string; readonly root: string | undefined },
): FailingTest {
  // `panicked at FILE:3:5:` and the message below; until Rust 1.72 `panicked at 'MESSAGE', FILE:3:5`.
  const now = /panicked at ([^\n']+?):(\d+):\d+:\n([\s\S]*)/.exec(body)
  const before = now ? null : /panicked at '([\s\S]*?)', ([^\n']+?):(\d+):\d+$/m.exec(body)
  const message = messageOf(withoutTrace(now?.[3] ?? before?.[1] ?? body))
  const [path, line] = placeOfDocTest(name) ?? [now?.[1] ?? before?.[2], now?.[2] ?? before?.[3]]
  return {
    name,
    ...(path !== undefined && { file: relativeFile(path, root), line: Number(line) }),
    message,
    ...readComparison(message),
  }
}

/** `src/lib.rs - add (line 3)` */
function placeOfDocTest(name: string): readonly [string, string] | undefined {
  const found = /^(\S+\.rs) - .*\(line (\d+)\)$/.exec(name)
  return found?.[1] !== undefined && found[2] !== undefined ? [found[1], found[2]] : undefined
}

function withoutTrace(text: string): string {
  return text.split(/^(?:stack backtrace:|note: )/m, 1)[0] ?? ''
}

function brokenFiles(text: string, root?: string): readonly FailingTest[] {
  const files = new Map<string, { line: number; messages: string[] }>()
  for (const [, error = '', path = '', line] of text.matchAll(/^error(?:\[\w+\])?: (.+)\n +--> (.+?):(\d+):\d+$/gm)) {
    const file = relativeFile(path, root)
    const known = files.get(file)
    if (known) known.messages.push(`${line}: ${error}`)
    else files.set(file, { line: Number(line), messages: [error] })
  }
  return [...files].map(([file, { line, messages }]) => ({
    name: file,
    file,
    line,
    message: messageOf(messages.join('\n')),
    standsFor: 'any',
  }))
}
