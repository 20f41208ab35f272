import { withoutUndefined } from '../../system/without-undefined.ts'
import type { Group, Scenario, Step } from '../../spec/spec.ts'
import { generateTests, type GeneratedModule, quoteTitle } from '../../plan/module-lines.ts'
import { encodePlan, type Plan } from '../../plan/plan.ts'
import { scenarioTimeoutMs, stepTimeoutMs } from '../../plan/scenario-timeout.ts'
import { fileOfBlock, moduleBlocksOf, moduleIdOf } from './module-blocks.ts'

export const runtimeId = 'vitest-mdtest/internal/runtime'

/** Each test is a literal `test` call on the line of its heading, so that editors find it without running code. */
export function generateModule(plan: Plan, text: string): GeneratedModule {
  const { spec } = plan
  const beside = (scenario: Scenario): boolean => scenario.isApart === true && plan.isSideBySide === true
  // Import each block only when it runs: a broken block then fails no other block. Vite needs literal paths.
  const ids = moduleBlocksOf(spec).map((block) => moduleIdOf(fileOfBlock(spec, block), block))
  const imports = ids.map((id) => `() => import(${JSON.stringify(id)})`)
  return generateTests(spec, text, {
    start: [
      `import { describe, test, afterAll } from "vitest";`,
      `import { openSpec } from ${JSON.stringify(runtimeId)};`,
      `const plan = "${encodePlan(plan)}";`,
      `const mdtest = openSpec(plan, () => blocks); afterAll(() => mdtest.close(), ${stepTimeoutMs});`,
    ],
    open: (group, scenario) => openDescribe(group, scenario !== undefined && beside(scenario)),
    step: (step, scenario) =>
      callOf(step, {
        scenario: scenario.ordinal,
        concurrent: beside(scenario) ? !scenario.hasDescribe : undefined,
        tags: spec.frontMatter.tags,
      }),
    tearDown: (scenario) =>
      `afterAll(() => mdtest.end(${scenario.ordinal}), ${scenarioTimeoutMs(scenario, plan.settings)});`,
    end: `const blocks = [${imports.join(', ')}];`,
  })
}

function openDescribe({ title, directives }: Pick<Group, 'title' | 'directives'>, concurrent: boolean): string {
  const { skip, todo, only, retry, tags } = directives
  // Pass no reason for the skip, because each skipped step shows the reason itself.
  const call = skip === '' ? 'describe.skip' : todo ? 'describe.todo' : only ? 'describe.only' : 'describe'
  // Never shuffle steps: they share a shell and an agent session, so their order is part of the test.
  const options = { shuffle: false, concurrent, ...(retry !== undefined && { retry }), ...(tags && { tags }) }
  return `${call}(${quoteTitle(title)}, ${formatOptions(options)}, () => {`
}

/** Prints keys without quotes, because static collectors read tags only from an unquoted key. */
function formatOptions(options: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return `{ ${entries.join(', ')} }`
}

interface StepContext {
  readonly scenario: number
  readonly concurrent: boolean | undefined
  readonly tags: readonly string[]
}

function callOf(step: Step, { scenario, tags, concurrent }: StepContext): string {
  const title = quoteTitle(step.title)
  const { skip, only, retry, todo } = step.directives
  const allTags = [...new Set([...tags, ...(step.directives.tags ?? [])])]
  const options = withoutUndefined({ concurrent, retry, tags: allTags.length > 0 ? allTags : undefined })
  if (step.actor === 'todo' || todo) return `test.todo(${title}, ${formatOptions(options)});`
  const call = skip === '' ? 'test.skip' : only ? 'test.only' : 'test'
  const body = skip ? `mdtest.skip(${JSON.stringify(skip)})` : `mdtest.step(${scenario}, ${step.ordinal})`
  // Vite parses the code, so keep it short: leave out options if there are none.
  const rest =
    Object.keys(options).length === 0
      ? `${body}, ${stepTimeoutMs}`
      : `${formatOptions({ timeout: stepTimeoutMs, ...options })}, ${body}`
  return `${call}(${title}, ${rest});`
}

const query = '?mdtest-included'

/** Module id of an included file. Vite transforms the file under this id, so that failures can show its lines. */
export function includedModuleId(file: string): string {
  return `${file}${query}`
}

export function isIncludedModule(id: string): boolean {
  return id.endsWith(query)
}
