import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { addBroken, addCounts, noResults } from '../readers/common/count-tests.ts'
import { readCompileErrors } from '../readers/common/compile-errors.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import type { Runner, RunnerResults, RunScope, FailingTest } from '../runner.ts'
import { openSourceFiles } from '../source-files.ts'
import { readTrx } from '../readers/trx.ts'
import { readComparison } from '../readers/common/comparison.ts'
import { messageOf } from '../readers/common/text.ts'

/** Patterns are parts of full names. A source file stands for the class of its name. */
export const dotnet: Runner<'dotnet'> = {
  name: 'dotnet',
  files: [{ name: /\.(?:csproj|fsproj|vbproj|sln|slnx)$/ }],
  form: /dotnet +test/,
  template: {
    all: 'dotnet test',
    file: 'dotnet test ./PROJECT | --filter=FullyQualifiedName~CLASS OF FILE',
    pattern: 'dotnet test --filter=FullyQualifiedName~PATTERN',
  },
  buildCommand({ run, resultsDir }) {
    const options = [...scopeArguments(run), ...reporters(resultsDir)]
    return { argv: ['dotnet', 'test', ...options], env: { DOTNET_NOLOGO: '1' } }
  },
  reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
  async readResults({ stdout, stderr, resultsDir, root, exitCode }) {
    const files = (await readdir(resultsDir).catch(() => [])).filter((name) => name.endsWith('.trx')).toSorted()
    const texts = await Promise.all(files.map((name) => readResultsFile(join(resultsDir, name))))
    const sources = openSourceFiles(root, /\.(?:cs|fs|vb)$/)
    const reports = texts.flatMap((text) => readTrx(text, { root, sources }) ?? [])
    const isNoMatch = exitCode === 0 || /^No test (?:matches|is available)/m.test(stdout)
    const none: RunnerResults = isNoMatch ? { counts: addCounts([]), failingTests: [] } : noResults
    const results = reports.length === 0 ? none : mergeResults(reports)
    return addBroken(results, readCompileErrors(`${stdout}\n${stderr}`, root))
  },
  readPlain: readPlainDotnet,
}

function scopeArguments(run: RunScope): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      if (!/\.(?:cs|fs|vb)$/.test(run.target)) return [`./${run.target}`]
      return [filter(basename(run.target).replace(/\.\w+$/, ''))]
    case 'pattern':
      return [filter(run.target)]
  }
}

/** Some characters have a meaning of their own in a filter, others in MSBuild, which gets it as a property. */
function filter(part: string): string {
  const literal = part.replaceAll(/[\\()&|=!~]/g, '\\$&')
  const escaped = literal.replaceAll(/[%$@;,"'*?]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return `--filter=FullyQualifiedName~${escaped}`
}

function reporters(resultsDir: string): readonly string[] {
  return ['--logger=trx', '--logger=console', `--results-directory=${resultsDir}`]
}

/** Each test project writes a report. */
function mergeResults(reports: readonly RunnerResults[]): RunnerResults {
  return {
    counts: addCounts(reports.flatMap(({ counts }) => counts ?? [])),
    failingTests: reports.flatMap(({ failingTests }) => failingTests),
    passedTests: reports.flatMap(({ passedTests }) => passedTests ?? []),
  }
}

/** `dotnet test`, with VSTest. */
function readPlainDotnet(text: string): RunnerResults | undefined {
  const summary = /^[ \t]*(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +\d+/gm
  const counts = [...text.matchAll(summary)].map(([, failed, passed, skipped]) => ({
    passed: Number(passed),
    failed: Number(failed),
    skipped: Number(skipped),
  }))
  const broken = readCompileErrors(text).filter(({ name }) => /\.(?:cs|fs|vb)$/.test(name))
  if (counts.length === 0 && broken.length === 0) return undefined
  const failures = text.split(/^ +Failed (?=\S.* \[[^\]]+\]$)/m).slice(1)
  return addBroken({ counts: addCounts(counts), failingTests: failures.map(failingTest) }, broken)
}

function failingTest(section: string): FailingTest {
  const name = /^(.*) \[/.exec(section)?.[1] ?? ''
  const message = messageOf(/^ +Error Message:\n([\s\S]*?)^ +Stack Trace:/m.exec(section)?.[1] ?? '')
  const [, file, line] = / in (\S.*?):line (\d+)/.exec(section) ?? []
  return { name, ...(file !== undefined && { file, line: Number(line) }), message, ...readComparison(message) }
}
