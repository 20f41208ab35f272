import { withoutUndefined } from '../../system/without-undefined.ts'
import type { Group, Located, Scenario, ScenarioGroup, Step } from '../../spec/spec.ts'
import {
  addCode,
  emptyLinesOf,
  moduleOf,
  type GeneratedModule,
  quoteTitle,
  OpenGroups,
} from '../../plan/module-lines.ts'
import { encodePlan, type Plan } from '../../plan/plan.ts'
import { scenarioTimeoutMs, stepTimeoutMs } from '../../plan/scenario-timeout.ts'
import { fileOfBlock, moduleBlocksOf, moduleIdOf } from './module-blocks.ts'

export const runtimeId = 'vitest-mdtest/internal/runtime'

/**
 * The test module of one spec. Each `describe` and `test` is a literal call that stands on the very line of its
 * heading, so line N of the module is line N of the markdown: static collectors, `file:line` filters and stack
 * traces need no more than an identity map.
 */
export function generateModule(plan: Plan, text: string): GeneratedModule {
  const lines = emptyLinesOf(text)
  addCode(lines, 1, `import { describe, test, afterAll } from "vitest";`)
  addCode(lines, 1, `import { openSpec } from ${JSON.stringify(runtimeId)};`)
  addCode(lines, 1, `const plan = "${encodePlan(plan)}";`)
  addCode(lines, 1, `const mdtest = openSpec(plan, () => blocks); afterAll(() => mdtest.close(), ${stepTimeoutMs});`)
  const groups = new OpenGroups()
  for (const scenario of plan.spec.scenarios) {
    const { closed, opened } = groups.enter(scenario)
    close(lines, closed)
    for (const group of opened)
      addCode(lines, group.line, openDescribe({ ...group, directives: {} }, isBeside(scenario, plan)))
    addScenario(lines, scenario, plan)
  }
  close(lines, groups.end())
  const last = lines.length
  // Each block imports its module when it runs, so that a bad module fails no other block. Vite reads literal imports.
  const ids = moduleBlocksOf(plan.spec).map((block) => moduleIdOf(fileOfBlock(plan.spec, block), block))
  const imports = ids.map((id) => `() => import(${JSON.stringify(id)})`)
  addCode(lines, last, `const blocks = [${imports.join(', ')}];`)
  return moduleOf(lines, { file: plan.spec.file, text })
}

function close(lines: string[], groups: readonly ScenarioGroup[]): void {
  for (const { endLine } of groups) addCode(lines, endLine, '});')
}

/** Whether a scenario runs beside others. */
function isBeside({ isApart }: Scenario, { isSideBySide }: Plan): boolean {
  return isApart === true && isSideBySide === true
}

function addScenario(lines: string[], scenario: Scenario, plan: Plan): void {
  const timeoutMs = scenarioTimeoutMs(scenario, plan.settings)
  const beside = isBeside(scenario, plan) ? { concurrent: !scenario.hasDescribe } : {}
  const tearDown = `afterAll(() => mdtest.end(${scenario.ordinal}), ${timeoutMs});`
  addCode(
    lines,
    scenario.line,
    scenario.hasDescribe ? `${openDescribe(scenario, isBeside(scenario, plan))} ${tearDown}` : tearDown,
  )
  const firstOwn = scenario.children.findIndex(({ file }) => file === undefined)
  for (const [index, child] of scenario.children.entries()) {
    // Steps of an included file have no line of their own: they stand before or behind all others.
    const outside = firstOwn !== -1 && index > firstOwn ? scenario.endLine : scenario.line
    const lineOf = (node: Located, line: number): number => (node.file === undefined ? line : outside)
    addChild({ lines, lineOf, scenario: scenario.ordinal, ...beside, tags: plan.spec.frontMatter.tags }, child)
  }
  if (scenario.hasDescribe) addCode(lines, scenario.endLine, '});')
}

interface Context {
  readonly lines: string[]
  /** The line in the module for a line of the spec. */
  lineOf(node: Located, line: number): number
  readonly scenario: number
  /** Whether a step runs beside others. Undefined where Vitest's default holds. */
  readonly concurrent?: boolean
  /** Tags of the whole spec. */
  readonly tags: readonly string[]
}

function addChild(context: Context, child: Group | Step): void {
  if (child.kind === 'step') return addStep(context, child)
  addCode(context.lines, context.lineOf(child, child.line), openDescribe(child))
  for (const grandchild of child.children) addChild(context, grandchild)
  addCode(context.lines, context.lineOf(child, child.endLine), '});')
}

function openDescribe({ title, directives }: Pick<Group, 'title' | 'directives'>, concurrent = false): string {
  const { skip, todo, only, retry, tags } = directives
  // Each step shows the reason of a skip.
  const call = skip === '' ? 'describe.skip' : todo ? 'describe.todo' : only ? 'describe.only' : 'describe'
  // Steps share a shell and an agent session: their order is part of the test.
  const options = { shuffle: false, concurrent, ...(retry !== undefined && { retry }), ...(tags && { tags }) }
  return `${call}(${quoteTitle(title)}, ${formatOptions(options)}, () => {`
}

/** Static collectors read tags only where the key is a plain word. */
function formatOptions(options: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return `{ ${entries.join(', ')} }`
}

function addStep({ lines, lineOf, scenario, tags, concurrent }: Context, step: Step): void {
  const title = quoteTitle(step.title)
  const line = lineOf(step, step.line)
  const { skip, only, retry, todo } = step.directives
  const allTags = [...new Set([...tags, ...(step.directives.tags ?? [])])]
  const options = withoutUndefined({ concurrent, retry, tags: allTags.length > 0 ? allTags : undefined })
  if (step.actor === 'todo' || todo) return addCode(lines, line, `test.todo(${title}, ${formatOptions(options)});`)
  const call = skip === '' ? 'test.skip' : only ? 'test.only' : 'test'
  const body = skip ? `mdtest.skip(${JSON.stringify(skip)})` : `mdtest.step(${scenario}, ${step.ordinal})`
  // Vite parses this code: it stays short.
  const rest =
    Object.keys(options).length === 0
      ? `${body}, ${stepTimeoutMs}`
      : `${formatOptions({ timeout: stepTimeoutMs, ...options })}, ${body}`
  addCode(lines, line, `${call}(${title}, ${rest});`)
}

const query = '?mdtest-included'

/** Module id of an included file. Vite transforms it without an import, so that Vitest shows its lines in a failure. */
export function includedModuleId(file: string): string {
  return `${file}${query}`
}

export function isIncludedModule(id: string): boolean {
  return id.endsWith(query)
}
