import { basename } from 'node:path'

import type { Root, RootContent } from 'mdast'

import { buildScenarios } from './build-scenarios.ts'
import { buildSections } from './build-sections.ts'
import type { Outline } from './build-sections.ts'
import { reportFilesInProject } from './check-blocks.ts'
import { decodeSpec } from './decode-spec.ts'
import { findUnsupportedKeys } from './find-unsupported.ts'
import { findFrontMatter } from './find-front-matter.ts'
import { parseFrontMatter } from './parse-front-matter.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { reportText } from './report-text.ts'
import type { Report } from './spec-rules.ts'
import { blocksOf, type FrontMatter, type ParsedSpec, type Spec, type SpecProblem } from './spec.ts'

export interface ParseSpecOptions {
  /** Absolute path of the spec; it is not read. */
  readonly file: string
  /** Agent of the command line: replaces all but `none` of the front matter. */
  readonly agentOverride?: string
  /**
   * Agent of the plugin options, where the front matter names none.
   * @default 'auto'
   */
  readonly agentDefault?: string
}

const maxSpecBytes = 4 * 1024 * 1024
const top = { line: 1, column: 1 }

/**
 * Parses a `.test.md` file, given as text or as its bytes. Never throws: everything that is wrong with the spec is in `problems`, and a
 * spec with problems must not be run.
 */
export function parseSpec(source: string | Uint8Array, options: ParseSpecOptions): ParsedSpec {
  const problems: SpecProblem[] = []
  const report: Report = (ruleId, { line, column }, message) =>
    problems.push({ file: options.file, line, column, ruleId, message })
  const spec = readSpec(source, options, report)
  if (problems.length === 0) reportNothing(spec, report)
  return { spec, problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) }
}

function readSpec(source: string | Uint8Array, options: ParseSpecOptions, report: Report): Spec {
  const none = emptySpec(options)
  if ((typeof source === 'string' ? Buffer.byteLength(source) : source.length) > maxSpecBytes) {
    report('spec-too-large', top, 'The spec is larger than 4 MiB. Split it into several files.')
    return none
  }
  const decoded = typeof source === 'string' ? { text: source } : decodeSpec(source)
  if (decoded.invalidAt !== undefined) {
    report('invalid-utf8', decoded.invalidAt, 'From here on the spec is not valid UTF-8. Save the file as UTF-8.')
    return none
  }
  const text = decoded.text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  reportText(text, report)
  if (!hasReadableStart(text, report)) return none
  const frontMatter = findFrontMatter(text)
  if (frontMatter === undefined) {
    const message = 'The front matter is not closed. End it with a line `---`; write `***` for a line across the page.'
    report('front-matter-unterminated', top, message)
    return none
  }
  const root = toRoot(text, frontMatter.lineCount, report)
  return root === undefined ? none : buildSpec({ text, yaml: frontMatter.yaml, root, options, report })
}

function toRoot(text: string, from: number, report: Report): Root | undefined {
  try {
    const parsed = parseMarkdown(text, { from })
    if (parsed.ok) return parsed.root
    const message =
      'From here on there is too much markdown to parse. Split the spec, or set its parts off by headings and blank lines.'
    report('spec-too-large', { line: parsed.line, column: 1 }, message)
  } catch (error: unknown) {
    // The one thing known to end here is text nested so deeply that the call stack of the parser overflows.
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The markdown cannot be parsed: ${reason}. Nest its lists, quotes and emphasis less deeply.`
    report('unreadable-markdown', top, message)
  }
  return undefined
}

interface Source {
  readonly text: string
  /** What stands between the `---` lines. */
  readonly yaml: string
  readonly root: Root
  readonly options: ParseSpecOptions
  readonly report: Report
}

function buildSpec({ text, yaml, root, options, report }: Source): Spec {
  const raw = parseFrontMatter(yaml, report)
  const frontMatter = readFrontMatter(raw, report)
  for (const { key, message } of findUnsupportedKeys(frontMatter))
    report('not-supported-yet', raw.placeOf([key]), message)
  const agent = effectiveAgent(frontMatter, options)
  const outline = buildSections(root.children)
  const title = titleOf(outline, frontMatter, options.file)
  if (!root.children.some(isContent)) {
    report('empty-spec', top, 'The spec is empty. Write a heading and below it what to do, or delete the file.')
    return { file: options.file, title, frontMatter, agent, scenarios: [] }
  }
  const scenarios = buildScenarios(outline, title, { text, isAgentNone: agent === 'none', report })
  const spec = { file: options.file, title, frontMatter, agent, scenarios }
  reportFilesInProject(spec, report)
  return spec
}

/** `none` in the front matter is a promise that no agent is called, whatever flag or option says. */
function effectiveAgent({ agent }: FrontMatter, { agentOverride, agentDefault }: ParseSpecOptions): string {
  return agent === 'none' ? 'none' : (agentOverride ?? agent ?? agentDefault ?? 'auto')
}

function titleOf({ sections }: Outline, { title }: FrontMatter, file: string): string {
  const heading = sections.find((section) => section.heading.depth === 1)?.title
  return heading || title || basename(file).replace(/(?:\.test)?\.md$/, '') || basename(file)
}

function isContent(node: RootContent): boolean {
  if (node.type === 'html')
    return node.value.replace(/<!--[^]*?(?:-->|$)/g, '').trim() !== '' || /mdtest\s*:/i.test(node.value)
  return node.type !== 'thematicBreak' && node.type !== 'definition'
}

function emptySpec({ file }: ParseSpecOptions): Spec {
  const frontMatter = readFrontMatter({ values: new Map(), placeOf: () => top }, () => {})
  return { file, title: basename(file), frontMatter, agent: 'none', scenarios: [] }
}

/** Front matter that does not begin the file is read as markdown: its keys, `agent: none` too, would be ignored. */
function hasReadableStart(text: string, report: Report): boolean {
  const match = /^((?:[ \t]*\n)*)[ \t]*---[ \t]*\n[\w-]+:(?=[ \t\n])/.exec(text)
  if (match === null || text.startsWith('---')) return true
  const line = (match[1] ?? '').split('\n').length
  const message = 'Front matter must begin on line 1 at column 1. Remove what stands before its `---`.'
  report('front-matter-misplaced', { line, column: 1 }, message)
  return false
}

function reportNothing({ agent, scenarios }: Spec, report: Report): void {
  const isNothing = agent === 'none' ? scenarios.flatMap(blocksOf).length === 0 : scenarios.length === 0
  if (!isNothing) return
  const message =
    'No agent acts here and there is no block to execute, so nothing would be tested. Mark a block, or name an agent.'
  report('nothing-to-execute', top, message)
}
