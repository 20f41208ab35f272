import { join } from 'node:path'
import { readDartEvents } from '../readers/dart-events.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import type { Runner, FailingTest, RunnerResults } from '../runner.ts'
import { scopeArguments, anyTitle } from '../command-parts.ts'
import { readComparison } from '../readers/common/comparison.ts'
import { addCounts } from '../readers/common/count-tests.ts'
import { messageOf } from '../readers/common/text.ts'

/** Patterns are regular expressions on full names. */
export const dart: Runner<'dart'> = dartRunner('dart', { files: [{ name: /^pubspec\.yaml$/ }] })

/** Flutter takes the same options. */
function dartRunner<Name extends 'dart' | 'flutter'>(
  name: Name,
  shown: Pick<Runner, 'files' | 'supersedes'>,
): Runner<Name> {
  const results = `${name}.jsonl`
  const reporters = (resultsDir: string): readonly string[] => [`--file-reporter=json:${join(resultsDir, results)}`]
  return {
    name,
    ...shown,
    form: new RegExp(`${name} +test`),
    template: { all: `${name} test`, file: `${name} test ./FILE`, pattern: `${name} test --name=PATTERN` },
    buildCommand({ run, resultsDir }) {
      const options = ['--reporter=expanded', ...reporters(resultsDir)]
      return { argv: [name, 'test', ...options, ...scopeArguments(run, '--name')] }
    },
    selectTests: anyTitle,
    reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
    async readResults({ resultsDir, root }) {
      return readDartEvents(await readResultsFile(join(resultsDir, results)), root)
    },
    readPlain: readPlainDart,
  }
}

const progress = /^\d\d+:\d\d \+(\d+)(?: ~(\d+))?(?: -(\d+))?: (.*)$/gm

/** The reporters `compact` and `expanded` of `dart test` and `flutter test`. */
function readPlainDart(text: string): RunnerResults | undefined {
  // `compact` writes over its own line.
  const lines = text.replaceAll('\r', '\n')
  const last = [...lines.matchAll(progress)].at(-1)
  if (last === undefined) return undefined
  const [, passed, skipped = 0, failed = 0] = last
  const counts = addCounts([{ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }])
  return { counts, failingTests: lines.split(/^(?=\d\d+:\d\d \+)/m).flatMap(failingTest) }
}

function failingTest(section: string): readonly FailingTest[] {
  const [head = '', ...body] = section.split('\n')
  const name = /^\d\S+ .*?-\d+: (.*) \[E\]$/.exec(head)?.[1]
  if (name === undefined) return []
  const frame = body
    .map((line) => /^ +(\S.*?\.dart) (\d+):\d+ /.exec(line))
    .find((found) => found && !found[1]?.startsWith('package:'))
  const trace = body.findIndex((line) => /^ +(?:dart:|package:|\S+\.dart)\S* \d+:\d+ /.test(line))
  const message = messageOf(body.slice(0, trace === -1 ? undefined : trace).join('\n'))
  const [, path, title] = /^(\S.*?_test\.dart): (.*)$/.exec(name) ?? []
  const file = frame?.[1] ?? path
  return [
    {
      name: title ?? name,
      ...(file !== undefined && { file }),
      ...(frame && { line: Number(frame[2]) }),
      message,
      ...readComparison(message),
    },
  ]
}

/** Patterns are regular expressions on full names. */
export const flutter: Runner<'flutter'> = dartRunner('flutter', {
  files: [{ name: /^pubspec\.yaml$/, content: /^\s+sdk:\s*flutter\b/m }],
  // A package of Flutter is one of Dart, too, which `dart test` cannot run.
  supersedes: 'dart',
})
