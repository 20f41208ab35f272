import type { ListItem, Nodes, Paragraph, RootContent } from 'mdast'
import { withChildren, type Outline, type Section } from '../../sections/build-sections.ts'
import type { Place } from '../../spec.ts'
import { placeOf } from '../../markdown/places.ts'
import { isLabel, type ItemClauses } from './read-clauses.ts'

/** An acceptance scenario: an item of a list, or several in a row where each clause has one of its own. */
export interface StoryScenario extends Place {
  readonly endLine: number
  readonly parts: readonly ItemClauses[]
}

/** A user story with its acceptance scenarios. */
export interface Story extends Place {
  /** Without its priority. */
  readonly title: string
  /** For example `p1`. */
  readonly priority?: string
  readonly endLine: number
  readonly scenarios: readonly StoryScenario[]
  /** Lines that look like an item, and are text of the paragraph that they stand in. */
  readonly lost: readonly number[]
}

interface OpenStory extends Story {
  readonly depth: number
  /** It is the list of scenarios itself. */
  readonly isAlone: boolean
  endLine: number
  readonly scenarios: OpenScenario[]
  readonly lost: number[]
}

interface OpenScenario extends StoryScenario {
  endLine: number
  readonly parts: ItemClauses[]
}

export interface StoryText {
  readonly lines: readonly string[]
  clausesOf(item: ListItem): ItemClauses
  /** Whether a line is in a comment, in code or in a table. */
  isHidden(line: number): boolean
}

const storyName = /^(?:primary\s+)?user story(?:\s*#?\d|\s*[-–—:(]|$)/i
const priorityMark = /\s*[([]\s*(?:priority\s*:?\s*)?(p\d+)\s*[)\]]/i
const scenariosName = /^acceptance (?:scenarios?|criteria)(?:\s*\(.*\))?\s*:?$/i

/** Whether a document is a feature spec of Spec Kit: it has a user story with a priority. */
export function isFeatureSpec({ sections }: Outline): boolean {
  return withChildren(sections).some(({ title }) => storyName.test(title) && priorityMark.test(title))
}

/**
 * The user stories of a feature spec, in order. A heading `Acceptance Scenarios` belongs to the story before it, beside or
 * below it; without one it stands for a story.
 */
export function readStories({ sections }: Outline, text: StoryText): readonly Story[] {
  const stories: OpenStory[] = []
  const belowName = new Set<Section>()
  let story: OpenStory | undefined
  for (const section of withChildren(sections)) {
    const { title, heading, nodes, children, endLine } = section
    const isNamed = scenariosName.test(title)
    const isBelow = isNamed || belowName.has(section)
    const isBeside = heading.depth === story?.depth && isNamed && !story.isAlone
    if (story !== undefined && heading.depth <= story.depth && !isBeside) story = undefined
    const isAlone = isNamed && story === undefined && /scenario/i.test(title)
    if (storyName.test(title) || isAlone) stories.push((story = openStory(section, isAlone)))
    if (story === undefined) continue
    if (isBelow) for (const child of children) belowName.add(child)
    story.endLine = Math.max(story.endLine, endLine)
    addItems(nodes, { story, text, isBelow })
  }
  return stories
}

function openStory({ title, heading, line, column, endLine }: Section, isAlone: boolean): OpenStory {
  const priority = priorityMark.exec(title)?.[1]?.toLowerCase()
  return {
    title: title.replace(priorityMark, '').trim(),
    ...(priority !== undefined && { priority }),
    depth: heading.depth,
    isAlone,
    line,
    column,
    endLine,
    scenarios: [],
    lost: [],
  }
}

interface Reading {
  readonly story: OpenStory
  readonly text: StoryText
  /** Whether `Acceptance Scenarios` stands above. */
  readonly isBelow: boolean
}

/** Whether scenarios stand below the last of these nodes. */
function addItems(nodes: readonly RootContent[], { isBelow: isBelowHeading, ...reading }: Reading): boolean {
  let isBelow = isBelowHeading
  for (const node of nodes) {
    if (node.type === 'paragraph') isBelow = readLabels(node, { ...reading, isBelow })
    if (node.type !== 'list') continue
    for (const item of node.children) {
      const { line } = placeOf(item)
      const isLabel = labelAt(line, reading.text) !== undefined
      if (isBelow && !isLabel) isBelow = addItem(item, reading)
      else isBelow = addItems(item.children, { ...reading, isBelow })
      // Of an item that is a label, the scenarios are in its own list.
      if (isLabel && item.children.some(({ type }) => type === 'list')) isBelow = false
    }
  }
  return isBelow
}

/** Whether scenarios stand below a paragraph. Each of its lines may be a label. */
function readLabels({ position }: Paragraph, { story, text, isBelow: isBelowBefore }: Reading): boolean {
  let isBelow = isBelowBefore
  for (let line = position?.start.line ?? 1; line <= (position?.end.line ?? 0); line += 1) {
    const label = labelAt(line, text)
    if (label !== undefined) isBelow = label === 'scenarios'
    else if (isBelow && /^\s*\d+[.)]\s/.test(text.lines[line - 1] ?? '')) story.lost.push(line)
  }
  return isBelow
}

function labelAt(line: number, { lines }: StoryText): 'scenarios' | 'other' | undefined {
  const written = (lines[line - 1] ?? '').trim().replace(/^(?:[-*+]|\d+[.)])\s+/, '')
  if (scenariosName.test(written.replace(/[*_]/g, '').trim())) return 'scenarios'
  return isLabel(written) ? 'other' : undefined
}

/**
 * Adds a scenario, or what the one before it lacks: an item that begins with this goes on with that one. A label on a later
 * line ends it: for markdown that is text of the item, where no blank line is between.
 *
 * @returns whether scenarios stand below it
 */
function addItem(item: ListItem, { story: { scenarios, lost }, text }: Pick<Reading, 'story' | 'text'>): boolean {
  const { line, column } = placeOf(item)
  const lastLine = lastLineOf(item)
  const behind = Array.from({ length: lastLine - line }, (_, index) => line + 1 + index)
  const labels = behind.filter((each) => !text.isHidden(each) && labelAt(each, text) !== undefined)
  const endLine = (labels[0] ?? lastLine + 1) - 1
  const read = text.clausesOf(item)
  const last = scenarios.at(-1)
  const [first] = read.clauses
  const known = last?.parts.flatMap(({ clauses }) => clauses.map(({ word }) => word)) ?? []
  const lacksAct = known.length > 0 && !known.includes('when') && !known.includes('then')
  const goesOn = first !== undefined && read.lead === '' && (first.word === 'when' ? lacksAct : first.word !== 'given')
  if (last !== undefined && goesOn) {
    last.parts.push(read)
    last.endLine = endLine
  } else scenarios.push({ line, column, endLine, parts: [read] })
  let isOutcome = false
  for (const clause of read.clauses) {
    if (isOutcome && clause.isFirst && clause.word === 'given') lost.push(clause.line)
    isOutcome ||= clause.word === 'then'
  }
  const label = labels.at(-1)
  return label === undefined || labelAt(label, text) === 'scenarios'
}

/** For the parser, code and comments that nobody closes end within the line behind their item. */
function lastLineOf(node: Nodes): number {
  const { start, end } = node.position ?? { start: { line: 1 }, end: { line: 1, column: 1 } }
  if (!('children' in node)) return Math.max(start.line, end.column === 1 ? end.line - 1 : end.line)
  return Math.max(start.line, ...node.children.map(lastLineOf))
}
