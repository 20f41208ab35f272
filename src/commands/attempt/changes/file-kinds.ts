import { parse } from 'node:path'
import { orNothing } from '../../../system/error-facts.ts'
import { agentFolders } from '../../../agents/registry.ts'

/** Product code, including templates, styles and queries. */
const source = new RegExp(
  String.raw`\.(?:${[
    '[cm]?[jt]sx?|vue|svelte|astro|pyx?|go|rs|java|kt|scala|groovy|clj[sc]?|c|h|cc|cpp|cxx|hh|hpp|mm?|swift|cs|fs|vb|rb|php',
    'p[lm]|lua|exs?|[eh]rl|hs|mli?|dart|elm|zig|nim|jl|r|s?css|sass|less|styl|x?html?|ejs|hbs|mustache|pug|njk|jinja2?|j2',
    'tm?pl|liquid|twig|erb|haml|slim|razor|cshtml|xaml|sql|graphql|gql|proto|thrift|avsc|wgsl|glsl|mdx',
  ].join('|')})$`,
  'i',
)
const document = /\.(?:md|markdown|rst|adoc)$/i

/** Files that list dependencies. They are not data, because tests compare nothing with them. */
const dependencies =
  /(?:^|\/)(?:package(?:-lock)?\.json|[\w.-]+\.lockb?|[\w-]+-lock\.\w+|npm-shrinkwrap\.json|go\.(?:mod|sum)|Cargo\.toml|pyproject\.toml|setup\.cfg|Pipfile|Gemfile|composer\.json|requirements[\w.-]*\.txt)$/

export function listsDependencies(path: string): boolean {
  return dependencies.test(path)
}

export function isDocument(path: string): boolean {
  return document.test(path)
}

export function isSource(path: string): boolean {
  return source.test(path)
}

/** Whether a test may compare its results with the file, for example `expected.txt`. */
export function isData(path: string): boolean {
  return /\.\w+$/.test(path) && !source.test(path) && !document.test(path) && !dependencies.test(path)
}

/** Folders with test data. They are never product code, even if product code imports from them. */
const judgingFolder = new RegExp(
  `(?:^|/)(?:${[
    String.raw`__[\w-]+__|fixtures?|testdata|test[-_](?:data|resources|assets|files)|goldens?|snapshots?|expected|expectations?`,
    String.raw`baselines?|approvals?|approved|cassettes|recordings|node_modules|site-packages|third[-_]party|patches`,
  ].join('|')})/`,
  'i',
)

/** Folders of helpers and scripts. A file there is product code only if product code imports it. */
const helpingFolder =
  /(?:^|\/)(?:\.[^/]+|scripts?|tools?|tooling|hack|ci|harness|testing|test[-_]?(?:utils?|helpers?|support|lib)|mocks?|stubs|fakes|vendor)\//i

const helpingName = new RegExp(
  [
    String.raw`\.(?:config|conf|setup|workspace|preset|fixtures?|mocks?|stubs?|golden|expected)\.\w+$|^\..|rc\.[cm]?[jt]s$`,
    String.raw`^(?:global[-_.]?)?set-?up(?:[-_.]?\w*tests?\w*)?\.\w+$|^test[-_.]?(?:setup|helpers?|utils?|support|runner)\b`,
    String.raw`(?:^|[-_.])(?:test-?(?:setup|helpers?|utils?|runner|environment)|reporter|noxfile|tasks|fabfile|dodo|setup|build)\.\w+$`,
    String.raw`^(?:gulpfile|gruntfile|webpack|rollup|rakefile|jenkinsfile|dockerfile)\b|\.gradle(?:\.kts)?$|\.exs$`,
  ].join('|'),
  'i',
)

export function isForTests(path: string): boolean {
  return judgingFolder.test(path) || isTestFile(path) || isTestFile(path.toLowerCase())
}

export function looksLikeHelper(path: string): boolean {
  return helpingFolder.test(path) || helpingName.test(parse(path).base)
}

export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

export interface ChangedFile {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|e2e|__snapshots__|__image_snapshots__|snapshots|goldens?|__mocks__|testdata|fixtures|cypress|src\/test)\/|^specs?\//i

