import type { RootContent } from 'mdast'

import { buildChildren, buildStep, reportOutsideStep } from './build-children.ts'
import type { ChildScope } from './build-children.ts'
import { buildHook, hookNameOf, reportHooksWithoutAgent } from './build-hook.ts'
import type { Outline, Section } from './build-sections.ts'
import { createTitleList } from './create-title-list.ts'
import { reportPatterns } from './report-patterns.ts'
import { readOwnContent, readPreamble } from './section-content.ts'
import type { Scope } from './section-content.ts'
import type { Block, Group, Hook, Scenario, Step } from './spec.ts'
import { withoutUndefined } from './without-undefined.ts'

/** The headings and text that one scenario is made of. */
interface Parts {
  /** Its H1, where there is one. */
  readonly section: Section | undefined
  readonly title: string
  readonly own: readonly RootContent[]
  readonly sections: readonly Section[]
  /** Text before the first heading of the file, where an H1 follows. */
  readonly preamble: readonly RootContent[]
}

/**
 * Makes a scenario of each H1, or one of the whole file where there is none. Headings before the first H1 belong to
 * the first scenario.
 *
 * @param title title of the spec, for a scenario without an H1
 */
export function buildScenarios(outline: Outline, title: string, scope: Scope): readonly Scenario[] {
  const titles = createTitleList()
  return partsOf(outline, title)
    .flatMap((parts) => buildScenario({ ...parts, title: titles.add(parts.title) }, scope) ?? [])
    .map((scenario, index) => ({ ...scenario, ordinal: index + 1 }))
}

function partsOf({ preamble, sections }: Outline, title: string): readonly Parts[] {
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

/** `undefined` where the scenario is all documentation. */
function buildScenario(parts: Parts, scope: Scope): Scenario | undefined {
  const { section, title } = parts
  const own = readOwnContent(parts.own, section, scope)
  const before = readPreamble(parts.preamble, scope)
  reportOutsideStep(before, 'The text before the first heading is no step', scope)
  const inner = { ...scope, isAgentNone: own.isAgentNone, nextOrdinal: createCounter() }
  const setup = buildHook(parts.sections, 'setup', inner)
  const teardown = buildHook(parts.sections, 'teardown', inner)
  const groups = buildChildren(
    parts.sections.filter((child) => hookNameOf(child) === undefined),
    inner,
  )
  const place = placeOf(parts)
  const isLeaf = groups.length === 0
  if (!isLeaf) reportOutsideStep(own, 'The text above the first step is no step', scope)
  const frame = { ...place, endLine: leafEndLine(parts, place.endLine), title: () => title }
  const children = isLeaf ? toList(buildStep(own, frame, inner)) : groups
  const blocks = isLeaf ? before.blocks : [...before.blocks, ...own.blocks]
  const hasDescribe = section !== undefined && !isLeaf
  const directives = isLeaf ? {} : own.directives
  const scenario = withoutUndefined<Scenario>({
    ordinal: 1,
    title,
    ...place,
    directives,
    hasDescribe,
    blocks,
    setup,
    teardown,
    children,
  })
  reportHooksWithoutAgent(scenario, inner)
  reportPatterns(scenario, scope.report)
  return hasSteps(scenario, inner) ? scenario : undefined
}

function hasSteps({ children, blocks, setup, teardown, line, column }: Scenario, scope: ChildScope): boolean {
  if (children.length > 0) return true
  const orphans: readonly Block[] = [...blocks, ...blocksOf(setup), ...blocksOf(teardown)]
  if (orphans.length > 0) {
    const message =
      'The scenario has blocks before or after its steps, but no step. Add a step that executes something.'
    scope.report('nothing-to-execute', { line, column }, message)
  }
  return false
}

function blocksOf(hook: Hook | undefined): readonly Block[] {
  return hook?.blocks ?? []
}

function toList(step: Step | undefined): readonly (Group | Step)[] {
  return step === undefined ? [] : [step]
}

function placeOf({ section, own, sections }: Parts): { line: number; column: number; endLine: number } {
  if (section !== undefined) {
    const { line, column, endLine } = section
    return { line, column, endLine }
  }
  const first = own[0]?.position?.start ?? sections[0] ?? { line: 1, column: 1 }
  const endLine = sections.at(-1)?.endLine ?? own.at(-1)?.position?.end.line ?? first.line
  return { line: first.line, column: first.column, endLine }
}

/** Hooks below the text of a single step are no part of it. */
function leafEndLine({ section, own, sections }: Parts, endLine: number): number {
  if (!sections.some((child) => hookNameOf(child) !== undefined)) return endLine
  return own.at(-1)?.position?.end.line ?? section?.heading.position?.end.line ?? endLine
}

function createCounter(): () => number {
  let count = 0
  return () => ++count
}
