import { hideIn } from '../../markdown/hidden-text.ts'
import { top } from '../../markdown/positions-and-placeholders.ts'
import { isNearly } from '../../../system/text/did-you-mean.ts'
import { nodesOf } from '../../sections/build-sections.ts'
import type { Place, SpecLines } from '../../spec.ts'
import { ApartScenarios } from '../scenarios-of-dialects.ts'
import { checksIn, createClauseReader, isLabel, itemPart, looksLikeTests, namedIn, wholeOf } from '../clauses.ts'
import type { Dialect, DialectDocument } from '../dialect.ts'
import {
  readListed,
  isFeatureSpec,
  mentionedIn,
  readStories,
  scenariosName,
  type Story,
  shortTitle,
} from './read-stories.ts'
import type { Report } from '../../rules/spec-rules.ts'

/** Feature specs of GitHub's Spec Kit: each acceptance scenario of a user story becomes a scenario with one step. */
export const specKitDialect: Dialect<'spec-kit'> = {
  name: 'spec-kit',
  takesContext: true,
  nameOf,
  recognise: isFeatureSpec,
  build(document) {
    const { text, outline, report } = document
    const nodes = nodesOf(outline)
    const reader = createClauseReader(text, nodes, 'items')
    const lines = text.split('\n')
    const shown = reader.prose.split('\n')
    const stories = readStories(outline, {
      lines,
      clausesOf: (item) => reader.read(itemPart(item)),
      isHidden: (line) => shown[line - 1]?.trim() === '',
    })
    reportUnfinished(reader.words, report)
    reportStories(stories, document)
    const apart = new ApartScenarios(document)
    const reportId = (place: Place, message: string): void => {
      document.fates.mark('known', place.line)
      report('spec-kit-requirement', place, message)
    }
    const listed = new Map(
      readListed(nodes, hideIn(text, nodes, { types: ['code', 'html'] }), reportId).map(({ endLine, ...each }) => [
        each.title,
        apart.state(each, [{ line: each.line, endLine }]),
      ]),
    )
    for (const story of stories) {
      const { title, line, column, endLine, priority } = story
      const group = apart.group({ title, line, column, endLine })
      const asked = apart.state({ title: group.title, line, column }, linesWithout(story, story.scenarios))
      const about = contextOf(story, stories, { lines, first: nodes[0]?.position?.start.line ?? 1 })
      for (const scenario of story.scenarios) {
        const ids = idsIn(apart.linesText([scenario]))
        const named = ids.flatMap((id) => listed.get(id) ?? [])
        for (const id of ids.filter((each) => !listed.has(each))) {
          const message = `\`${id}\` is the number of no requirement that the spec lists, so this scenario would prove none. Write each one as its list has it, such as \`FR-001\`.`
          reportId(scenario, message)
        }
        apart.add({
          ...scenario,
          title: shortTitle(scenario.parts),
          groups: [group],
          about,
          proves: [asked, ...named],
          checks: checksIn(scenario.parts),
          whole: wholeOf(scenario.parts),
          ...(priority !== undefined && { tags: [priority] }),
        })
      }
    }
    // Not reported as unread: edge cases, questions, mentions of requirements, and lines reported already (`lost`).
    let isEdge = false
    const areTests = looksLikeTests(lines)
    for (const line of stories.flatMap(({ lost }) => lost)) document.fates.mark('known', line)
    for (const [index, line] of lines.entries()) {
      if (line.startsWith('#') || isLabel(line.trim())) isEdge = /\bedge cases?\b/i.test(line)
      if ((isEdge && areTests[index] === false) || /\?\s*$/.test(line) || listed.has(mentionedIn(line) ?? ''))
        document.fates.mark('known', index + 1)
    }
    return apart.built
  },
}

/** Matches a list item that begins with an id (`- FR-1 …`), and any line with an id before a colon. */
const namesRequirement =
  /^\s*(?:(?:[-*+]|\d+[.)])\s+[*_]{0,2}(?:fr|nfr|sc)[-_ ]?\d+\b|[^\p{L}\p{N}~]*(?:fr|nfr|sc)[-_ ]?\d+\w?[^\p{L}\p{N}]*:)/iu

function nameOf(line: string): string | undefined {
  if (namesRequirement.test(line)) return 'requirement'
  const title = namedIn(line)
  const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const [first = '', second = ''] = words
  const isStory = [first, first + second].some(
    (each) =>
      /^(?:us|stories|userstories)\d*$/.test(each) ||
      ['story', 'userstory'].some((name) => isNearly(each.replace(/\d+$/, ''), name)),
  )
  if (isStory && /\d|[:–—-]/.test(title)) return 'user story'
  const last = words.findLast((each) => each !== '') ?? ''
  const isOfScenarios = ['scenario', 'scenarios'].some(
    (name) => isNearly(last, name) || (isNearly(first, name) && /^\w+\s*[\d:]/.test(title)),
  )
  return isOfScenarios && !scenariosName.test(title) && !/^user scenarios?$/i.test(title) ? 'scenario' : undefined
}

