import { top } from '../markdown/positions-and-placeholders.ts'
import {
  mergeHooks,
  reportHooksWithoutAgent,
  buildChildren,
  reportOutsideStep,
  buildHook,
  toList,
} from './build-children.ts'
import { hookNameOf } from './section-titles.ts'
import { preambleAbove, createUniqueTitle, buildSections, titleOf } from './build-sections.ts'
import type { Outline, Section, UniqueTitle } from './build-sections.ts'
import { inheritDirectives, createOrdinals, buildStep, type StepScope } from './build-step.ts'
import { reportPatterns } from '../rules/report-patterns.ts'
import { reportUnread } from '../rules/unread.ts'
import { type Scope, readOwnContent, reportScenarioWords, type Content } from '../markdown/section-content.ts'
import { blocksOf, stepsOf } from '../spec.ts'
import type { Block, Group, Hook, Scenario, SpecLines, Step } from '../spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { RootContent } from 'mdast'
import { reportLooseExamples } from './build-examples.ts'
import { repeatsOf } from '../front-matter/front-matter.ts'
import type { IncludedFile } from '../front-matter/read-includes.ts'

interface ScenarioScope extends Scope, Pick<StepScope, 'isPage'> {
  readonly outline: Outline
  readonly included: Included
}

/** `title`: title of a scenario without an H1. */
export function buildScenarios(title: string, scope: ScenarioScope): readonly Scenario[] {
  const unique = createUniqueTitle()
  return scenarioParts(scope.outline, title)
    .flatMap((parts) => buildScenario({ ...parts, title: unique(parts.title) }, scope) ?? [])
    .map((scenario, index) => ({ ordinal: index + 1, ...scenario }))
}

function buildScenario(parts: ScenarioParts, { included, outline, ...scope }: ScenarioScope): OwnScenario | undefined {
  const unique = createUniqueTitle(included.children.map(({ title }) => title))
  const own = readScenario(parts, {
    ...scope,
    nextOrdinal: createOrdinals(stepsOf(included).length + 1),
    titles: { ofChildren: unique, ofLeaf: unique },
    role: included.children.length > 0 ? 'filled' : 'whole',
  })
  // The text above the first H1 belongs to every scenario.
  const preambles = [...included.preambles, ...preambleAbove(outline, [own])]
  const scenario = inheritDirectives({ ...withIncluded(own, included), ...(preambles.length > 0 && { preambles }) })
  reportHooksWithoutAgent(scenario, scope)
  reportPatterns(scenario, scope.report)
  if (scenario.children.length > 0) return scenario
  if (blocksOf(scenario).length > 0) {
    const message = 'The scenario has blocks before or after its steps, but no step. Add one that executes something.'
    scope.report('nothing-to-execute', scenario, message)
  }
  return undefined
}

function withIncluded(own: OwnScenario, { blocks, setups, teardowns, children }: Included): OwnScenario {
  return withoutUndefined<OwnScenario>({
    ...own,
    blocks: [...blocks, ...own.blocks],
    setup: mergeHooks([...setups, ...toList(own.setup)]),
    teardown: mergeHooks([...toList(own.teardown), ...teardowns]),
    children: [...children, ...own.children],
  })
}

interface ScenarioParts {
  readonly section: Section | undefined
  readonly title: string
  readonly own: readonly RootContent[]
  readonly sections: readonly Section[]
  /** Text before the first heading, if the file has an H1. */
  readonly preamble: readonly RootContent[]
}

type OwnScenario = Omit<Scenario, 'ordinal'>

interface ReadScope extends StepScope {
  /** Keep titles unique: `ofChildren` those of child headings, `ofLeaf` that of a scenario that is one step. */
  readonly titles: { readonly ofChildren: UniqueTitle; readonly ofLeaf: UniqueTitle }
  /** `whole`: has only its own steps. `filled`: has included steps, too. `included`: is part of another scenario. */
  readonly role: 'whole' | 'filled' | 'included'
}

/** Returns a part for each H1, and at least one part. Headings above the first H1 belong to the first part. */
function scenarioParts({ preamble, sections }: Outline, title: string): readonly ScenarioParts[] {
  const tops = sections.filter(({ heading }) => heading.depth === 1)
  const orphans = sections.filter(({ heading }) => heading.depth > 1)
  if (tops.length === 0) return [{ section: undefined, title, own: preamble, sections, preamble: [] }]
  return tops.map((section, index) => ({
    section,
    title: section.title === '' ? title : section.title,
    own: section.nodes,
    sections: index === 0 ? [...orphans, ...section.children] : section.children,
    preamble: index === 0 ? preamble : [],
  }))
}

function readScenario(parts: ScenarioParts, { titles, role, ...scope }: ReadScope): OwnScenario {
  const { section, sections, title } = parts
  const own = readOwnContent(parts.own, section, scope)
  if (role === 'included') reportScenarioWords(own, scope)
  const before = readOwnContent(parts.preamble, 'preamble', scope)
  reportOutsideStep(before, 'The text before the first heading is not a step', scope)
  const inner = { ...scope, isAgentNone: own.isAgentNone, isSkipped: own.isSkipped }
  const setup = buildHook(sections, 'setup', inner)
  const teardown = buildHook(sections, 'teardown', inner)
  reportLooseExamples(sections, scope)
  const others = sections.filter((child) => hookNameOf(child) === undefined)
  const children = buildChildren(others, { ...inner, isTop: true }, titles.ofChildren)
  const place = partsPlace(parts)
  const head = { title, ...place, directives: own.directives, hasDescribe: section !== undefined }
  const base = { ...head, repeats: repeatsOf(own.directives), blocks: before.blocks, setup, teardown }
  if (children.length > 0) {
    reportOutsideStep(own, 'The text above the first step is not a step itself', scope)
    if (section === undefined) reportWithoutHeading(own, scope)
    return withoutUndefined<OwnScenario>({ ...base, blocks: [...before.blocks, ...own.blocks], children })
  }
  // If included steps exist, the H1 and its directives belong to the scenario, not to a step.
  const isFilled = role === 'filled' && section !== undefined
  const leaf = isFilled ? { ...own, directives: {} } : own
  const frame = { ...place, endLine: leafEndLine(parts, place.endLine), title: () => titles.ofLeaf(title) }
  const step = role === 'whole' || !isEmptyContent(leaf) ? buildStep(leaf, frame, inner) : undefined
  return withoutUndefined<OwnScenario>({
    ...base,
    ...(isFilled ? {} : { directives: {}, hasDescribe: false }),
    children: step === undefined ? [] : [step],
  })
}

