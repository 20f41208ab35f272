import type { RootContent } from 'mdast'

import { buildIncluded } from './build-included.ts'
import { buildScenarios } from './build-scenarios.ts'
import { buildSections, titleOf } from './build-sections.ts'
import { reportFilesInProject } from './check-blocks.ts'
import { findUnsupportedKeys } from './find-unsupported.ts'
import { orderProblems } from './order-problems.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { readIncludes } from './read-includes.ts'
import type { IncludedFile, ReadIncluded } from './read-includes.ts'
import { readSource } from './read-source.ts'
import type { Source } from './read-source.ts'
import { reportNothing } from './report-nothing.ts'
import { reportVitestComment } from './report-vitest-comment.ts'
import type { Report } from './spec-rules.ts'
import type { FrontMatter, ParsedSpec, Spec, SpecProblem } from './spec.ts'

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
  /** Reads the files that the spec includes. Without it, each of them is a problem. */
  readonly readIncluded?: ReadIncluded
}

const top = { line: 1, column: 1 }

/**
 * Parses a `.test.md` file, given as text or as its bytes. Never throws: everything that is wrong with the spec is in `problems`, and a
 * spec with problems must not be run.
 */
export function parseSpec(source: string | Uint8Array, options: ParseSpecOptions): ParsedSpec {
  const problems: SpecProblem[] = []
  const reportIn =
    (file: string): Report =>
    (ruleId, { line, column, file: where = file }, message) =>
      problems.push({ file: where, line, column, ruleId, message })
  const report = reportIn(options.file)
  const read = readSource(source, report)
  if (read === undefined) return { spec: emptySpec(options), included: new Map(), problems }
  reportVitestComment(read.text, report)
  const frontMatter = readOwnFrontMatter(read, report)
  const spec = { file: options.file, frontMatter: read.frontMatter, include: frontMatter.include }
  const included = new Map<string, string>()
  const readIncluded: ReadIncluded = (file) => {
    const found = (options.readIncluded ?? notHere)(file)
    if (typeof found === 'string' || !('problem' in found)) included.set(file, Buffer.from(found).toString('utf8'))
    return found
  }
  const files = readIncludes(spec, { readIncluded, reportIn })
  const parsed = buildSpec(read, { frontMatter, files, options, report })
  if (problems.length === 0) reportNothing(parsed, report)
  return {
    spec: parsed,
    included,
    problems: orderProblems(problems, options.file),
  }
}

function readOwnFrontMatter({ frontMatter: raw }: Source, report: Report): FrontMatter {
  const frontMatter = readFrontMatter(raw, report)
  for (const { key, message } of findUnsupportedKeys(frontMatter))
    report('not-supported-yet', raw.placeOf([key]), message)
  return frontMatter
}

interface BuildContext {
  readonly frontMatter: FrontMatter
  readonly files: readonly IncludedFile[]
  readonly options: ParseSpecOptions
  readonly report: Report
}

function buildSpec({ text, root }: Source, { frontMatter, files, options, report }: BuildContext): Spec {
  const agent = effectiveAgent(frontMatter, options)
  const outline = buildSections(root.children)
  const title = titleOf(outline, { file: options.file, title: frontMatter.title })
  const head = { file: options.file, title, frontMatter, agent, includes: files.map(({ file }) => file) }
  const isAgentNone = agent === 'none'
  const included = buildIncluded(files, { isAgentNone })
  if (!root.children.some(isContent)) {
    report('empty-spec', top, 'The spec is empty. Write a heading and below it what to do, or delete the file.')
    return { ...head, scenarios: [] }
  }
  const spec = { ...head, scenarios: buildScenarios(outline, title, { text, isAgentNone, report, included }) }
  reportFilesInProject(spec, report)
  return spec
}

/** `none` in the front matter is a promise that no agent is called, whatever flag or option says. */
function effectiveAgent({ agent }: FrontMatter, { agentOverride, agentDefault }: ParseSpecOptions): string {
  return agent === 'none' ? 'none' : (agentOverride ?? agent ?? agentDefault ?? 'auto')
}

function isContent(node: RootContent): boolean {
  if (node.type === 'html')
    return node.value.replace(/<!--[^]*?(?:-->|$)/g, '').trim() !== '' || /mdtest\s*:/i.test(node.value)
  return node.type !== 'thematicBreak' && node.type !== 'definition'
}

function emptySpec({ file }: ParseSpecOptions): Spec {
  const frontMatter = readFrontMatter({ values: new Map(), placeOf: () => top }, () => {})
  const title = titleOf({ preamble: [], sections: [] }, { file })
  return { file, title, frontMatter, agent: 'none', includes: [], scenarios: [] }
}

const notHere: ReadIncluded = () => ({ problem: 'files are not read here.' })
