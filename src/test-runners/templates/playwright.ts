import { join } from 'node:path'
import { escapePattern } from '../escape-pattern.ts'
import { packageProgram } from '../package-program.ts'
import { readPlaywrightJson } from '../readers/playwright-json.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import { readPlainPlaywright } from '../readers/plain/playwright.ts'
import type { Reporting, Runner, RunScope } from '../runner.ts'

const results = 'playwright.json'

/** Patterns are regular expressions on full names, the file's name included. */
export const playwright: Runner<'playwright'> = {
  name: 'playwright',
  packages: ['@playwright/test'],
  files: [{ name: /^playwright\.config\.\w+$/ }],
  form: /playwright +test/,
  template: { all: 'playwright test', file: 'playwright test FILE', pattern: 'playwright test --grep=PATTERN' },
  buildCommand({ run, resultsDir, root }) {
    const { args, env } = reporting(resultsDir)
    return { argv: [...packageProgram(root, 'playwright'), 'test', ...args, ...scopeArguments(run, root)], env }
  },
  reporting,
  async readResults({ resultsDir, root }) {
    return readPlaywrightJson(await readResultsFile(join(resultsDir, results)), root)
  },
  readPlain: readPlainPlaywright,
}

function scopeArguments(run: RunScope, root: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      // Playwright takes a regular expression here, with `:LINE` behind it.
      return [escapePattern(join(root, run.target))]
    case 'pattern':
      return [`--grep=${run.target}`]
  }
}

function reporting(resultsDir: string): Required<Reporting> {
  return { args: ['--reporter=line,json'], env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(resultsDir, results) } }
}
