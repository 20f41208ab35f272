import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { noResults } from '../readers/common/count-tests.ts'
import { readNodeLines } from '../readers/node-lines.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import { readPlainNode } from '../readers/plain/node.ts'
import type { Runner } from '../runner.ts'
import { scopeArguments } from '../scope-arguments.ts'

const results = 'node.jsonl'

/** Node's own test runner. Patterns are regular expressions on names; since Node.js 21 a file is a glob. */
export const node: Runner<'node'> = {
  name: 'node',
  form: /node\b.* --test/,
  inScript: /\bnode\b[^&|;]* --test\b/,
  // Node.js wants a destination for each reporter.
  reporterOption: '--test-reporter',
  countsFiles: true,
  template: { all: 'node --test', file: 'node --test ./FILE', pattern: 'node --test --test-name-pattern=PATTERN' },
  buildCommand({ run, resultsDir }) {
    return { argv: ['node', '--test', ...reporters(resultsDir), ...scopeArguments(run, '--test-name-pattern')] }
  },
  reporting: (resultsDir) => ({ args: [], env: { NODE_OPTIONS: reporters(resultsDir).map(quoteOption).join(' ') } }),
  async readResults({ stderr, resultsDir, root, exitCode }) {
    const text = await readResultsFile(join(resultsDir, results))
    // It was ended before it came to anything.
    if (exitCode === null && text === '') return noResults
    // Node.js opens the file and then finds nothing to run.
    return readNodeLines(text === undefined && /^Could not find /m.test(stderr) ? '' : text, root)
  },
  readPlain: readPlainNode,
}

function reporters(resultsDir: string): readonly string[] {
  return [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    // Taken for a URL: in a path `#` and `%` would have a meaning.
    `--test-reporter=${pathToFileURL(createRequire(import.meta.url).resolve('#node-reporter')).href}`,
    `--test-reporter-destination=${join(resultsDir, results)}`,
  ]
}

/** As Node.js reads `NODE_OPTIONS`. */
function quoteOption(option: string): string {
  return `"${option.replaceAll(/["\\]/g, '\\$&')}"`
}
