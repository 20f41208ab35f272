import { parse } from 'node:path'
import { agentFolders } from '../../../agents/registry.ts'

/** A file that differs, by what it was and is; `undefined` where it is not there. */
export interface ChangedFile {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Where tests and what they compare with are. */
const testFolder =
  /(?:^|\/)(?:tests?|__tests__|e2e|__snapshots__|__image_snapshots__|snapshots|goldens?|__mocks__|testdata|fixtures|cypress|src\/test)\/|^specs?\//i

/** Test files by their names, in all languages that a runner is known for. */
const testFile = new RegExp(
  [
    String.raw`\.(?:test|spec|cy|e2e)\.\w+$|\.test\.md$|\.feature$`,
    // As `node --test` and Jest find them.
    String.raw`(?:^|[-_])(?:test|spec)\.[cm]?[jt]sx?$|^test-.*\.[cm]?[jt]sx?$|[a-z]Spec\.[cm]?[jt]sx?$`,
    String.raw`_(?:test|spec)\.\w+$|^test_[^/]*\.py$|^tests\.py$`,
    String.raw`(?:Tests?|IT|Spec)\.(?:java|kt|kts|cs|fs|vb|groovy|scala|php|swift)$`,
  ].join('|'),
)

/** What decides which tests run, and what counts as passed, also for compilers and linters. */
const configuration = new RegExp(
  `^(?:${[
    String.raw`(?:vitest|vite|jest|playwright|playwright-ct|cypress|karma|ava|eslint|oxlint|babel)\.(?:config|workspace|setup)\.\w+`,
    String.raw`\.(?:mocharc|eslintrc|oxlintrc|babelrc|swcrc|taprc|c8rc|nycrc)(?:\.\w+)?`,
    String.raw`\.?pytest\.(?:ini|toml)|tox\.ini`,
    String.raw`conftest\.py|(?:site|user)customize\.py|noxfile\.py|\.coveragerc`,
    // Make takes these before a Makefile.
    String.raw`GNUmakefile|makefile`,
    String.raw`(?:nx|turbo|lerna)\.json|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.lintstagedrc(?:\.\w+)?`,
    String.raw`bunfig\.toml|deno\.jsonc?|\.rspec|phpunit(?:\.dist)?\.xml|phpunit\.xml\.dist|\.rubocop\.yml`,
    String.raw`dart_test\.yaml|xunit\.runner\.json|\.runsettings|junit-platform\.properties`,
    String.raw`[jt]sconfig[\w.-]*\.json|\.?(?:ruff|clippy|rustfmt)\.toml|\.flake8|mypy\.ini|\.golangci\.\w+|analysis_options\.yaml`,
    String.raw`(?:prettier|stylelint|commitlint)\.config\.\w+|\.(?:prettierrc|stylelintrc)(?:\.\w+)?|\.\w+ignore|biome\.jsonc?`,
    String.raw`mdtest\.config\.json`,
    String.raw`\.gitignore|\.gitattributes|\.gitmodules|\.npmrc`,
    String.raw`.*\.(?:snap|golden|approved\.\w+|verified\.\w+)`,
  ].join('|')})$`,
)
/** Settings of tools in `package.json`. */
const toolSettings =
  'jest vitest mocha ava tap nyc c8 babel eslintConfig prettier stylelint xo cypress lint-staged mdtest'.split(' ')

const configurationFolders: ReadonlySet<string> = new Set([
  ...['.planning', '.github', '.gitlab', '.husky', '.config', '.cargo'],
  ...agentFolders,
])

/** Words by which a test that is new keeps others from running, or from saying what they find. */
const disabling =
  /\.only\b|\bf(?:it|describe|context)\s*\(|\bTestMain\b|\bpytest_\w+|\bautouse\s*=\s*True|\bos\._?[eE]xit\b|\bprocess\.exit\b|\bvi\.mock\b|\bjest\.mock\b/

/** In files that hold more than configuration of tests: what of them is. */
const partly: Readonly<Record<string, (text: string) => string>> = {
  'package.json': testPartOfPackage,
  'pyproject.toml': testSections,
  'setup.cfg': testSections,
  'Cargo.toml': testSections,
  Makefile: testSections,
  justfile: testSections,
  Justfile: testSections,
}

/** The same for languages whose tests may stand in the code: from where they begin, and examples that are run. */
const testsInCode: Readonly<Record<string, RegExp>> = {
  '.rs': /#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))? )?mod \w+ *\{[^]*|^\s*\/\/[/!].*assert.*$/gm,
  ...Object.fromEntries(
    ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx'].map((extension) => [
      extension,
      /^.*\bimport\.meta\.vitest\b[^]*/gm,
    ]),
  ),
}

