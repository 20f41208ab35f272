import type { ListItem, Paragraph, RootContent } from 'mdast'
import { withChildren, type Outline, type Section } from '../../sections/build-sections.ts'
import type { Place } from '../../spec.ts'
import type { ItemClauses } from './read-clauses.ts'

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
}

const storyName = /^(?:primary\s+)?user story(?:\s*#?\d|\s*[-–—:(]|$)/i
const priorityMark = /\s*[([]\s*(?:priority\s*:?\s*)?(p\d+)\s*[)\]]/i
const scenariosName = /^acceptance (?:scenarios?|criteria)(?:\s*\(.*\))?\s*:?$/i

/** Whether a document is a feature spec of Spec Kit: it has a user story with a priority. */
export function isFeatureSpec({ sections }: Outline): boolean {
  return withChildren(sections).some(({ title }) => storyName.test(title) && priorityMark.test(title))
}

/**
 * The user stories of a feature spec, in order. A heading `Acceptance Scenarios` belongs to the story before it, at any
 * level; without one it stands for a story.
 */
export function readStories({ sections }: Outline, text: StoryText): readonly Story[] {
  const stories: OpenStory[] = []
  const belowName = new Set<Section>()
  let story: OpenStory | undefined
  for (const section of withChildren(sections)) {
    const { title, heading, nodes, children, endLine } = section
    const isNamed = scenariosName.test(title)
    const isBelow = isNamed || belowName.has(section)
    if (storyName.test(title) || (isNamed && story === undefined)) stories.push((story = openStory(section)))
    else if (story !== undefined && heading.depth <= story.depth && !isBelow) story = undefined
    if (story === undefined) continue
    if (isBelow) for (const child of children) belowName.add(child)
    story.endLine = Math.max(story.endLine, endLine)
    addItems(nodes, { story, text, isBelow })
  }
  return stories
}

function openStory({ title, heading, line, column, endLine }: Section): OpenStory {
  const priority = priorityMark.exec(title)?.[1]?.toLowerCase()
  return {
    title: title.replace(priorityMark, '').trim(),
    ...(priority !== undefined && { priority }),
    depth: heading.depth,
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

/** The label `Acceptance Scenarios` may be an item, too. */
function addItems(nodes: readonly RootContent[], { isBelow: isBelowHeading, ...reading }: Reading): void {
  let isBelow = isBelowHeading
  for (const node of nodes) {
    if (node.type === 'paragraph') isBelow = readLabels(node, { ...reading, isBelow })
    else if (node.type === 'list' && isBelow) for (const item of node.children) addItem(item, reading)
    else if (node.type === 'list')
      for (const { children } of node.children) addItems(children, { ...reading, isBelow: false })
  }
}

/** Whether scenarios stand below a paragraph. Each of its lines may be a label. */
function readLabels({ position }: Paragraph, { story, text, isBelow: isBelowBefore }: Reading): boolean {
  let isBelow = isBelowBefore
  for (let line = position?.start.line ?? 1; line <= (position?.end.line ?? 0); line += 1) {
    const written = (text.lines[line - 1] ?? '').trim()
    const label = written.replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    if (scenariosName.test(label.replace(/[*_]/g, '').trim())) isBelow = true
    else if (/^(\*\*|__)[^*_]+\1\s*:?$/.test(label)) isBelow = false
    else if (isBelow && /^\d+[.)]\s/.test(written)) story.lost.push(line)
  }
  return isBelow
}

/** An item that begins with what the scenario before it lacks goes on with that one. */
function addItem(item: ListItem, { story: { scenarios, lost }, text }: Pick<Reading, 'story' | 'text'>): void {
  const { start, end } = item.position ?? { start: { line: 1, column: 1 }, end: { line: 1 } }
  const read = text.clausesOf(item)
  const last = scenarios.at(-1)
  const [first] = read.clauses
  const known = last?.parts.flatMap(({ clauses }) => clauses.map(({ word }) => word)) ?? []
  const goesOn =
    first?.isFirst === true &&
    (first.word === 'when'
      ? known.length > 0 && !known.includes('when') && !known.includes('then')
      : first.word !== 'given')
  if (last !== undefined && goesOn) {
    last.parts.push(read)
    last.endLine = end.line
  } else scenarios.push({ line: start.line, column: start.column, endLine: end.line, parts: [read] })
  let isOutcome = false
  for (const { word, isFirst, line } of read.clauses) {
    if (isOutcome && isFirst && word === 'given') lost.push(line)
    isOutcome ||= word === 'then'
  }
}
