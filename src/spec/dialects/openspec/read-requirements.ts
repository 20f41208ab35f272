import { top } from '../../markdown/positions-and-placeholders.ts'
import { withChildren } from '../../sections/build-sections.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { Headed } from '../../spec.ts'

interface Requirement {
  readonly title: string
  readonly section: LineSection
  readonly scenarios: readonly LineSection[]
}

interface OpenSpecFile {
  readonly requirements: readonly Requirement[]
  readonly context: readonly LineSection[]
  /** Sections of removed and renamed requirements, which need no proof. */
  readonly without: readonly LineSection[]
}

/** Reports everything that `openspec validate` calls an error. */
export function readRequirements(
  sections: readonly LineSection[],
  { isOfChange, lines, report }: Reading & { readonly isOfChange: boolean },
): OpenSpecFile {
  const all = withChildren(sections)
  const deltas = all.filter(({ level, title }) => level === 2 && deltaTitle.test(title))
  if (isOfChange) return readDeltas(sections, deltas, { lines, report })
  for (const delta of deltas) {
    const message = `\`${delta.title}\` is for a change: \`openspec/changes/NAME/specs/…/spec.md\`. Move it there; below it OpenSpec reads nothing of this spec.`
    report('openspec-sections', delta, message)
  }
  const purpose = all.find(({ title }) => title.toLowerCase() === 'purpose')
  if (purpose === undefined || !hasBody(purpose)) {
    const message = 'OpenSpec takes a spec with a section `## Purpose` that says what it is for. Write it.'
    report('openspec-sections', purpose ?? top, message)
  }
  const isMain = (title: string): boolean => title.toLowerCase() === 'requirements'
  const main = all.find(({ title }) => isMain(title))
  if (main === undefined) {
    report('openspec-sections', top, 'OpenSpec takes a spec with a section `## Requirements`. Write one.')
    return { requirements: [], context: [], without: [] }
  }
  const requirements = main.children.map(requirementOf)
  const { line: first = Infinity, endLine: last = 0 } =
    all.find(({ level, title }) => level === 2 && isMain(title)) ?? {}
  reportNamed(all, { lines, report, isInside: (line) => first < line && line <= last })
  if (requirements.length === 0) {
    report('openspec-requirement', main, 'There is no requirement. Write one: `### Requirement: Name`.')
  }
  reportWithout(requirements, report)
  return { requirements, context: sections.flatMap((section) => contextIn(section, [main])), without: [] }
}

const deltaTitle = /^(?:ADDED|MODIFIED|REMOVED|RENAMED)\s+Requirements$/i
const namePattern = /^Requirement:\s*/i

interface Reading {
  readonly lines: readonly string[]
  readonly report: Report
}

function readDeltas(
  sections: readonly LineSection[],
  deltas: readonly LineSection[],
  { lines, report }: Reading,
): OpenSpecFile {
  const named = deltas
    .filter(({ title }) => /^(?:ADDED|MODIFIED)\s/i.test(title))
    .flatMap(({ children }) => children.filter(isRequirement))
  const requirements = named.map(requirementOf)
  reportNamed(named, { lines, report, isInside: () => true })
  reportWithout(requirements, report)
  const without = deltas.filter(({ title }) => /^(?:REMOVED|RENAMED)\s/i.test(title))
  return { requirements, context: sections.flatMap((section) => contextIn(section, deltas)), without }
}

function requirementOf(section: LineSection): Requirement {
  const scenarios = section.children.filter((child) => hasBody(child) && !namePattern.test(child.title))
  return { title: requirementTitle(section), section, scenarios }
}

function reportWithout(requirements: readonly Requirement[], report: Report): void {
  for (const { title, section, scenarios } of requirements) {
    if (scenarios.length > 0) continue
    const message = `The requirement "${title}" has no scenario. Write one, \`#### Scenario: Name\`, and below it \`- **WHEN** …\` and \`- **THEN** …\`.`
    report('openspec-scenario', section, message)
  }
}

