import { reportChecksWithoutAgent } from './build-step.ts'
import type { Section } from './build-sections.ts'
import { reportLooseExamples } from './read-examples.ts'
import { readWholeContent } from '../markdown/section-content.ts'
import type { Scope } from '../markdown/section-content.ts'
import type { Group, Hook, Scenario, Step } from '../spec.ts'

const hookTitles = { setup: ['setup', 'before'], teardown: ['teardown', 'after'] } as const

export type HookName = keyof typeof hookTitles

/** Whether a heading directly in a scenario is one of its hooks. */
export function hookNameOf(section: Section): HookName | undefined {
  const title = section.title.toLowerCase()
  if (hookTitles.setup.some((name) => name === title)) return 'setup'
  return hookTitles.teardown.some((name) => name === title) ? 'teardown' : undefined
}

/** Makes the hook of the first heading; more than one is a problem. */
export function buildHook(sections: readonly Section[], name: HookName, scope: Scope): Hook | undefined {
  const [first, ...others] = sections.filter((section) => hookNameOf(section) === name)
  for (const other of others) {
    const titles = hookTitles[name].map((title) => `\`${title}\``).join(' or ')
    scope.report(
      'duplicate-hook',
      other,
      `The scenario has one ${titles} on line ${first?.line} already. Put both into one.`,
    )
  }
  return first === undefined ? undefined : readHook(first, scope)
}

/** One hook of those of a scenario and of the files that it includes, in order. */
export function mergeHooks(hooks: readonly Hook[]): Hook | undefined {
  const first = hooks.find(({ hasProse }) => hasProse) ?? hooks[0]
  return first && { ...first, blocks: hooks.flatMap(({ blocks }) => blocks) }
}

/** The agent is started with the first step that it carries out: without one, prose of a hook would be passed over. */
export function reportHooksWithoutAgent(
  { setup, teardown, children }: Omit<Scenario, 'ordinal'>,
  { report }: Scope,
): void {
  const steps = children.flatMap(executedSteps)
  if (steps.length === 0 || steps.some(({ actor }) => actor === 'agent')) return
  for (const hook of [setup, teardown]) {
    if (hook?.hasProse !== true) continue
    const message = `No step here is carried out by the agent, so nobody would act on the prose of \`${hook.title}\`. Write it as a \`run\` block, or mark it as documentation with \`<!-- mdtest: agent=none -->\`.`
    report('hook-needs-agent-step', hook, message)
  }
}

function executedSteps(child: Group | Step): readonly Step[] {
  if (child.directives.skip !== undefined || child.directives.todo === true) return []
  if (child.kind === 'group') return child.children.flatMap(executedSteps)
  return child.actor === 'todo' ? [] : [child]
}

function readHook(section: Section, scope: Scope): Hook {
  const content = readWholeContent(section, { ...scope, canHaveDirectives: true })
  // Its own `skip` means nothing here.
  reportChecksWithoutAgent({ ...content, isSkipped: scope.isSkipped === true }, scope)
  reportLooseExamples(section.children, scope)
  for (const check of content.isAgentNone ? [] : content.checks) {
    const message = `\`${section.title}\` is no step, so nobody would judge this check. Move it under a step.`
    scope.report('check-outside-step', check, message)
  }
  for (const word of content.words.filter((item) => item.name !== 'agent')) {
    const message = `\`${word.name}\` has no meaning under \`${section.title}\`: it is no test. Only \`agent=none\` has.`
    scope.report('unknown-directive', word, message)
  }
  const { title, line, column, endLine } = section
  return { title, line, column, endLine, blocks: content.blocks, hasProse: content.hasProse && !content.isAgentNone }
}
