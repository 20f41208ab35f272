import { join } from 'node:path'
import { readDartEvents } from './dart-events.ts'
import { readResultsFile } from './results-file.ts'
import type { Runner } from './runner.ts'
import { scopeArguments } from './scope-arguments.ts'

/** Patterns are regular expressions on full names. */
export const dart: Runner = dartRunner('dart')

/** Flutter takes the same options. */
export function dartRunner(name: 'dart' | 'flutter'): Runner {
  const results = `${name}.jsonl`
  return {
    name,
    template: { all: `${name} test`, file: `${name} test ./FILE`, pattern: `${name} test --name=PATTERN` },
    buildCommand({ run, resultsDir }) {
      const reporters = ['--reporter=expanded', `--file-reporter=json:${join(resultsDir, results)}`]
      return { argv: [name, 'test', ...reporters, ...scopeArguments(run, '--name')] }
    },
    async readResults({ resultsDir, root }) {
      return readDartEvents(await readResultsFile(join(resultsDir, results)), root)
    },
  }
}
