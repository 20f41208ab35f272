import { buildExamples } from './build-examples.ts'
import type { Section } from './build-sections.ts'
import { buildStep, reportChecksWithoutAgent, type StepScope } from './build-step.ts'
import { createTitleList, type TitleList } from './unique-titles.ts'
import { inheritDirectives } from '../blocks/parse-directives.ts'
import { isExamples } from './read-examples.ts'
import { readOwnContent, readWholeContent, type Content, type Scope } from '../markdown/section-content.ts'
import type { Group, Step } from '../spec.ts'

const contextTitles: readonly string[] = ['notes', 'background', 'context', 'references']

/** The groups and steps of the headings under one parent; context and documentation are left out. */
export function buildChildren(
  sections: readonly Section[],
  scope: StepScope,
  titles: TitleList = createTitleList(),
): readonly (Group | Step)[] {
  return sections.flatMap((section): readonly (Group | Step)[] => {
    if (isContext(section)) return readContext(section, scope)
    const inner = section.children.filter((child) => !isExamples(child))
    const examples = examplesOf(section, scope)
    if (examples !== undefined) {
      buildChildren(inner, scope)
      return toList(buildExamples(section, examples, { ...scope, uniqueTitle: titles.add }))
    }
    const content = readOwnContent(section.nodes, section, scope)
    const children = buildChildren(inner, { ...scope, isAgentNone: content.isAgentNone, isSkipped: content.isSkipped })
    const { line, column, endLine } = section
    if (children.length === 0) {
      return toList(buildStep(content, { line, column, endLine, title: () => titles.add(section.title) }, scope))
    }
    reportOutsideStep(content, 'A group has no agent action of its own', scope)
    const { directives, blocks } = content
    const title = titles.add(section.title)
    return [inheritDirectives<Group>({ kind: 'group', title, line, column, endLine, directives, blocks, children })]
  })
}

/** The heading with a row for each test of this step. */
function examplesOf({ children }: Section, { report }: Scope): Section | undefined {
  const [first, ...more] = children.filter(isExamples)
  if (first === undefined) return undefined
  for (const other of more) {
    const message = `The step has \`Examples\` on line ${first.line} already. Put all rows into one table.`
    report('examples-misplaced', other, message)
  }
  if (children.every((child) => isExamples(child) || isContext(child))) return first
  const message =
    '`Examples` is for one step, and here it stands beside others. Move it one level down, below the step that it is for, or give it another name.'
  report('examples-misplaced', first, message)
  return undefined
}

function isContext({ title }: Section): boolean {
  return isContextTitle(title)
}

/** Whether a heading of this title begins no step: an agent reads what stands below it. */
export function isContextTitle(title: string): boolean {
  return contextTitles.includes(title.toLowerCase())
}

function toList<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

/** Reports checks and `verify` blocks that stand where no step is. */
export function reportOutsideStep(content: Content, reason: string, scope: Scope): void {
  reportChecksWithoutAgent(content, scope)
  for (const check of content.isAgentNone ? [] : content.checks) {
    scope.report('check-outside-step', check, `${reason}, so nobody would judge this check. Move it under a step.`)
  }
  for (const block of content.blocks.filter(({ role }) => role === 'verify')) {
    scope.report(
      'verify-outside-step',
      block,
      `${reason}, so there is nothing to verify here yet. Move this \`verify\` block below the heading of a step, or write \`run\` if it only prepares something.`,
    )
  }
}

function readContext(section: Section, scope: Scope): [] {
  const content = readWholeContent(section, { ...scope, canHaveDirectives: false })
  const reason = `\`${section.title}\` is context, not a step`
  for (const check of content.checks) {
    scope.report(
      'check-outside-step',
      check,
      `${reason}, so nobody would judge this check. Move it, or rename the heading.`,
    )
  }
  for (const block of content.blocks) {
    scope.report(
      'block-in-context',
      block,
      `${reason}, so this block would never run. Move it, rename the heading, or take its mark away; without an agent, mark it \`skip\`.`,
    )
  }
  return []
}