function reportWithoutHeading({ words }: Content, { report }: Scope): void {
  for (const word of words.filter(({ name }) => name !== 'agent')) {
    const message = `\`${word.name}\` would be ignored here, for there is no heading that it belongs to. Write an H1 above it, or put it under each heading that it is for.`
    report('misplaced-directive', word, message)
  }
}

/** Whether a scenario has nothing of its own. An empty scenario becomes a `todo`, unless it includes steps. */
function isEmptyContent({ blocks, checks, hasProse, directives }: Content): boolean {
  return blocks.length === 0 && checks.length === 0 && !hasProse && directives.todo === undefined
}

function partsPlace({ section, own, sections }: ScenarioParts): { line: number; column: number; endLine: number } {
  if (section !== undefined) {
    const { line, column, endLine } = section
    return { line, column, endLine }
  }
  const first = own[0]?.position?.start ?? sections[0] ?? top
  const endLine = sections.at(-1)?.endLine ?? own.at(-1)?.position?.end.line ?? first.line
  return { line: first.line, column: first.column, endLine }
}

/** Last line of a scenario that is one step. Hooks below the text are not part of the step. */
function leafEndLine({ section, own, sections }: ScenarioParts, endLine: number): number {
  if (!sections.some((child) => hookNameOf(child) !== undefined)) return endLine
  return own.at(-1)?.position?.end.line ?? section?.heading.position?.end.line ?? endLine
}

/** Numbers the steps of all included files together, from 1. */
export function buildIncluded(
  files: readonly IncludedFile[],
  given: Pick<FileScope, 'isAgentNone' | 'isPage'>,
): Included {
  const scope = { ...given, nextOrdinal: createOrdinals(), unique: createUniqueTitle() }
  return joinParts(files.map((file) => locateIn(file.file, readFile(file, scope))))
}

export function joinParts(parts: readonly Included[]): Included {
  return {
    preambles: parts.flatMap(({ preambles }) => preambles),
    blocks: parts.flatMap(({ blocks }) => blocks),
    setups: parts.flatMap(({ setups }) => setups),
    teardowns: parts.toReversed().flatMap(({ teardowns }) => teardowns),
    children: parts.flatMap(({ children }) => children),
  }
}

interface FileScope extends Pick<StepScope, 'isAgentNone' | 'isPage'> {
  nextOrdinal(): number
  readonly unique: UniqueTitle
}

/** The steps of an included file form a group only if the file has an H1 with child headings. */
function readFile({ file, source, report }: IncludedFile, { unique, ...scope }: FileScope): Included {
  const outline = buildSections(source.root.children)
  const [parts, second] = scenarioParts(outline, titleOf(outline, { file }))
  if (second?.section !== undefined) {
    const message = 'An included file is part of a scenario and has one H1. Lower this one, or move it to another file.'
    report('include-scenarios', second.section, message)
  }
  if (parts === undefined) return { preambles: [], blocks: [], setups: [], teardowns: [], children: [] }
  const own = readScenario(parts, {
    ...scope,
    text: source.text,
    fates: source.fates,
    report,
    titles: { ofChildren: parts.section === undefined ? unique : createUniqueTitle(), ofLeaf: unique },
    role: 'included',
  })
  reportUnread(source, { ...scope, report })
  const hooks = { setups: toList(own.setup), teardowns: toList(own.teardown) }
  const around = { ...hooks, preambles: preambleAbove(outline, own.children) }
  if (!own.hasDescribe) return { ...around, blocks: own.blocks, children: own.children }
  const { line, column, endLine, directives, blocks, children } = own
  const title = unique(own.title)
  return {
    ...around,
    blocks: [],
    children: [inheritDirectives<Group>({ kind: 'group', title, line, column, endLine, directives, blocks, children })],
  }
}

export interface Included {
  readonly preambles: readonly SpecLines[]
  readonly blocks: readonly Block[]
  readonly setups: readonly Hook[]
  /** In the order of execution: hooks of the last included file come first. */
  readonly teardowns: readonly Hook[]
  readonly children: readonly (Group | Step)[]
}

/** Adds the path of the included file to each of its parts. */
export function locateIn(file: string, { preambles, blocks, setups, teardowns, children }: Included): Included {
  const within = <T extends object>(part: T): T & { readonly file: string } => ({ ...part, file })
  const hook = (one: Hook): Hook => within({ ...one, blocks: one.blocks.map(within) })
  const child = (one: Group | Step): Group | Step =>
    one.kind === 'group'
      ? within({ ...one, blocks: one.blocks.map(within), children: one.children.map(child) })
      : within({ ...one, blocks: one.blocks.map(within), checks: one.checks.map(within) })
  return {
    preambles: preambles.map(within),
    blocks: blocks.map(within),
    setups: setups.map(hook),
    teardowns: teardowns.map(hook),
    children: children.map(child),
  }
}
