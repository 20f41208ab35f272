import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { countTests, noResults } from '../readers/common/count-tests.ts'
import { escapePattern } from '../escape-pattern.ts'
import { readCargoText } from '../readers/plain/cargo.ts'
import type { NamedTest, Runner, RunnerResults, RunScope } from '../runner.ts'
import { fileOfRustTest } from './rust-files.ts'
import { openSourceFiles } from '../source-files.ts'

/** Patterns are parts of test paths, no regular expressions. Stable Rust has no structured output: its text is read. */
export const cargo: Runner<'cargo'> = {
  name: 'cargo',
  files: [{ name: /^Cargo\.toml$/ }],
  form: /cargo(?: +\+\S+)? +(?:test|t)/,
  template: {
    all: 'cargo test --no-fail-fast',
    file: 'cargo test --no-fail-fast --manifest-path=NEAREST Cargo.toml --test=NAME | -- -- MODULE::',
    pattern: 'cargo test --no-fail-fast -- -- PATTERN',
  },
  buildCommand({ run, root }) {
    return { argv: ['cargo', 'test', '--color=never', '--no-fail-fast', ...scopeArguments(run, root)] }
  },
  async readResults({ stdout, stderr, root, run, isCut }) {
    const results = readCargoText(`${stdout}\n${stderr}`, root)
    if (results === undefined) return noResults
    const module = run?.scope === 'file' ? modulePathOf(run.target, root) : undefined
    const isBroken = results.failingTests.some(({ name, file }) => name === file)
    // A module's path is also the end of another's: `sum::` of `checksum::`.
    if (module !== undefined && !isBroken && !hasTestOf(module, stdout)) {
      return { counts: countTests([]), failingTests: [] }
    }
    const placed = withFiles(results, root)
    return isCut ? { ...placed, counts: null } : placed
  },
  readPlain: (text) => readCargoText(text),
}

/** The place of a panic may be anywhere: files are those that declare the tests, and a panic has a line in these alone. */
function withFiles(results: RunnerResults, root: string): RunnerResults {
  const sources = openSourceFiles(root, /\.rs$/)
  const place = <T extends NamedTest>(test: T): T => {
    const { file: _told, ...rest } = test
    const file = fileOfRustTest(test.name, sources)
    return { ...rest, ...(file !== undefined && { file }) } as T // but for the file
  }
  return {
    ...results,
    failingTests: results.failingTests.map((test) => {
      if (test.standsFor !== undefined) return test
      const placed = place(test)
      const { line: _line, ...rest } = placed
      return placed.file === test.file ? placed : rest
    }),
    passedTests: results.passedTests?.map(place) ?? [],
  }
}

function scopeArguments(run: RunScope, root: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      return fileArguments(run.target, root)
    case 'pattern':
      // The first `--` ends the options of cargo, the second those of the test program.
      return ['--', '--', run.target]
  }
}

/** Cargo names the kinds of targets; where it has no target of a name, it says so. */
function fileArguments(target: string, root: string): readonly string[] {
  const folder = crateFolder(target, root)
  const crate = `--manifest-path=${join(root, folder, 'Cargo.toml')}`
  if (folder === target) return [crate]
  const inCrate = folder === '.' ? target : target.slice(folder.length + 1)
  const [, kind = '', name = ''] =
    /^(src\/bin|src|tests|examples|benches)\/(.+?)(?:\/main|\/mod)?(?:\.rs)?$/.exec(inCrate) ?? []
  switch (kind) {
    case 'src/bin':
      return [crate, `--bin=${name}`]
    case 'examples':
      return [crate, `--example=${name}`]
    case 'benches':
      return [crate, `--bench=${name}`]
    case 'src':
      if (name === 'lib') return [crate, '--lib']
      if (name === 'main') return [crate, '--bins']
      return [crate, '--', '--', `${name.replaceAll('/', '::')}::`]
    default:
      return [crate, `--test=${name === '' ? inCrate : name}`]
  }
}

/** `sum::` of a file that is a module and no target of its own. */
function modulePathOf(target: string, root: string): string | undefined {
  const last = fileArguments(target, root).at(-1)
  return last?.endsWith('::') ? last : undefined
}

function hasTestOf(module: string, stdout: string): boolean {
  return new RegExp(`^test ${escapePattern(module)}.* \\.\\.\\. (?!ignored)`, 'm').test(stdout)
}

/** The nearest folder with a `Cargo.toml`, relative to the repository. */
function crateFolder(target: string, root: string): string {
  let folder = target
  while (folder !== '.' && !existsSync(join(root, folder, 'Cargo.toml'))) folder = dirname(folder)
  return folder
}
