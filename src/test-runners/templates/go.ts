import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testNamesIn } from '../readers/go-files.ts'
import { readGoOutput, showGoEvent } from '../readers/go-events.ts'
import { readPlainGo } from '../readers/plain/go.ts'
import type { Runner, RunScope } from '../runner.ts'

/** Patterns are regular expressions of `-run`. Of a file, its package is run, but only the file's own tests. */
export const go: Runner<'go'> = {
  name: 'go',
  files: [{ name: /^go\.(?:mod|work)$/ }],
  form: /go +test/,
  template: {
    all: 'go test -json ./...',
    file: 'go test -json -run=^(TESTS OF FILE)$ ./FOLDER',
    pattern: 'go test -json -run=PATTERN ./...',
  },
  buildCommand({ run, root }) {
    return { argv: ['go', 'test', '-json', ...scopeArguments(run, root)] }
  },
  // With `-v` its console names all tests.
  reporting: () => ({ args: [], env: { GOFLAGS: '-v' } }),
  showLine: showGoEvent,
  async readResults(output) {
    return readGoOutput(output)
  },
  readPlain: readPlainGo,
}

function scopeArguments(run: RunScope, root: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return ['./...']
    case 'file':
      if (!run.target.endsWith('.go')) return [`./${run.target.replace(/\/+$/, '')}/...`]
      return [`-run=^(${testsIn(join(root, run.target)).join('|')})$`, `./${dirname(run.target)}`]
    case 'pattern':
      return [`-run=${run.target}`, './...']
  }
}

function testsIn(file: string): readonly string[] {
  if (!existsSync(file)) return []
  const source = readFileSync(file, 'utf8')
  return testNamesIn(source)
}