const testFile = new RegExp(
  [
    String.raw`\.(?:test|spec|cy|e2e)\.\w+$|\.feature$`,
    // `node --test` and Jest run files with these names.
    String.raw`(?:^|[-_])(?:test|spec)\.[cm]?[jt]sx?$|^test-.*\.[cm]?[jt]sx?$|[a-z]Spec\.[cm]?[jt]sx?$`,
    String.raw`_(?:test|spec)\.\w+$|^test_[^/]*\.py$|^tests\.py$`,
    String.raw`(?:Tests?|IT|Spec)\.(?:java|kt|kts|cs|fs|vb|groovy|scala|php|swift)$`,
  ].join('|'),
)

/** Files that decide which tests run and what passes, including configuration of compilers and linters. */
const configuration = new RegExp(
  `^(?:${[
    String.raw`(?:vitest|vite|jest|playwright|playwright-ct|cypress|karma|ava|eslint|oxlint|babel)\.(?:config|workspace|setup)\.\w+`,
    String.raw`\.(?:mocharc|eslintrc|oxlintrc|babelrc|swcrc|taprc|c8rc|nycrc)(?:\.\w+)?`,
    String.raw`\.?pytest\.(?:ini|toml)|tox\.ini`,
    String.raw`conftest\.py|(?:site|user)customize\.py|noxfile\.py|\.coveragerc`,
    // Make reads these files instead of `Makefile`.
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
const toolSettings =
  'jest vitest mocha ava tap nyc c8 babel eslintConfig prettier stylelint xo cypress lint-staged mdtest'.split(' ')

const configurationFolders: ReadonlySet<string> = new Set([
  ...['.planning', '.github', '.gitlab', '.husky', '.config', '.cargo'],
  ...agentFolders,
])

/** Matches code such as `.only` or `process.exit`, with which a new test can keep other tests from running. */
const disabling =
  /\.only\b|\bf(?:it|describe|context)\s*\(|\bTestMain\b|\bpytest_\w+|\bautouse\s*=\s*True|\bos\._?[eE]xit\b|\bprocess\.exit\b|\bvi\.mock\b|\bjest\.mock\b/

/** Files that configure tests in some sections and other things in other sections. */
const sectioned = /^(?:pyproject\.toml|setup\.cfg|Cargo\.toml)$/
const makeFile = /^(?:Makefile|[jJ]ustfile)$/

/** Matches tests inside product code: from the first test to the end. */
const testsInCode: readonly (readonly [extensions: RegExp, tests: RegExp])[] = [
  [/\.rs$/, /#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))? )?mod \w+ *\{[^]*/g],
  [/\.[cm]?[jt]sx?$/, /^.*\bimport\.meta\.vitest\b[^]*/gm],
]

/** Matches texts of documentation inside product code, and in such a text the examples that a runner may run. */
const examplesInCode: readonly (readonly [extensions: RegExp, documentation: RegExp, examples: RegExp])[] = [
  [/\.py$/, /("{3}|'{3})[^]*?\1/g, /^.*>>> .*(?:\n[^\S\n]*\S.*)*/gm],
  [
    /\.rs$/,
    /(?:^[^\S\n]*\/\/[/!].*\n)+/gm,
    /^\s*\S+ *(?:`{3}|~{3})[^]*?(?:^\s*\S+ *(?:`{3}|~{3})|$(?!\n))|^.*assert.*$/gm,
  ],
]

/** Finds changed tests, specs, snapshots and configuration. New tests count only if they could disable other tests. */
export function findProtectedChanges(changed: readonly ChangedFile[]): readonly string[] {
  return changed.filter(isForbidden).map(({ path }) => path)
}

/** Failed test files (JavaScript, TypeScript, Python) without code that other files could import. */
export async function testFilesOf(
  failing: readonly { readonly file?: string | undefined }[],
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const file of new Set(failing.map((test) => test.file ?? ''))) {
    if (/\.(?:[cm]?[jt]sx?|py)$/.test(file) && !holdsCode.test((await read(file)) ?? '')) found.push(file)
  }
  return found
}

/** Matches code that other files can import. A file with such code is not only a test. */
const holdsCode = /^\s*export\b|\bexports\b|\bimport\.meta\.vitest\b|^(?:async )?def (?!test|_|setup|teardown)/m

const testWords =
  /['"](?:node:test|vitest|@jest\/globals|mocha|ava|tap|bun:test|@playwright\/test|uvu)['"]|^\s*(?:describe|it|test)(?:\.\w+)*\(|^\s*(?:async )?def test_|\bunittest\.TestCase\b|^import pytest\b/m

export function isTestByText(text: string): boolean {
  return testWords.test(text) && !holdsCode.test(text)
}

export function isTestFile(path: string): boolean {
  return testFolder.test(path) || testFile.test(parse(path).base)
}

function isForbidden({ path, before, after }: ChangedFile): boolean {
  const { base } = parse(path)
  const isSectioned = sectioned.test(base) || makeFile.test(base)
  const testPart = base === 'package.json' ? testPartOfPackage : isSectioned ? testSections : undefined
  if (testPart !== undefined && !testFolder.test(path)) return testPart(before ?? '') !== testPart(after ?? '')
  if (!isTestFile(path) && !isConfiguration(path)) {
    const left = examplesIn(path, after)
    if (examplesIn(path, before).some((examples) => !left.includes(examples))) return true
    return testCodeIn(path, before) !== testCodeIn(path, after)
  }
  const isNewTest = before === undefined && testFile.test(base) && !isConfiguration(path)
  return isNewTest ? disabling.test(after ?? '') : true
}

/** Whether a runner, compiler or linter loads this file by its name. */
export function isConfiguration(path: string): boolean {
  return configuration.test(parse(path).base) || isBelow(configurationFolders, path)
}

export function isBelow(folders: ReadonlySet<string>, path: string): boolean {
  const [top = '', ...rest] = path.split('/')
  return rest.length > 0 && folders.has(top)
}

/** The tests inside a product file. Adding a test changes this text. */
function testCodeIn(path: string, text = ''): string {
  const [, pattern] = testsInCode.find(([extensions]) => extensions.test(path)) ?? []
  return pattern === undefined ? '' : [...text.matchAll(pattern)].map(([part]) => part).join('\n')
}

/** The examples of each text of documentation. New texts may have others. */
function examplesIn(path: string, text = ''): readonly string[] {
  const [, documentation, examples] = examplesInCode.find(([extensions]) => extensions.test(path)) ?? []
  if (documentation === undefined || examples === undefined) return []
  return (text.match(documentation) ?? []).flatMap((each) => each.match(examples)?.join('\n') ?? [])
}

const dependencyKeys = new Set(['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'])
/** Matches versions such as `file:…` or `npm:…`, which can replace a package by any other code. */
const fromElsewhere = /^(?:file|link|portal|git|github|https?|npm|patch):|\//

/** package.json without the parts that an attempt may change: its version, and version numbers of dependencies. */
function testPartOfPackage(text: string): string {
  const parts = jsonEntries(text)?.map(([name, value]): readonly [string, unknown] =>
    dependencyKeys.has(name)
      ? [name, Object.entries(value ?? {}).filter(([, version]) => fromElsewhere.test(String(version)))]
      : [name, name === 'version' ? '' : value],
  )
  return parts === undefined ? text : JSON.stringify(parts.filter(([, value]) => !isEmptyValue(value)))
}

function isEmptyValue(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

export function blocksIn(markdown: string, languages = '.*'): string {
  return [...markdown.matchAll(new RegExp(`^ *(\`{3,}|~{3,})(?:${languages})\\b.*\\n([^]*?)^ *\\1`, 'gm'))]
    .map(([block]) => block)
    .join('\n')
}

/** Returns the part of a configuration file or spec that may name other files that tests use. */
export function judgingText(path: string, text: string): string {
  const { base } = parse(path)
  if (/\.(?:md|feature)$/.test(path)) return blocksIn(text, '[cm]?[jt]sx?')
  if (base === 'conftest.py') return text.match(/^.*pytest_plugins.*$/gm)?.join('\n') ?? ''
  if (base === 'package.json') {
    const settings = (jsonEntries(text) ?? []).filter(([name]) => toolSettings.includes(name))
    return settings.map(([, value]) => JSON.stringify(value, undefined, 1)).join('\n')
  }
  return sectioned.test(base) ? testSections(text) : text
}

function jsonEntries(text: string): readonly (readonly [string, unknown])[] | undefined {
  return orNothing(() => Object.entries(JSON.parse(text) as object)) // `null` throws; other values have no entries
}

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
