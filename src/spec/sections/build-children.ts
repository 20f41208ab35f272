import { hookNameOf, isContextTitle, isNearlyExamples, nearName, type HookName } from './section-titles.ts'
import { buildExamples, isExamples, reportLooseExamples } from './build-examples.ts'
import { type Section, createUniqueTitle, type UniqueTitle } from './build-sections.ts'
import { inheritDirectives, buildStep, reportChecksWithoutAgent, type StepScope } from './build-step.ts'
import { readOwnContent, readWholeContent, type Content, type Scope } from '../markdown/section-content.ts'
import { isLeftOut, stepsOf, type Group, type Step, type Hook, type Scenario } from '../spec.ts'

interface ChildScope extends StepScope {
  /** Whether the headings are directly below a scenario, where `Setup` and `Teardown` can be. */
  readonly isTop?: boolean
}

/** Makes groups and steps from headings. Leaves out context and documentation. */
export function buildChildren(
  sections: readonly Section[],
  scope: ChildScope,
  unique: UniqueTitle = createUniqueTitle(),
): readonly (Group | Step)[] {
  return sections.flatMap((section): readonly (Group | Step)[] => {
    if (isContextTitle(section.title)) return readContext(section, scope)
    if (!scope.isAgentNone || hasMoreThanText(section)) reportNearTitles(section, scope)
    const inner = section.children.filter((child) => !isExamples(child))
    const examples = examplesOf(section, scope)
    if (examples !== undefined) {
      scope.fates.mark('known', section.line, section.endLine)
      buildChildren(inner, { ...scope, isTop: false })
      return toList(buildExamples(section, examples, { ...scope, uniqueTitle: unique }))
    }
    const content = readOwnContent(section.nodes, section, scope)
    const { isAgentNone, isSkipped } = content
    const children = buildChildren(inner, { ...scope, isAgentNone, isSkipped, isTop: false })
    const { line, column, endLine } = section
    if (children.length === 0) {
      return toList(buildStep(content, { line, column, endLine, title: () => unique(section.title) }, scope))
    }
    reportOutsideStep(content, 'A group has no agent action of its own', scope)
    const { directives, blocks } = content
    const title = unique(section.title)
    return [inheritDirectives<Group>({ kind: 'group', title, line, column, endLine, directives, blocks, children })]
  })
}

/** Without an agent, nothing is lost with a section that has only paragraphs. */
function hasMoreThanText({ nodes, children }: Section): boolean {
  return nodes.some(({ type }) => type !== 'paragraph') || children.some(hasMoreThanText)
}

function reportNearTitles(section: Section, { isPage = false, isTop = false, text, report }: ChildScope): void {
  const name = isPage || isExamples(section) ? undefined : nearName(section.title, isTop)
  if (name !== undefined) {
    const message = `This is a step like any other. Did you mean \`${name}\`? Otherwise let the title say what the step does.`
    report('near-miss', section, message)
  }
  for (const child of isPage ? [] : section.children) {
    if (isExamples(child) || !isNearlyExamples(child, section, text)) continue
    report('near-miss', child, 'The rows of this table would be no tests. Did you mean `Examples`?')
  }
}

function examplesOf({ children }: Section, { report }: Scope): Section | undefined {
  const [first, ...more] = children.filter(isExamples)
  if (first === undefined) return undefined
  for (const other of more) {
    const message = `The step has \`Examples\` on line ${first.line} already. Put all rows into one table.`
    report('examples-misplaced', other, message)
  }
  if (children.every((child) => isExamples(child) || isContextTitle(child.title))) return first
  const message = '`Examples` is for one step, and stands beside others. Move it below its step, or rename it.'
  report('examples-misplaced', first, message)
  return undefined
}

export function toList<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

export function reportOutsideStep(content: Content, reason: string, scope: Scope): void {
  reportChecksWithoutAgent(content, scope)
  for (const check of content.isAgentNone ? [] : content.checks) {
    scope.report('check-outside-step', check, `${reason}, so nobody would judge this check. Move it under a step.`)
  }
  for (const block of content.blocks.filter(({ role }) => role === 'verify')) {
    const message = `${reason}, so there is nothing to verify here yet. Move this \`verify\` block below the heading of a step, or write \`run\` if it only prepares something.`
    scope.report('verify-outside-step', block, message)
  }
}

function readContext(section: Section, scope: Scope): [] {
  const content = readWholeContent(section, scope)
  const reason = `\`${section.title}\` is context, not a step`
  // Without `blocks`, because all of them are reported below. A check is lost without an agent, too.
  reportOutsideStep({ ...content, blocks: [], isAgentNone: false }, reason, scope)
  for (const block of content.blocks) {
    const message = `${reason}, so this block would never run. Move it, rename the heading, or take its mark away; without an agent, mark it \`skip\`.`
    scope.report('block-in-context', block, message)
  }
  return []
}

export function buildHook(sections: readonly Section[], name: HookName, scope: Scope): Hook | undefined {
  const [first, ...others] = sections.filter((section) => hookNameOf(section) === name)
  for (const other of others) {
    const titles = name === 'setup' ? '`setup` or `before`' : '`teardown` or `after`'
    const message = `The scenario has one ${titles} on line ${first?.line} already. Put both into one.`
    scope.report('duplicate-hook', other, message)
    scope.fates.mark('known', other.line, other.endLine)
  }
  return first === undefined ? undefined : readHook(first, scope)
}

export function mergeHooks(hooks: readonly Hook[]): Hook | undefined {
  const first = hooks.find(({ hasProse }) => hasProse) ?? hooks[0]
  return first && { ...first, blocks: hooks.flatMap(({ blocks }) => blocks) }
}

export function reportHooksWithoutAgent(scenario: Omit<Scenario, 'ordinal'>, { report }: Scope): void {
  const steps = stepsOf(scenario).filter((step) => !isLeftOut(step) && step.actor !== 'todo')
  if (steps.length === 0 || steps.some(({ actor }) => actor === 'agent')) return
  for (const hook of [scenario.setup, scenario.teardown]) {
    if (hook?.hasProse !== true) continue
    const message = `No step here is carried out by the agent, so nobody would act on the prose of \`${hook.title}\`. Write it as a \`run\` block, or mark it as documentation with \`<!-- mdtest: agent=none -->\`.`
    report('hook-needs-agent-step', hook, message)
  }
}

function readHook(section: Section, scope: Scope): Hook {
  const { title, line, column, endLine } = section
  const content = readWholeContent(section, scope, true)
  // Without `blocks`, because they may verify. A hook cannot be skipped, so `skip` under its title hides no check.
  reportOutsideStep({ ...content, blocks: [], isSkipped: scope.isSkipped === true }, `\`${title}\` is no step`, scope)
  reportLooseExamples(section.children, scope)
  for (const word of content.words.filter((item) => item.name !== 'agent')) {
    const message = `\`${word.name}\` has no meaning under \`${title}\`: it is no test. Only \`agent=none\` has.`
    scope.report('unknown-directive', word, message)
  }
  return { title, line, column, endLine, blocks: content.blocks, hasProse: content.hasProse && !content.isAgentNone }
}
