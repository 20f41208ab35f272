import { dirname, isAbsolute, resolve } from 'node:path'
import type { RootContent } from 'mdast'
import { unixText } from '../system/text/plain-text.ts'
import { buildContext, mergeFrontMatter, readContextFiles } from './context/context.ts'
import { buildIncluded, buildScenarios } from './sections/build-scenarios.ts'
import { buildSections, titleOf, type Outline } from './sections/build-sections.ts'
import { reportFilesInProject } from './blocks/create-blocks.ts'
import { orderProblems } from './problems.ts'
import { noFrontMatter } from './front-matter/parse-yaml.ts'
import { readFrontMatter } from './front-matter/front-matter-keys.ts'
import { readIncludes, type IncludeContext, type ReadIncluded } from './front-matter/read-includes.ts'
import { readSource, readTextSource, type Source } from './read-source.ts'
import { isTextSpec } from '../system/spec-endings.ts'
import type { DialectDocument } from './dialects/dialect.ts'
import { dialectNamed, dialectOfText, recognisedDialect } from './dialects/registry.ts'
import type { Report } from './rules/spec-rules.ts'
import { reportUnread } from './rules/unread.ts'
import { type ParsedSpec, type Spec, type SpecProblem, blocksOf, type Place } from './spec.ts'
import type { FrontMatter } from './front-matter/front-matter.ts'
import { top, advance } from './markdown/positions-and-placeholders.ts'

export interface ParseSpecOptions {
  readonly file: string
  /** Agent of the command line. Replaces any agent of the front matter except `none`. */
  readonly agentOverride?: string
  /** Agent of the plugin options, for front matter that names no agent. Default: 'auto'. */
  readonly agentDefault?: string
  /** Agents that the front matter may name. Default: any. */
  readonly agentNames?: readonly string[]
  /** Default: each include is a problem. */
  readonly readIncluded?: ReadIncluded
  /** Whether the agent drives a browser. If so, the headings of a spec can decide its dialect. Default: no. */
  drivesBrowser?(agent: string): boolean
  /** The dialect of a file (absolute path) whose front matter names no dialect. Default: `undefined`. */
  dialectOf?(file: string): string | undefined
  /** Absolute paths where `mdtest.context.md` may be, the outermost first. Default: []. */
  readonly contextFiles?: readonly string[]
  /** Whether a spec below the folder of a context file has a scenario with this title. Default: no. */
  hasScenario?(title: string, contextFile: string): boolean
}

/** Never throws. A spec with problems must not be run. */
export function parseSpec(source: string | Uint8Array, options: ParseSpecOptions): ParsedSpec {
  const problems: SpecProblem[] = []
  const reportIn =
    (file: string): Report =>
    (ruleId, { line, column, file: where = file }, message) =>
      problems.push({ file: where, line, column, ruleId, message })
  const report = reportIn(options.file)
  const read = isTextSpec(options.file) ? readTextSource(source, report) : readSource(source, report)
  if (read === undefined) return { spec: emptySpec(options), included: new Map(), unread: new Map(), problems }
  reportVitestComment(read.text, report)
  const outline = buildSections(read.root.children)
  const included = new Map<string, string>()
  const unread = new Map<string, string>()
  const readIncluded: ReadIncluded = (file) => {
    const found = options.readIncluded?.(file) ?? { problem: 'files are not read here.' }
    if (typeof found === 'object' && 'problem' in found) unread.set(file, found.problem)
    else included.set(file, Buffer.from(found).toString('utf8'))
    return found
  }
  const reading: IncludeContext = { readIncluded, reportIn }
  const { contexts, frontMatter, dialect } = readOwnFrontMatter(read, { options, outline, report, ...reading })
  const { file } = options
  const agent = effectiveAgent(frontMatter, options)
  const isAgentNone = agent === 'none'
  const context = buildContext(contexts, { isAgentNone })
  const title = titleOf(outline, { file, title: frontMatter.title })
  if (!isTextSpec(file) && isEmptyOutline(outline)) {
    report('empty-spec', top, 'The spec is empty. Write a heading and below it what to do, or delete the file.')
  }
  const built = (dialect?.build ?? buildOwn)({
    file,
    report,
    frontMatter,
    isAgentNone,
    text: read.text,
    headLength: read.headLength,
    fates: read.fates,
    outline,
    title,
    context,
    readFiles: () => readIncludes({ file, source: read, include: frontMatter.include }, reading),
    findFile: createFinder(file, reading),
  })
  const spec = { file, title, frontMatter, agent, ...built }
  reportUnread(read, { isAgentNone, isForeign: dialect?.takesContext === true, nameOf: dialect?.nameOf, report })
  reportFilesInProject(spec, report)
  context.reportUnused(options.hasScenario ?? (() => false))
  if (problems.length === 0) reportNothing(spec, report, read.frontMatter.placeOf(['agent']))
  return { spec, included, unread, problems: orderProblems(problems, file) }
}

interface OwnReading extends IncludeContext, Pick<DialectDocument, 'outline' | 'report'> {
  readonly options: ParseSpecOptions
}

