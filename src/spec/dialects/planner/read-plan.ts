import type { RootContent } from 'mdast'
import { withChildren, type Outline, type Section } from '../../sections/build-sections.ts'
import { kindOfName, labelOf, linesOf, type Label } from './labels.ts'
import { readExpectations } from './read-expectations.ts'

/** A scenario of a plan, and the headings that it stands below, the outermost first. */
export interface PlannedScenario {
  readonly section: Section
  readonly above: readonly Section[]
}

/** The scenarios of a plan: its leaf headings with steps, and those that are numbered below a numbered group. */
export function scenariosIn(sections: readonly Section[], above: readonly Section[] = []): readonly PlannedScenario[] {
  return sections.flatMap((section): readonly PlannedScenario[] => {
    const below = scenariosIn(section.children, [...above, section])
    if (below.length > 0) return below
    return isScenario(section, above.at(-1)) ? [{ section, above }] : []
  })
}

function isScenario(section: Section, group: Section | undefined): boolean {
  return !isOverview(section) && (hasSteps(section) || isNumberedBelow(section, group))
}

function isOverview({ title }: Section): boolean {
  return /^application overview$/i.test(title)
}

/** Whether a document is a plan of Playwright's planner: scenarios with steps and what is expected, and its frame around. */
export function isPlan({ preamble, sections }: Outline): boolean {
  const scenarios = scenariosIn(sections)
  const isOne = ({ section }: PlannedScenario): boolean => hasSteps(section) && readExpectations(section).length > 0
  if (!scenarios.some(isOne)) return false
  const all = withChildren(sections)
  if (all.some(isOverview)) return true
  if ([preamble, ...all.map(({ nodes }) => nodes)].some((nodes) => seedLineOf(nodes) !== undefined)) return true
  const isNumbered = scenarios.every(({ section, above }) => isNumberedBelow(section, above.at(-1)))
  return isNumbered && all.some(({ title }) => /^test scenarios$/i.test(title))
}

/** The path of the seed file that the text under a heading names. */
export function seedOf(nodes: readonly RootContent[]): string | undefined {
  const rest = seedLineOf(nodes)?.replaceAll('`', '').trim() ?? ''
  return /^[^\s,;()]+/.exec(rest)?.[0]
}

function seedLineOf(nodes: readonly RootContent[]): string | undefined {
  return labelsIn(nodes).find(({ kind, rest }) => kind === 'seed' && rest !== '')?.rest
}

/** A list of features may speak of steps, too: there the label has to have a list of its own. */
function hasSteps({ nodes, children }: Section): boolean {
  return (
    labelsIn(nodes).some(({ kind, rest, isItem }) => kind === 'steps' && (rest === '' || !isItem)) ||
    children.some(({ title }) => kindOfName(title) === 'steps')
  )
}

/** Labels of paragraphs and of list items. */
function labelsIn(nodes: readonly RootContent[], isItem = false): readonly (Label & { readonly isItem: boolean })[] {
  return nodes.flatMap((node) => {
    if (node.type === 'list') return node.children.flatMap(({ children }) => labelsIn(children.slice(0, 1), true))
    if (node.type !== 'paragraph') return []
    return linesOf(node).flatMap((line) => {
      const label = labelOf(line)
      return label === undefined ? [] : [{ ...label, isItem }]
    })
  })
}

/** `1.2 Title` or `1.2. Title` below `1. Group`. */
function isNumberedBelow({ title }: Section, group: Section | undefined): boolean {
  const [, ofGroup] = /^(\d+(?:\.\d+)*)\.?(?:\s|$)/.exec(group?.title ?? '') ?? []
  return (
    ofGroup !== undefined && new RegExp(`^${ofGroup.replaceAll('.', String.raw`\.`)}\\.\\d+\\.?(?:\\s|$)`).test(title)
  )
}
