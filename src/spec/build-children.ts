import type { Section } from './build-sections.ts'
import { createTitleList } from './create-title-list.ts'
import { readOwnContent, readWholeContent } from './section-content.ts'
import type { Content, Scope } from './section-content.ts'
import type { Directives, Group, Place, Step } from './spec.ts'

export interface ChildScope extends Scope {
  /** The next ordinal in the scenario. */
  nextOrdinal(): number
}

const contextTitles: readonly string[] = ['notes', 'background', 'context', 'references']

/** The groups and steps of the headings under one parent; context and documentation are left out. */
export function buildChildren(sections: readonly Section[], scope: ChildScope): readonly (Group | Step)[] {
  const titles = createTitleList()
  return sections.flatMap((section): readonly (Group | Step)[] => {
    if (contextTitles.includes(section.title.toLowerCase())) return readContext(section, scope)
    const content = readOwnContent(section.nodes, section, scope)
    const children = buildChildren(section.children, { ...scope, isAgentNone: content.isAgentNone })
    const { line, column, endLine } = section
    if (children.length === 0) {
      const step = buildStep(content, { line, column, endLine, title: () => titles.add(section.title) }, scope)
      return step === undefined ? [] : [step]
    }
    reportOutsideStep(content, 'A group has no agent action of its own', scope)
    const { directives, blocks } = content
    return [{ kind: 'group', title: titles.add(section.title), line, column, endLine, directives, blocks, children }]
  })
}

interface StepFrame extends Place {
  readonly endLine: number
  /** Asked for only when there is a step: a heading that is left out takes no title. */
  title(): string
}

/** Makes a step of a leaf heading; `undefined` where it is documentation, because no agent reads its prose. */
export function buildStep(content: Content, frame: StepFrame, scope: ChildScope): Step | undefined {
  reportChecksWithoutAgent(content, scope)
  const { blocks, hasProse, isAgentNone } = content
  const hasAgentPart = !isAgentNone && (hasProse || content.checks.length > 0)
  const isDocumentation = isAgentNone && hasProse && blocks.length === 0 && content.directives.todo === undefined
  if (isDocumentation) return undefined
  const actor = hasAgentPart ? 'agent' : blocks.length > 0 ? 'code' : 'todo'
  const ordinal = scope.nextOrdinal()
  const title = frame.title()
  const { line, column, endLine } = frame
  const directives = withImpliedSkip(content, actor)
  const checks = content.checks.map(({ n, line, text }) => ({ n, line, text }))
  return {
    kind: 'step',
    id: stepId(ordinal, title),
    ordinal,
    title,
    line,
    column,
    endLine,
    directives,
    actor,
    checks,
    blocks,
  }
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
      `${reason}, so there is nothing to verify. Use \`run\`, or move the block under a step.`,
    )
  }
}

export function reportChecksWithoutAgent(content: Content, scope: Scope): void {
  for (const check of content.isAgentNone ? content.checks : []) {
    const message =
      'No agent acts here, so nobody would judge this check. Make it a plain list item or a block, or name an agent.'
    scope.report('check-without-agent', check, message)
  }
}

/** A step whose blocks are all skipped executes nothing: it must not show up as a pass. */
function withImpliedSkip({ directives, blocks }: Content, actor: Step['actor']): Directives {
  const isSkipped = actor === 'code' && blocks.every(({ attributes }) => attributes.skip === true)
  return isSkipped && directives.skip === undefined
    ? { ...directives, skip: 'all its blocks are marked skip' }
    : directives
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

/** The id of a step, `<n>-<slug>`: letters and digits of any script, at most 40 code points of them. */
function stepId(ordinal: number, title: string): string {
  const slug = title.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const short = [...trimDashes(slug)].slice(0, 40).join('')
  return `${ordinal}-${trimDashes(short) || 'step'}`
}

function trimDashes(text: string): string {
  return text.replace(/^-|-$/g, '')
}
