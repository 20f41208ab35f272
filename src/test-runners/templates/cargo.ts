import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { escapePattern, scopeArguments } from '../command-parts.ts'
import type { NamedTest, Runner, RunnerResults, FailingTest } from '../runner.ts'
import { openSourceFiles, onlyOne, type SourceFiles } from '../source-files.ts'
import { countTests, noResults, addCounts, messageOf, maxFailures } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { relativeFile } from '../readers/place.ts'

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
    const scope = scopeArguments(run, {
      file: (path) => fileArguments(path, root),
      // The first `--` ends the options of cargo, the second those of the test program.
      pattern: (names) => ['--', '--', names],
    })
    return { argv: ['cargo', 'test', '--color=never', '--no-fail-fast', ...scope] }
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

function modulePathOf(target: string, root: string): string | undefined {
  const last = fileArguments(target, root).at(-1)
  return last?.endsWith('::') ? last : undefined
}

function hasTestOf(module: string, stdout: string): boolean {
  return new RegExp(`^test ${escapePattern(module)}.* \\.\\.\\. (?!ignored)`, 'm').test(stdout)
}

function crateFolder(target: string, root: string): string {
  let folder = target
  while (folder !== '.' && !existsSync(join(root, folder, 'Cargo.toml'))) folder = dirname(folder)
  return folder
}

/** Reads what `cargo test` prints, standard output before standard error. A file with errors counts as a failed test. */
function readCargoText(text: string, root?: string): RunnerResults | undefined {
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

/**
 * The file of a test such as `sums::tests::adds`: the one that is its innermost module and declares it. `undefined` where
 * none is, or several are: the place of a panic is none of the test's.
 */
export function fileOfRustTest(name: string, sources: SourceFiles): string | undefined {
  const docTest = /^(.+\.rs) - .*\(line \d+\)$/.exec(name)?.[1]
  if (docTest !== undefined) return onlyOne(sources.paths.filter((path) => `/${path}`.endsWith(`/${docTest}`)))
  const modules = name.split('::')
  // Of a test with cases the function is above its last part.
  const functions = modules.slice(-2).map(escapePattern).join('|')
  const declares = new RegExp(`\\bfn\\s+(?:${functions})\\b`)
  const found = sources.paths.flatMap((path) => {
    const depth = Math.max(...modulesOf(path).map((own) => depthIn(own, modules)))
    return depth >= 0 && declares.test(sources.text(path)) ? [{ path, depth }] : []
  })
  const deepest = Math.max(...found.map(({ depth }) => depth))
  return onlyOne(found.filter(({ depth }) => depth === deepest).map(({ path }) => path))
}

/** What a file may be: in `tests`, `benches` and `examples` each file or folder is a crate, and may be a module of one. */
function modulesOf(path: string): readonly (readonly string[])[] {
  const [, kind = '', rest = ''] = /^(?:.*\/)?(src\/bin|src|tests|benches|examples)\/(.+)\.rs$/.exec(path) ?? []
  if (kind === '') return []
  const parts = rest.split('/').filter((part, index, all) => index < all.length - 1 || !/^(?:mod|lib|main)$/.test(part))
  return kind === 'src' ? [parts] : [parts, parts.slice(1)]
}

function depthIn(own: readonly string[], modules: readonly string[]): number {
  return own.every((part, index) => part === modules[index]) ? own.length : -1
}
