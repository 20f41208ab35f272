import type { Group, Located, Scenario } from '../spec/spec.ts'
import { addCode, emptyLinesOf, moduleOf, type GeneratedModule, quoteTitle, OpenGroups } from '../plan/module-lines.ts'
import { stepTimeoutMs } from '../plan/scenario-timeout.ts'
import { plannedTests, type PlannedTest } from './planned-tests.ts'
import type { JestPlan } from './protocol.ts'

/**
 * The test file that Jest runs for a spec: CommonJS, each `describe` and `test` on the line of its heading.
 *
 * @param runtime absolute path of the runtime, a CommonJS file
 */
export function generateTestFile(
  plan: JestPlan,
  { text, runtime }: { readonly text: string; readonly runtime: string },
): GeneratedModule {
  const lines = emptyLinesOf(text)
  const json = JSON.stringify(JSON.stringify(plan))
  addCode(lines, 1, `const { describe, test: jestTest, afterAll } = require("@jest/globals");`)
  addCode(lines, 1, `const mdtest = require(${JSON.stringify(runtime)}).openSpec(JSON.parse(${json}));`)
  addCode(lines, 1, `const test = mdtest.testOf(jestTest);`)
  const tests = plannedTests(plan.spec)
  const groups = new OpenGroups()
  for (const scenario of plan.spec.scenarios) {
    const { closed, opened } = groups.enter(scenario)
    for (const { endLine } of closed) addCode(lines, endLine, '});')
    for (const group of opened) addCode(lines, group.line, openDescribe(group))
    addScenario(lines, scenario, { tests: tests.filter((test) => test.scenario === scenario), plan })
  }
  for (const { endLine } of groups.end()) addCode(lines, endLine, '});')
  // Jest runs hooks in the order of the file.
  addCode(lines, lines.length, `afterAll(() => mdtest.close(), ${stepTimeoutMs});`)
  return moduleOf(lines, { file: plan.spec.file, text })
}

interface Context {
  readonly tests: readonly PlannedTest[]
  readonly plan: JestPlan
}

function addScenario(lines: string[], scenario: Scenario, context: Context): void {
  const tearDown = `afterAll(() => mdtest.end(${scenario.ordinal}), ${stepTimeoutMs});`
  addCode(lines, scenario.line, scenario.hasDescribe ? `${openDescribe(scenario)} ${tearDown}` : tearDown)
  const firstOwn = scenario.children.findIndex(({ file }) => file === undefined)
  for (const [index, child] of scenario.children.entries()) {
    // Steps of an included file have no line of their own: they stand before or behind all others.
    const outside = firstOwn !== -1 && index > firstOwn ? scenario.endLine : scenario.line
    const lineOf = (node: Located, line: number): number => (node.file === undefined ? line : outside)
    addChild({ ...context, lines, lineOf }, child)
  }
  if (scenario.hasDescribe) addCode(lines, scenario.endLine, '});')
}

interface ChildContext extends Context {
  readonly lines: string[]
  lineOf(node: Located, line: number): number
}

function addChild(context: ChildContext, child: Scenario['children'][number]): void {
  const { lines, lineOf, tests } = context
  if (child.kind === 'step') {
    const test = tests.find(({ step }) => step === child)
    return test && addCode(lines, lineOf(child, child.line), callOf(test))
  }
  addCode(lines, lineOf(child, child.line), openDescribe(child))
  for (const grandchild of child.children) addChild(context, grandchild)
  addCode(lines, lineOf(child, child.endLine), '});')
}

function openDescribe({ title }: Pick<Group, 'title'>): string {
  return `describe(${quoteTitle(title)}, () => {`
}

/**
 * Each step repeats the directives of the headings above it: `describe.only` of Jest would leave out other files'
 * steps.
 */
function callOf({ scenario, step, isOnly }: PlannedTest): string {
  const title = quoteTitle(step.title)
  const { skip, todo } = step.directives
  if (step.actor === 'todo' || todo) return `test.todo(${title});`
  const call = skip !== undefined ? 'test.skip' : isOnly ? 'test.only' : 'test'
  return `${call}(${title}, () => mdtest.step(${scenario.ordinal}, ${step.ordinal}), ${stepTimeoutMs});`
}