/** The front matter names the dialect, or else the spec's path or headings decide. */
function readOwnFrontMatter({ frontMatter: raw }: Source, { options, outline, report, ...reading }: OwnReading) {
  const { file, dialectOf } = options
  const named = raw.values.has('dialect')
    ? dialectNamed(raw.values.get('dialect'))
    : (dialectOfText(file) ?? dialectNamed(dialectOf?.(file)))
  // A file at a place of another tool can have keys for that tool: unknown keys are no problem.
  const isForeign = named !== undefined && !raw.values.has('dialect')
  const reportKey: Report = (ruleId, ...more) =>
    isForeign && ruleId === 'front-matter-unknown-key' ? undefined : report(ruleId, ...more)
  const given = readFrontMatter(raw, reportKey, options.agentNames)
  const mayHaveForm = !raw.values.has('dialect') && options.drivesBrowser?.(effectiveAgent(given, options)) === true
  const dialect = named ?? (mayHaveForm ? recognisedDialect(outline) : undefined)
  const contexts =
    dialect?.takesContext === true ? readContextFiles(options.contextFiles ?? [], { ...options, ...reading }) : []
  const all = contexts.map(({ source }) => source.frontMatter)
  // All problems were reported above, so this call reports none.
  const joined = contexts.length === 0 ? given : readFrontMatter(mergeFrontMatter([...all, raw]), () => undefined)
  const frontMatter = dialect === undefined ? joined : { ...joined, dialect: dialect.name }
  return { frontMatter, dialect, contexts }
}

function buildOwn({ readFiles, ...scope }: DialectDocument): Pick<Spec, 'includes' | 'scenarios'> {
  const files = readFiles()
  // Without an agent, a file such as `README.md` (no `.test.md` or `.spec.md`) is a page for readers.
  const isPage = scope.isAgentNone && !/\.(?:test|spec)\.md$/i.test(scope.file)
  // Leave the key out: `isPage: false` would turn prose in an included file into a todo.
  const included = buildIncluded(files, isPage ? { ...scope, isPage } : scope)
  return {
    includes: files.map(({ file }) => file),
    scenarios: isEmptyOutline(scope.outline) ? [] : buildScenarios(scope.title, { ...scope, isPage, included }),
  }
}

const maxLevels = 8

function createFinder(from: string, { readIncluded, reportIn }: IncludeContext): DialectDocument['findFile'] {
  return (path) => {
    let folder = dirname(from)
    for (let level = 0; level < maxLevels && !isAbsolute(path); level += 1) {
      const file = resolve(folder, path)
      const found = readIncluded(file)
      if (typeof found === 'string' || !('problem' in found)) {
        return { file, text: unixText(Buffer.from(found).toString('utf8')), report: reportIn(file) }
      }
      folder = dirname(folder)
    }
    return undefined
  }
}

/** The agent after precedence. `none` in the front matter promises that no agent starts, so nothing overrides it. */
function effectiveAgent({ agent }: FrontMatter, { agentOverride, agentDefault }: ParseSpecOptions): string {
  return agent === 'none' ? 'none' : (agentOverride ?? agent ?? agentDefault ?? 'auto')
}

function isEmptyOutline({ preamble, sections }: Outline): boolean {
  return sections.length === 0 && !preamble.some(isContent)
}

function isContent(node: RootContent): boolean {
  if (node.type === 'html')
    return node.value.replace(/<!--[^]*?(?:-->|$)/g, '').trim() !== '' || /mdtest\s*:/i.test(node.value)
  return node.type !== 'thematicBreak' && node.type !== 'definition'
}

function emptySpec({ file }: ParseSpecOptions): Spec {
  const frontMatter = readFrontMatter(noFrontMatter, () => {})
  const title = titleOf({ preamble: [], sections: [] }, { file })
  return { file, title, frontMatter, agent: 'none', includes: [], scenarios: [] }
}

/** Reports a spec in which nothing would be executed. `place` is the place of the key `agent`. */
function reportNothing({ agent, scenarios }: Spec, report: Report, place: Place): void {
  const isNothing = agent === 'none' ? scenarios.flatMap(blocksOf).length === 0 : scenarios.length === 0
  if (!isNothing) return
  const message =
    'No agent acts here and there is no block to execute, so nothing would be tested. Add a block such as ```sh below a heading, or take `agent: none` away: an agent then does what the text says.'
  report('nothing-to-execute', place, message)
}

/** Reports `@vitest-environment`: Vitest obeys this comment anywhere in a test file, and plugins cannot prevent it. */
function reportVitestComment(text: string, report: Report): void {
  const match = /@(?:vitest|jest)-environment(?:\s+[\w-]+\b|-options\s+.)/.exec(text)
  if (match === null) return
  const [name = ''] = match[0].split(/\s/)
  const message = `Vitest would take \`${name}\` as an instruction to itself. Remove it; to mention it, put it alone between backticks.`
  report('vitest-comment', advance(top, text.slice(0, match.index)), message)
}
