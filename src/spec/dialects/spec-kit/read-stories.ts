import type { ListItem, Nodes, Paragraph, RootContent, Table } from 'mdast'
import { withChildren, type Outline, type Section } from '../../sections/build-sections.ts'
import type { Place, Requirement } from '../../spec.ts'
import { oneLine, placeOf } from '../../markdown/positions-and-placeholders.ts'
import { isLabel, type Clauses } from '../clauses.ts'

/** An acceptance scenario: an item of a list, or several items in a row with one clause each. */
export interface StoryScenario extends Place {
  endLine: number
  readonly parts: Clauses[]
}

export interface Story extends Place {
  readonly title: string
  readonly priority?: string
  readonly depth: number
  readonly isAlone: boolean
  endLine: number
  readonly scenarios: StoryScenario[]
  /** Lines that look like scenarios, but that markdown reads as part of the text before them. */
  readonly lost: number[]
}

export interface StoryText {
  readonly lines: readonly string[]
  clausesOf(item: ListItem): Clauses
  isHidden(line: number): boolean
}

const storyName = /^(?:primary\s+)?user story(?:\s*#?\d|\s*[-–—:(]|$)/i
const priorityMark = /\s*[([]\s*(?:priority\s*:?\s*)?(p\d+)\s*[)\]]/i
export const scenariosName = /^acceptance (?:scenarios?|criteria)(?:\s*\(.*\))?\s*:?$/i

/** A feature spec has a user story with a priority. */
export function isFeatureSpec({ sections }: Outline): boolean {
  return withChildren(sections).some(({ title }) => storyName.test(title) && priorityMark.test(title))
}

/** A heading `Acceptance Scenarios` belongs to the story above it. Without a story above, the heading becomes one. */
export function readStories({ sections }: Outline, text: StoryText): readonly Story[] {
  const stories: Story[] = []
  const belowName = new Set<Section>()
  let story: Story | undefined
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

function openStory({ title, heading, line, column, endLine }: Section, isAlone: boolean): Story {
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
  readonly story: Story
  readonly text: StoryText
  readonly isBelow: boolean
}

/** Reads scenarios. Returns whether a list after `nodes` still belongs to `Acceptance Scenarios`. */
function addItems(nodes: readonly RootContent[], { isBelow: isBelowHeading, ...reading }: Reading): boolean {
  let isBelow = isBelowHeading
  for (const node of nodes) {
    if (node.type === 'paragraph') isBelow = readLabels(node, { ...reading, isBelow })
    if (node.type !== 'list') continue
    for (const item of node.children) {
      const isLabel = labelAt(placeOf(item).line, reading.text) !== undefined
      if (isBelow && !isLabel) isBelow = addItem(item, reading)
      else isBelow = addItems(item.children, { ...reading, isBelow })
      // The label of a list item applies only to the list inside that item.
      if (isLabel && item.children.some(({ type }) => type === 'list')) isBelow = false
    }
  }
  return isBelow
}

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

/** Adds an item as a scenario, or as a part of the last scenario. Returns the same as `addItems`. */
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

/** For unclosed code and comments, the parser gives the line after the last one, at column 1. */
function lastLineOf(node: Nodes): number {
  const { start, end } = node.position ?? { start: { line: 1 }, end: { line: 1, column: 1 } }
  if (!('children' in node)) return Math.max(start.line, end.column === 1 ? end.line - 1 : end.line)
  return Math.max(start.line, ...node.children.map(lastLineOf))
}

interface ListedRequirement extends Requirement {
  readonly endLine: number
}

const startsWithId =
  /^(?:[^\p{L}\p{N}~]|\d+(?=[.)\s|])|(?<=\[)[xX](?=\]))*((?:FR|NFR|SC)-\d+[a-z]?)(?!\.?[\p{L}\p{N}-]|_+[\p{L}\p{N}])([^\p{L}\p{N}(]*)(?:\([^)]*\))?([^\p{L}\p{N}]*)/u

/** The id that a text begins with but does not define: `FR-001 needs a disk`, without a colon or `MUST`. */
export function mentionedIn(text: string): string | undefined {
  const [, id, ...behind] = startsWithId.exec(text) ?? []
  return /[:|–—-]/.test(behind.join('')) || /\b(?:must|shall|should)\b/i.test(text) ? undefined : id
}

const untilText = /^.*?-\d+[a-z]?[*_\x60\]|]*(?:\s*\([^)]*\))?\s*[:|–—-]*[*_]*\s*/

/**
 * Requirements in lists and tables. If a list or another table has defined an id, a row with this id is ignored.
 * A mention defines a requirement only if nothing else does.
 */
export function readListed(
  nodes: readonly Nodes[],
  prose: string,
  onTwice: (place: Place, message: string) => void,
): readonly ListedRequirement[] {
  const found = new Map<string, ListedRequirement>()
  const tables: Table[] = []
  const mentions: (readonly [id: string, define: () => void])[] = []
  const add = ({ position }: Nodes, from = 1): boolean => {
    const said = prose.slice(position?.start.offset, position?.end.offset)
    const id = startsWithId.exec(said)?.[1]
    if (id === undefined || position === undefined) return false
    const { line, column } = position.start
    const define = (): void => {
      const first = found.get(id)
      const text = oneLine(said.replace(untilText, '').replace(/\*\*|__|`|\s*\|\s*$/g, ''))
      if (first === undefined) found.set(id, { title: id, text, line, column, endLine: position.end.line })
      else if (first.line >= from && first.line <= line)
        onTwice({ line, column }, `\`${id}\` stands on line ${first.line}, too. Give one of them another number.`)
    }
    if (mentionedIn(said) === undefined) define()
    else mentions.push([id, define])
    return true
  }
  const open = [...nodes].toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'table') tables.push(node)
    else if ((node.type === 'listItem' || node.type === 'paragraph') && add(node)) continue
    else if (node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote') {
      open.push(...node.children.toReversed())
    }
  }
  for (const table of tables) for (const row of table.children) add(row, table.position?.start.line)
  const defined = new Set(found.keys())
  for (const [id, define] of mentions) if (!defined.has(id)) define()
  return [...found.values()].toSorted((one, other) => one.line - other.line)
}

const maxLength = 80

/** The text before the first clause, or else the text of `When`, `Then` or `Given`. Cut to `maxLength` characters. */
export function shortTitle(parts: readonly Clauses[]): string {
  const clauses = parts.flatMap((part) => part.clauses)
  const clauseText = (word: string): string => clauses.find((clause) => clause.word === word)?.text ?? ''
  const [whole = ''] = parts.map(({ lead }) => lead)
  return cutTitle((whole || clauseText('when') || clauseText('then') || clauseText('given')).replaceAll('`', ''))
}

function cutTitle(text: string): string {
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  const atWord = /^(.*\S)\s/s.exec(start)?.[1] ?? start
  return `${(/\s/.test(text[maxLength] ?? '') ? start : atWord).replace(/[\s,;:.]+$/, '').replace(/[\uD800-\uDBFF]$/, '')}…`
}
