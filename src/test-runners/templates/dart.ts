import { join } from 'node:path'
import { readDartEvents } from '../readers/dart-events.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import { readPlainDart } from '../readers/plain/dart.ts'
import type { Runner } from '../runner.ts'
import { scopeArguments } from '../scope-arguments.ts'

/** Patterns are regular expressions on full names. */
export const dart: Runner<'dart'> = dartRunner('dart', { files: [{ name: /^pubspec\.yaml$/ }] })

/** Flutter takes the same options. */
export function dartRunner<Name extends 'dart' | 'flutter'>(
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
    reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
    async readResults({ resultsDir, root }) {
      return readDartEvents(await readResultsFile(join(resultsDir, results)), root)
    },
    readPlain: readPlainDart,
  }
}
