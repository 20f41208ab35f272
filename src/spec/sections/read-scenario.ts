import type { RootContent } from 'mdast'

import { buildChildren, reportOutsideStep } from './build-children.ts'
import { buildHook, hookNameOf } from './build-hook.ts'
import type { Outline, Section } from './build-sections.ts'
import { buildStep } from './build-step.ts'
import type { StepScope } from './build-step.ts'
import type { TitleList } from './unique-titles.ts'
import { reportLooseExamples } from './read-examples.ts'
import { repeatsOf } from '../front-matter/repeats.ts'
import { readOwnContent, readPreamble, reportScenarioWords } from '../markdown/section-content.ts'
import type { Content, Scope } from '../markdown/section-content.ts'
import type { Scenario } from '../spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'

/** The headings and text that one scenario is made of. */
export interface ScenarioParts {
  /** Its H1, where there is one. */
  readonly section: Section | undefined
  readonly title: string
  readonly own: readonly RootContent[]
  readonly sections: readonly Section[]
  /** Text before the first heading of the file, where an H1 follows. */
  readonly preamble: readonly RootContent[]
}

/** A scenario as one file has it. */
export type OwnScenario = Omit<Scenario, 'ordinal'>

interface ScenarioScope extends StepScope {
  /** For the headings below, or for the scenario itself where it is one step. */
  readonly titles: { readonly ofChildren: TitleList; readonly ofLeaf: TitleList }
  /** Whether it is part of another, or has steps of included files: then it needs none of its own. */
  readonly role: 'whole' | 'filled' | 'included'
}

/**
 * The parts of each H1, or of the whole file where there is none. Headings before the first H1 belong to the first.
 *
 * @param title title of the file, for parts without an H1
 */
export function partsOf({ preamble, sections }: Outline, title: string): readonly ScenarioParts[] {
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

/** Reads the steps and hooks of a scenario; no steps where it is all documentation. */
export function readScenario(parts: ScenarioParts, { titles, role, ...scope }: ScenarioScope): OwnScenario {
  const { section, sections, title } = parts
  const own = readOwnContent(parts.own, section, scope)
  if (role === 'included') reportScenarioWords(own, scope)
  const before = readPreamble(parts.preamble, scope)
  reportOutsideStep(before, 'The text before the first heading is not a step', scope)
  const inner = { ...scope, isAgentNone: own.isAgentNone, isSkipped: own.isSkipped }
  const setup = buildHook(sections, 'setup', inner)
  const teardown = buildHook(sections, 'teardown', inner)
  reportLooseExamples(sections, scope)
  const others = sections.filter((child) => hookNameOf(child) === undefined)
  const children = buildChildren(others, inner, titles.ofChildren)
  const place = placeOf(parts)
  const head = { title, ...place, directives: own.directives, hasDescribe: section !== undefined }
  const base = { ...head, repeats: repeatsOf(own.directives), blocks: before.blocks, setup, teardown }
  if (children.length > 0) {
    reportOutsideStep(own, 'The text above the first step is not a step itself', scope)
    if (section === undefined) reportWithoutHeading(own, scope)
    return withoutUndefined<OwnScenario>({ ...base, blocks: [...before.blocks, ...own.blocks], children })
  }
  // Beside the steps of included files a heading stands for the scenario, and so do its directives.
  const isFilled = role === 'filled' && section !== undefined
  const leaf = isFilled ? { ...own, directives: {} } : own
  const frame = { ...place, endLine: leafEndLine(parts, place.endLine), title: () => titles.ofLeaf.add(title) }
  const step = role === 'whole' || !isEmpty(leaf) ? buildStep(leaf, frame, inner) : undefined
  return withoutUndefined<OwnScenario>({
    ...base,
    ...(isFilled ? {} : { directives: {}, hasDescribe: false }),
    children: step === undefined ? [] : [step],
  })
}

/** Directives belong to a heading, and here is none for all that follows. */
function reportWithoutHeading({ words }: Content, { report }: Scope): void {
  for (const word of words.filter(({ name }) => name !== 'agent')) {
    const message = `\`${word.name}\` would be ignored here, for there is no heading that it belongs to. Write an H1 above it, or put it under each heading that it is for.`
    report('misplaced-directive', word, message)
  }
}

/** A heading with nothing below it, which elsewhere is a `todo`. */
function isEmpty({ blocks, checks, hasProse, directives }: Content): boolean {
  return blocks.length === 0 && checks.length === 0 && !hasProse && directives.todo === undefined
}

function placeOf({ section, own, sections }: ScenarioParts): { line: number; column: number; endLine: number } {
  if (section !== undefined) {
    const { line, column, endLine } = section
    return { line, column, endLine }
  }
  const first = own[0]?.position?.start ?? sections[0] ?? { line: 1, column: 1 }
  const endLine = sections.at(-1)?.endLine ?? own.at(-1)?.position?.end.line ?? first.line
  return { line: first.line, column: first.column, endLine }
}

/** Hooks below the text of a single step are no part of it. */
function leafEndLine({ section, own, sections }: ScenarioParts, endLine: number): number {
  if (!sections.some((child) => hookNameOf(child) !== undefined)) return endLine
  return own.at(-1)?.position?.end.line ?? section?.heading.position?.end.line ?? endLine
}
