import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'
import { isInProject, relativeFile } from '../readers/file-and-line.ts'
import {
  addCounts,
  countConsole,
  maxFailures,
  noResults,
  noTests,
  resultsOf,
  type ToldTest,
} from '../readers/read-results.ts'
import { runner, type ConsoleForm, type RunnerResults } from '../runner.ts'

const console: ConsoleForm = {
  summary: /^test result: \S+ (\d+ passed; \d+ failed; \d+ ignored);/gm,
  ...{ passed: 'passed', failed: 'failed', skipped: 'ignored' },
}

/** Patterns are parts of test paths, not regular expressions. Only nightly Rust prints JSON, so we read text. */
export const cargo = runner({
  name: 'cargo',
  files: [{ name: /^Cargo\.toml$/ }],
  form: /cargo(?: +\+\S+)? +(?:test|t)/,
  console,
  failure: /^error: (?:(?:doc)?test failed, to rerun pass|\d+ targets? failed)/m,
  template: {
    all: 'cargo test --no-fail-fast',
    file: 'cargo test --no-fail-fast --manifest-path=NEAREST Cargo.toml --test=NAME | -- -- MODULE::',
    pattern: 'cargo test --no-fail-fast -- -- PATTERN',
  },
  program: () => ['cargo', 'test', '--color=never', '--no-fail-fast'],
  // The first `--` ends cargo's options, the second one the options of the test program.
  scope: { file: fileArguments, pattern: (names) => ['--', '--', names] },
  async readResults({ stdout, stderr, root, run }) {
    const results = readCargoText(`${stdout}\n${stderr}`, root)
    const module = run?.scope === 'file' ? fileArguments(run.target, root).at(-1) : undefined
    const isBroken = results.failingTests.some(({ standsFor }) => standsFor !== undefined)
    // The pattern `sum::` also matches tests of `checksum::`. If no test of the module itself ran, there is no result.
    if (results.counts !== null && module?.endsWith('::') && !isBroken && !hasTestOf(module, stdout)) return noTests
    return results
  },
})

function fileArguments(target: string, root: string): readonly string[] {
  let folder = target
  while (folder !== '.' && !existsSync(join(root, folder, 'Cargo.toml'))) folder = dirname(folder)
  const crate = `--manifest-path=${join(root, folder, 'Cargo.toml')}`
  if (folder === target) return [crate]
  const inCrate = folder === '.' ? target : target.slice(folder.length + 1)
  const [, kind = '', name = ''] =
    /^(src\/bin|src|tests|examples|benches)\/(.+?)(?:\/main|\/mod)?(?:\.rs)?$/.exec(inCrate) ?? []
  const option = { 'src/bin': '--bin', examples: '--example', benches: '--bench' }[kind]
  if (option !== undefined) return [crate, `${option}=${name}`]
  if (kind !== 'src') return [crate, `--test=${name === '' ? inCrate : name}`]
  if (name === 'lib') return [crate, '--lib']
  return name === 'main' ? [crate, '--bins'] : [crate, '--', '--', `${name.replaceAll('/', '::')}::`]
}

function hasTestOf(module: string, stdout: string): boolean {
  return new RegExp(`^test ${quoteRegex(module)}.* \\.\\.\\. (?!ignored)`, 'm').test(stdout)
}

/** Reads the output of `cargo test`: stdout, then stderr. A file with compile errors counts as a failed test. */
function readCargoText(text: string, root: string): RunnerResults {
  const told = countConsole(text, console)
  const broken = brokenFiles(text, root)
  if (told.length === 0 && broken.length === 0) return noResults
  const ended = [...text.matchAll(/^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED)$/gm)]
  const namesOf = (end: string): readonly string[] =>
    ended.filter((each) => each[2] === end).map((each) => each[1] ?? '')
  const passed = namesOf('ok').map((name): ToldTest => ({ status: 'passed', name: name.replace(lineOfDoctest, '') }))
  const tests = [...passed, ...failedTests(text, namesOf('FAILED'), root), ...broken]
  return { ...resultsOf(tests), counts: addCounts([...told, { passed: 0, failed: broken.length, skipped: 0 }]) }
}

/** A part of a doctest's name. It is left out, because a change above the doctest moves its line. */
const lineOfDoctest = / \(line \d+\)/

function failedTests(text: string, names: readonly string[], root: string): readonly ToldTest[] {
  const sections = text.split(/^---- (?=.+ stdout ----$)/m, 2 * maxFailures).slice(1)
  return names.slice(0, maxFailures).map((name) => {
    const section = sections.find((each) => each.startsWith(`${name} stdout ----`)) ?? ''
    const body = section.slice(section.indexOf('\n') + 1).split(/^failures:$/m, 1)[0] ?? ''
    // Rust prints `panicked at FILE:3:5:` above the message, and up to 1.72 `panicked at 'MESSAGE', FILE:3:5`.
    const now = /panicked at ([^\n']+?):(\d+):\d+:\n([\s\S]*)/.exec(body)
    const before = now ? null : /panicked at '([\s\S]*?)', ([^\n']+?):(\d+):\d+$/m.exec(body)
    const [message = ''] = (now?.[3] ?? before?.[1] ?? body).split(/^(?:stack backtrace:|note: )/m, 1)
    const docTest = /^(\S+\.rs) - .*\(line (\d+)\)/.exec(name)
    const [path, line] = docTest?.slice(1) ?? [now?.[1] ?? before?.[2], now?.[2] ?? before?.[3]]
    const file = path === undefined ? undefined : relativeFile(path, root)
    const isOwn = file !== undefined && (docTest !== null || declares(file, { name, root }))
    const place = isOwn && { file, line: Number(line) }
    return { status: 'failed', name: name.replace(lineOfDoctest, ''), ...place, message }
  })
}

/** Whether the file declares the test. Tries two parts of the name: the function of `sums::adds::case_1` is `adds`. */
function declares(file: string, { name, root }: { readonly name: string; readonly root: string }): boolean {
  if (!isInProject(file, root)) return false
  const functions = name.split('::').slice(-2).map(quoteRegex).join('|')
  return new RegExp(`\\bfn\\s+(?:${functions})\\b`).test(readFileSync(join(root, file), 'utf8'))
}

function brokenFiles(text: string, root: string): readonly ToldTest[] {
  const files = new Map<string, { line: number; messages: string[] }>()
  for (const [, error = '', path = '', line] of text.matchAll(/^error(?:\[\w+\])?: (.+)\n +--> (.+?):(\d+):\d+$/gm)) {
    const file = relativeFile(path, root)
    const known = files.get(file)
    if (known) known.messages.push(`${line}: ${error}`)
    else files.set(file, { line: Number(line), messages: [error] })
  }
  return [...files].map(([file, { line, messages }]) => {
    return { status: 'failed', name: file, file, line, message: messages.join('\n'), standsFor: 'any' }
  })
}