/** The lines of a part between the lines of `others`. A gap without lines ends before it begins. */
function linesWithout({ line, endLine }: SpecLines, others: readonly SpecLines[]): readonly SpecLines[] {
  let from = line
  const sorted = others.toSorted((one, other) => one.line - other.line)
  return [...sorted, { line: endLine + 1, endLine }].map((other) => {
    const gap = { line: from, endLine: other.line - 1 }
    from = Math.max(from, other.endLine + 1)
    return gap
  })
}

function reportStories(stories: readonly Story[], { report, outline }: DialectDocument): void {
  if (stories.length === 0 && outline.sections.length + outline.preamble.length > 0) {
    const message =
      'There is no user story of Spec Kit. Write `### User Story 1 - Title (Priority: P1)` and its acceptance scenarios below it. If the file is none of Spec Kit’s, say `dialect: mdtest` in its front matter.'
    report('spec-kit-scenario', outline.sections[0] ?? top, message)
  }
  for (const { title, line, column, scenarios, lost } of stories) {
    for (const each of lost) {
      const message = 'In markdown this is part of the text before. Begin it at the first column, below a blank line.'
      report('spec-kit-scenario', { line: each, column: 1 }, message)
    }
    if (scenarios.length > 0) continue
    const message = `"${title}" has no acceptance scenario. Write \`**Acceptance Scenarios**:\` below it, and then a list: \`1. **Given** …, **When** …, **Then** …\`.`
    report('spec-kit-scenario', { line, column }, message)
  }
}

/** A number without a dash needs a leading zero (`FR 005`): `FR 5` and `SC 5 km` are prose. */
const id = String.raw`(?:FR|NFR|SC)s?(?:[^\p{L}\p{N}\n]?\p{Pd}\d+|[^\p{L}\p{N}\n]{0,2}0\d+)[a-z]?`
/** An id with the rest of a range or list: `FR-001–005`, `FR-001.1`, `FR-001 to 005`, `FR-001, 005`. */
const anyId = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])${id}(?![\p{L}\p{N}_])(?:(?:[–—/.-]|\.{2,3})\d+|\s*(?:[–—/-]|\.{2,3}|\bto\b|\bthrough\b)\s*(?:(?:FR|NFR|SC)-?\d+|0\d*|\d+(?!\d|\s+\p{L}))|(?:,|\s(?:and|or|&))\s+0\d+)?`,
  'giu',
)

export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(anyId))]
}

/** The context of a story is all lines except its scenarios and the other stories. */
function contextOf(
  story: Story,
  stories: readonly Story[],
  { lines, first }: { readonly lines: readonly string[]; readonly first: number },
): readonly SpecLines[] {
  const others = [...stories.filter((one) => one !== story), ...story.scenarios]
  return linesWithout({ line: first, endLine: lines.length }, others).flatMap(({ line, endLine }) => {
    const written = lines.slice(line - 1, endLine).map((text) => !/^\s*(?:-{3,}|\*{3,}|_{3,})?\s*$/.test(text))
    const start = written.indexOf(true)
    return start === -1 ? [] : [{ line: line + start, endLine: line + written.lastIndexOf(true) }]
  })
}

const placeholder =
  /\[(?:(?:feature name|brief title|initial state|action|(?:expected )?outcome|state)\]|describe (?:this|how)\b|explain the value\b|specific capability\b|key interaction\b|data requirement\b|boundary condition\b|error scenario\b|entity \d+\]|measurable metric\b|add more user stories\b)/i

const clarification = /\[NEEDS CLARIFICATION\s*(?::\s*([^\]\n]*))?/

/** `words`: the document without code, HTML and tables. */
function reportUnfinished(words: string, report: Report): void {
  for (const [index, line] of words.split('\n').entries()) {
    const at = (offset: number): Place => ({ line: index + 1, column: offset + 1 })
    const open = clarification.exec(line)
    // A checklist item such as `- [ ] No [NEEDS CLARIFICATION] left` only mentions the mark.
    const isSpokenOf = open?.[1] === undefined && /^\s*[-*+]\s+\[[ xX]\]/.test(line)
    if (open !== null && !isSpokenOf) {
      const message = 'Nobody has decided this. Put the answer in place of the brackets, as `/speckit.clarify` does.'
      report('spec-kit-clarification', at(open.index), message)
    }
    const unfilled = placeholder.exec(line)
    if (unfilled === null) continue
    report('spec-kit-placeholder', at(unfilled.index), 'This is text of the template. Fill it in, or take it out.')
  }
}