/**
 * Of files that differ, those that whoever fixes code may not touch: tests, specs, snapshots, and what configures tests and
 * gates. A new test is welcome, unless it can switch off others. Pure.
 */
export function findProtectedChanges(changed: readonly ChangedFile[]): readonly string[] {
  return changed.filter(isForbidden).map(({ path }) => path)
}

/**
 * Files of tests by what a run said of them, whatever their names: the runners of these languages tell where a test
 * stands, those of others where it failed, which may be the code. Those that hold code, too, are not among them: it may be
 * what has to be fixed.
 */
export async function testFilesOf(
  failing: readonly { readonly file?: string | undefined }[],
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const files = new Set(failing.flatMap(({ file = '' }) => (/\.(?:[cm]?[jt]sx?|py)$/.test(file) ? [file] : [])))
  const texts = await Promise.all([...files].map(async (file) => ({ file, text: await read(file) })))
  return texts.filter(({ text = '' }) => !holdsCode.test(text)).map(({ file }) => file)
}

/** What is there for others to use, and is no test. */
const holdsCode = /^\s*export\b|\bexports\b|\bimport\.meta\.vitest\b|^(?:async )?def (?!test|_|setup|teardown)/m

const testWords =
  /['"](?:node:test|vitest|@jest\/globals|mocha|ava|tap|bun:test|@playwright\/test|uvu)['"]|^\s*(?:describe|it|test)(?:\.\w+)*\(|^\s*(?:async )?def test_|\bunittest\.TestCase\b|^import pytest\b/m

/** Whether a text is a test, and nothing that others use. */
export function isTestByText(text: string): boolean {
  return testWords.test(text) && !holdsCode.test(text)
}

/** Whether a file is a test by its name and place. */
export function isTestFile(path: string): boolean {
  return testFolder.test(path) || testFile.test(parse(path).base)
}

/** Whether a file has to be read to know. */
export function mayBeProtected(path: string): boolean {
  const { base, ext } = parse(path)
  return isProtected(path) || base in partly || ext in testsInCode
}

function isForbidden({ path, before, after }: ChangedFile): boolean {
  const { base } = parse(path)
  const testPart = partly[base]
  if (testPart !== undefined && !testFolder.test(path)) return testPart(before ?? '') !== testPart(after ?? '')
  if (!isProtected(path)) return testCodeIn(path, before) !== testCodeIn(path, after)
  const isNewTest = before === undefined && testFile.test(base) && !isConfiguration(path)
  return isNewTest ? disabling.test(after ?? '') : true
}

function isProtected(path: string): boolean {
  return isTestFile(path) || isConfiguration(path)
}

/** Whether a runner, a compiler or a linter reads this file by its name, and what it names. */
export function isConfiguration(path: string): boolean {
  return configuration.test(parse(path).base) || isBelow(configurationFolders, path)
}

/** Whether a file is in one of these folders at the root of the project, by their names. */
export function isBelow(folders: ReadonlySet<string>, path: string): boolean {
  const [top = '', ...rest] = path.split('/')
  return rest.length > 0 && folders.has(top)
}

/** All of it: a test that was added cannot be told from one that was changed. */
function testCodeIn(path: string, text = ''): string {
  const pattern = testsInCode[parse(path).ext]
  return pattern === undefined ? '' : [...text.matchAll(pattern)].map(([part]) => part).join('\n')
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

/** Of a file of configuration: what of it can name other files that judge. */
export function judgingText(path: string, text: string): string {
  const { base } = parse(path)
  if (base === 'conftest.py')
    return text
      .split('\n')
      .filter((line) => line.includes('pytest_plugins'))
      .join('\n')
  if (base === 'package.json') return settingsInPackage(text)
  return base in partly && !/^(?:Makefile|[jJ]ustfile)$/.test(base) ? testSections(text) : text
}

function settingsInPackage(text: string): string {
  try {
    const manifest = JSON.parse(text) as Record<string, unknown> // others have no such properties
    return toolSettings
      .flatMap((name) => (name in manifest ? [JSON.stringify(manifest[name], undefined, 1)] : []))
      .join('\n')
  } catch {
    return ''
  }
}

/** Sections, targets and lines that name tests. */
function testSections(text: string): string {
  const lines = text.split('\n')
  let isInside = false
  return lines
    .filter((line) => {
      const heading = /^\s*\[+([^\]]+)\]|^([\w.-]+)\s*:(?!=)/.exec(line)
      if (heading) isInside = namesTests.test(heading[1] ?? heading[2] ?? '')
      return isInside || namesTests.test(line)
    })
    .join('\n')
}

const namesTests = /test|check|lint|coverage|harness|mypy|ruff|flake8|pyright|^SHELL|MAKEFLAGS|^\.IGNORE|^include/i
