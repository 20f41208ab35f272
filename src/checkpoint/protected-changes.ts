import { parse } from 'node:path'

/** A file that differs, by what it was and is; `undefined` where it is not there. */
export interface ChangedFile {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Where tests and what they compare with are. */
const testFolder =
  /(?:^|\/)(?:tests?|__tests__|e2e|__snapshots__|__mocks__|testdata|cypress)\/|^(?:specs?|fixtures|snapshots)\//i

/** Test files by their names, in all languages that a runner is known for. */
const testFile =
  /(?:\.(?:test|spec|cy|e2e)\.\w+|\.test\.md|_test\.(?:go|dart|py)|^test_[^/]*\.py|(?:Tests?|IT|Spec)\.(?:java|kt|kts|cs|fs|vb|groovy|scala))$/

/** What decides which tests run, and what counts as passed. */
const configuration = new RegExp(
  `^(?:${[
    String.raw`(?:vitest|vite|jest|playwright|cypress|karma|ava|eslint|oxlint|prettier|stylelint|babel)\.(?:config|workspace|setup)\.\w+`,
    String.raw`\.(?:mocharc|eslintrc|eslintignore|oxlintrc|prettierrc|prettierignore|babelrc|swcrc|taprc|c8rc|nycrc)(?:\.\w+)?`,
    String.raw`(?:pytest|tox|mypy)\.ini`,
    String.raw`(?:biome|nx|turbo|deno)\.jsonc?|[jt]sconfig[\w.-]*\.json`,
    String.raw`\.?ruff\.toml|\.flake8|\.golangci\.\w+|\.?(?:clippy|rustfmt)\.toml|analysis_options\.yaml`,
    String.raw`(?:GNU)?[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml`,
    String.raw`conftest\.py|sitecustomize\.py|noxfile\.py|\.coveragerc`,
    String.raw`dart_test\.yaml|xunit\.runner\.json|\.runsettings|junit-platform\.properties`,
    String.raw`mdtest\.config\.json`,
    String.raw`\.gitignore|\.gitattributes|\.gitmodules|\.npmrc`,
    String.raw`.*\.snap`,
  ].join('|')})$`,
)
const configurationFolder = /^(?:\.planning|\.github|\.gitlab|\.husky|\.config|\.cargo|\.claude|\.codex)\//

/** What is in it takes the place of code, without a word. */
const mocks = /(?:^|\/)__mocks__\//

/** Words by which a test that is new keeps others from running, or from saying what they find. */
const disabling =
  /\.only\b|\bf(?:it|describe|context)\s*\(|\bTestMain\b|\bpytest_\w+|\bautouse\s*=\s*True|\bos\._?[eE]xit\b|\bprocess\.exit\b|\bvi\.mock\b|\bjest\.mock\b/

/** In files that hold more than configuration of tests: what of them is. */
const partly: Readonly<Record<string, (text: string) => string>> = {
  'package.json': testPartOfPackage,
  'pyproject.toml': testSections,
  'setup.cfg': testSections,
  'Cargo.toml': testSections,
}

/**
 * Of files that differ, those that an implementer may not touch: tests, specs, snapshots, and what configures tests and
 * gates. A new test is welcome, unless it can switch off others. Pure.
 */
export function findProtectedChanges(changed: readonly ChangedFile[]): readonly string[] {
  return changed.filter(isForbidden).map(({ path }) => path)
}

/** Whether a file has to be read to know. */
export function mayBeProtected(path: string): boolean {
  const { base } = parse(path)
  return isProtected(path) || base in partly
}

function isForbidden({ path, before, after }: ChangedFile): boolean {
  const { base } = parse(path)
  const testPart = partly[base]
  if (testPart !== undefined && !testFolder.test(path)) return testPart(before ?? '') !== testPart(after ?? '')
  if (!isProtected(path)) return false
  const isNewTest = before === undefined && !isConfiguration(path) && !mocks.test(path)
  return isNewTest ? disabling.test(after ?? '') : true
}

function isProtected(path: string): boolean {
  return testFolder.test(path) || testFile.test(parse(path).base) || isConfiguration(path)
}

function isConfiguration(path: string): boolean {
  return configuration.test(parse(path).base) || configurationFolder.test(path)
}

/** Scripts, and settings of tools that stand in it. Dependencies may change. */
function testPartOfPackage(text: string): string {
  try {
    const {
      version: _version,
      dependencies: _1,
      devDependencies: _2,
      peerDependencies: _3,
      optionalDependencies: _4,
      ...rest
    } = JSON.parse(text) as Record<string, unknown> // an object, or destructuring throws
    return JSON.stringify(rest)
  } catch {
    return text
  }
}

/** Sections and lines that name tests. */
function testSections(text: string): string {
  const lines = text.split('\n')
  let isInside = false
  return lines
    .filter((line) => {
      const heading = /^\s*\[+([^\]]+)\]/.exec(line)
      if (heading) isInside = namesTests.test(heading[1] ?? '')
      return isInside || namesTests.test(line)
    })
    .join('\n')
}

const namesTests = /test|check|lint|coverage|harness|mypy|ruff/i
