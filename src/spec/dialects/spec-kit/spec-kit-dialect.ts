import { withChildren, type Outline } from '../../sections/build-sections.ts'
import { createTitleList } from '../../sections/unique-titles.ts'
import type { Check, Place, ScenarioGroup, SpecLines } from '../../spec.ts'
import { buildApart } from '../build-apart.ts'
import type { Dialect, DialectDocument, DialectParts } from '../dialect.ts'
import { RequirementList } from '../requirement-list.ts'
import { hideCode } from './hide-code.ts'
import { readClauses } from './read-clauses.ts'
import { readListed } from './read-listed.ts'
import { isFeatureSpec, readStories, type Story, type StoryScenario } from './read-stories.ts'
import { reportUnfinished } from './report-unfinished.ts'
import { shortTitle } from './short-title.ts'

/** Feature specs of GitHub's Spec Kit: each acceptance scenario of a user story is one of ours, of one step. */
export const specKitDialect: Dialect<'spec-kit'> = {
  name: 'spec-kit',
  keys: {},
  takesContext: true,
  recognise: isFeatureSpec,
  build(document) {
    const { text, outline, report } = document
    const nodes = nodesOf(outline)
    const hidden = hideCode(text, nodes)
    const lines = text.split('\n')
    const shown = hidden.prose.split('\n')
    const stories = readStories(outline, {
      lines,
      clausesOf: (item) => readClauses(hidden, item),
      isHidden: (line) => shown[line - 1]?.trim() === '',
    })
    reportUnfinished(hidden.words, report)
    reportStories(stories, document)
    const stated = new RequirementList(lines)
    const listed = new Map(
      readListed(nodes, hidden).map(({ endLine, ...each }) => [
        each.title,
        stated.add(each, [{ line: each.line, endLine }]),
      ]),
    )
    const groupTitles = createTitleList()
    const titles = createTitleList()
    const scenarios = stories.flatMap((story) => {
      const { line, column, endLine } = story
      const group: ScenarioGroup = { title: groupTitles.add(story.title), line, column, endLine }
      const asked = stated.add({ title: group.title, line, column }, linesWithout(story))
      const known = createTitleList()
      const about = contextOf(story, stories, { lines, first: firstLineOf(outline) })
      return story.scenarios.flatMap((scenario) => {
        const name = shortTitle(scenario.parts)
        const apart = {
          line: scenario.line,
          column: scenario.column,
          endLine: scenario.endLine,
          title: () => titles.add(name),
          stepTitle: () => known.add(name),
          name,
          groups: [group],
          about,
          proves: stated.provedBy(
            [scenario],
            [asked, ...requirementsOf(stated.textOf([scenario])).flatMap((id) => listed.get(id) ?? [])],
          ),
          checks: checksOf(scenario),
          ...(story.priority !== undefined && { tags: [story.priority] }),
        }
        return buildApart(apart, document) ?? []
      })
    })
    return {
      includes: document.context.files,
      scenarios: scenarios.map((scenario, index) => ({ ...scenario, ordinal: index + 1 })),
      requirements: stated.all,
    }
  },
}

/** What a story says before and between its scenarios. */
function linesWithout({ line, endLine, scenarios }: Story): readonly SpecLines[] {
  const ends = [line - 1, ...scenarios.map((scenario) => scenario.endLine)]
  const starts = [...scenarios.map((scenario) => scenario.line), endLine + 1]
  return ends.map((end, index) => ({ line: end + 1, endLine: (starts[index] ?? endLine) - 1 }))
}

/** What a scenario is judged by: each `Then`, and each `And` or `But` behind one. All of it, where no `Then` is there. */
function checksOf({ parts, line, column }: StoryScenario): readonly (Check & Place)[] {
  const clauses = parts.flatMap((part) => part.clauses)
  let isOutcome = false
  const outcomes = clauses.filter(({ word }) => {
    if (word === 'then') isOutcome = true
    else if (word !== 'and' && word !== 'but') isOutcome = false
    return isOutcome
  })
  const whole = parts.flatMap(({ lead, clauses: own }) => [lead, ...own.map(({ text }) => text)]).filter(Boolean)
  const checks = outcomes.length > 0 ? outcomes : [{ line, column, text: whole.join(', ') }]
  return checks.map((check, index) => ({
    n: index + 1,
    line: check.line,
    column: check.column,
    text: check.text || 'It is so',
  }))
}

function reportStories(stories: readonly Story[], { report, outline }: DialectDocument & DialectParts): void {
  if (stories.length === 0 && outline.sections.length + outline.preamble.length > 0) {
    const message =
      'There is no user story of Spec Kit. Write `### User Story 1 - Title (Priority: P1)` and its acceptance scenarios below it. If the file is none of Spec Kit’s, say `dialect: mdtest` in its front matter.'
    report('spec-kit-scenario', outline.sections[0] ?? { line: 1, column: 1 }, message)
  }
  for (const { title, line, column, scenarios, lost } of stories) {
    for (const each of lost) {
      const message =
        'In markdown this belongs to the text before it, so it is no acceptance scenario of its own. Begin it at the first column, below a blank line.'
      report('spec-kit-scenario', { line: each, column: 1 }, message)
    }
    if (scenarios.length > 0) continue
    const message = `"${title}" has no acceptance scenario. Write \`**Acceptance Scenarios**:\` below it, and then a list: \`1. **Given** …, **When** …, **Then** …\`.`
    report('spec-kit-scenario', { line, column }, message)
  }
}

function nodesOf({ preamble, sections }: Outline): Parameters<typeof hideCode>[1] {
  return [...preamble, ...withChildren(sections).flatMap(({ heading, nodes }) => [heading, ...nodes])]
}

function firstLineOf({ preamble, sections }: Outline): number {
  return preamble[0]?.position?.start.line ?? sections[0]?.line ?? 1
}

/** The requirements and success criteria that a text names, for example `FR-003` and `SC-001`: each once, in its order. */
export function requirementsOf(text: string): readonly string[] {
  return [...new Set(text.match(/(?<![\p{L}\p{N}_-])(?:FR|NFR|SC)-\d+[a-z]?(?![\p{L}\p{N}_])/gu))]
}

interface SpecText {
  readonly lines: readonly string[]
  /** Line of the first that is no front matter. */
  readonly first: number
}

/** What tells of a story's scenarios: all lines of a document but the scenarios, and but the other stories. */
function contextOf(story: Story, stories: readonly Story[], { lines, first }: SpecText): readonly SpecLines[] {
  const others = [...stories.filter((one) => one !== story), ...story.scenarios]
  const found: SpecLines[] = []
  let from = first
  for (const { line, endLine } of [...others.toSorted((one, other) => one.line - other.line), after(lines)]) {
    const context = trimmed(from, line - 1, lines)
    if (context !== undefined) found.push(context)
    from = Math.max(from, endLine + 1)
  }
  return found
}

function after({ length }: readonly string[]): SpecLines {
  return { line: length + 1, endLine: length + 1 }
}

/** Without blank lines and rules around it; `undefined` where nothing else is there. */
function trimmed(from: number, to: number, lines: readonly string[]): SpecLines | undefined {
  const written = lines
    .slice(from - 1, Math.max(from - 1, to))
    .map((text) => !/^\s*(?:-{3,}|\*{3,}|_{3,})?\s*$/.test(text))
  const first = written.indexOf(true)
  if (first === -1) return undefined
  return { line: from + first, endLine: from + written.lastIndexOf(true) }
}