/** Reports requirements that are misplaced, repeated or empty. @param isInside whether OpenSpec reads the line */
function reportNamed(
  all: readonly LineSection[],
  { lines, report, isInside }: Reading & { isInside(line: number): boolean },
): void {
  const fenced = fencedLines(lines)
  const known = new Map<string, number>()
  for (const section of all.filter(isRequirement)) {
    const title = requirementTitle(section)
    const earlier = known.get(title)
    if (!isInside(section.line)) {
      const message = `This requirement is not below \`## Requirements\`, where OpenSpec looks for them. Move it there.`
      report('openspec-requirement', section, message)
      continue
    }
    if (earlier !== undefined) {
      const message = `The requirement "${title}" stands on line ${earlier}, too. Give one of them another name.`
      report('openspec-requirement', section, message)
    }
    known.set(title, earlier ?? section.line)
    const own = lines.slice(section.line, section.childLine - 1)
    if (own.some((text, index) => text.trim() !== '' && !fenced.has(section.line + index))) continue
    report('openspec-requirement', section, `The requirement "${title}" is empty. Write what the product SHALL do.`)
  }
}

function isRequirement({ level, title }: LineSection): boolean {
  return level === 3 && /^Requirement:\s*\S/i.test(title)
}

function requirementTitle({ title }: LineSection): string {
  return withoutClosing(title.replace(namePattern, ''))
}

/** Returns the section. If sections of `others` are below it, returns its own text and its other children. */
function contextIn(section: LineSection, others: readonly LineSection[]): readonly LineSection[] {
  if (others.includes(section)) return []
  if (!withChildren(section.children).some((below) => others.includes(below))) return [section]
  const own = { ...section, endLine: section.childLine - 1, children: [] }
  return [own, ...section.children.flatMap((child) => contextIn(child, others))]
}

function hasBody({ line, endLine }: LineSection): boolean {
  return endLine > line
}

/** The title of `### Name ###` is `Name`. */
export function withoutClosing(title: string): string {
  return title.replace(/[ \t]+#+[ \t]*$/, '').trim()
}

/** A heading of an OpenSpec file and all lines below it. OpenSpec reads lines, not markdown, so mdtest does, too. */
export interface LineSection extends Headed {
  readonly level: number
  /** Line of the first heading below this one; `endLine + 1` if there is none. */
  readonly childLine: number
  readonly children: readonly LineSection[]
}

/** Nests headings by level. A heading without a title begins no section, but ends the sections before it. */
export function readSections(lines: readonly string[]): readonly LineSection[] {
  const fenced = fencedLines(lines)
  const headings = lines.flatMap((text, index) => {
    const [, marks = '', title] = (fenced.has(index) ? null : /^(#{1,6})(?:\s+(.+)|\s)$/.exec(text)) ?? []
    return marks === '' ? [] : [{ level: marks.length, title: title?.trim(), line: index + 1 }]
  })
  const sections: (LineSection & { readonly children: LineSection[] })[] = []
  const open: typeof sections = []
  for (const [index, { level, title, line }] of headings.entries()) {
    if (title === undefined) continue
    const behind = headings.slice(index + 1)
    const next = behind.find((heading) => heading.level <= level)
    const written = lines.slice(0, next === undefined ? undefined : next.line - 1)
    const endLine = Math.max(line, 1 + written.findLastIndex((each) => each.trim() !== ''))
    const [first] = behind
    const childLine = first === undefined || first.level <= level ? endLine + 1 : first.line
    const section = { level, title, line, column: 1, endLine, childLine, children: [] }
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    ;(open.at(-1)?.children ?? sections).push(section)
    open.push(section)
  }
  return sections
}

/** Indexes of lines in fenced code, including the fences. An unclosed fence extends to the end. */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fenced = new Set<number>()
  let fence: string | undefined
  for (const [index, line] of lines.entries()) {
    const [, marks = '', rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence !== undefined || marks !== '') fenced.add(index)
    if (fence === undefined) fence = marks || undefined
    else if (marks.startsWith(fence) && rest.trim() === '') fence = undefined
  }
  return fenced
}
