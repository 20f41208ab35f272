import { join } from 'node:path'
import { escapePattern, packageProgram, anyTitle } from '../command-parts.ts'
import { readPlaywrightJson } from '../readers/playwright-json.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import type { Reporting, Runner, RunScope, FailingTest, RunnerResults } from '../runner.ts'
import { readComparison } from '../readers/common/comparison.ts'
import { addCounts } from '../readers/common/count-tests.ts'
import { messageOf, countIn } from '../readers/common/text.ts'

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
  selectTests: anyTitle,
  changed: ['--only-changed'],
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

/** Playwright's reporters `list`, `line` and `dot`. */
function readPlainPlaywright(text: string): RunnerResults | undefined {
  const start = text.search(/^Running \d+ tests? using \d+ workers?/m)
  if (start === -1) return undefined
  const summary = [
    ...text.slice(start).matchAll(/^ {2}\d+ (?:failed|flaky|skipped|passed|did not run|interrupted)\b/gm),
  ].join('\n')
  const counts = addCounts([
    {
      passed: countIn(summary, 'passed') + countIn(summary, 'flaky'),
      failed: countIn(summary, 'failed') + countIn(summary, 'interrupted'),
      skipped: countIn(summary, 'skipped') + countIn(summary, 'did not run'),
    },
  ])
  const sections = text
    .slice(start)
    .split(/^ {2}\d+\) /m)
    .slice(1)
  return { counts, failingTests: sections.flatMap(failingTest) }
}

function failingTest(section: string): readonly FailingTest[] {
  const head = /^(\[[^\]]+\] › )?(\S.*?):(\d+):\d+ › (.+?)[ ─]*$/m.exec(section)
  if (head === null) return []
  const [whole, project = '', file = '', line, titles = ''] = head
  const body = section.slice(head.index + whole.length).split(/^ +(?:> )?\d+ \|/m, 1)[0] ?? ''
  const found = /^ +at (?:.*\()?\S*?:(\d+):\d+\)?$/m.exec(section)?.[1]
  const message = messageOf(body)
  return [
    {
      name: `${project}${titles}`.replaceAll(' › ', ' > '),
      file,
      line: Number(found ?? line),
      message,
      ...readComparison(message),
    },
  ]
}
