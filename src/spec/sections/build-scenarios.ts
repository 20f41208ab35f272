import { mergeHooks, reportHooksWithoutAgent } from './build-hook.ts'
import { preambleAbove, type Outline } from './build-sections.ts'
import { createOrdinals } from './build-step.ts'
import { createTitleList } from './unique-titles.ts'
import { inheritDirectives } from '../blocks/parse-directives.ts'
import type { Included } from './locate-in.ts'
import { partsOf, readScenario, type OwnScenario, type ScenarioParts } from './read-scenario.ts'
import { reportPatterns } from '../rules/report-patterns.ts'
import type { Scope } from '../markdown/section-content.ts'
import { stepsOf, type Block, type Hook, type Scenario } from '../spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'

interface ScenarioScope extends Scope {
  /** What becomes part of every scenario. */
  readonly included: Included
}

/**
 * Makes a scenario of each H1, or one of the whole file where there is none.
 *
 * @param title title of the spec, for a scenario without an H1
 */
export function buildScenarios(outline: Outline, title: string, scope: ScenarioScope): readonly Scenario[] {
  const titles = createTitleList()
  return partsOf(outline, title)
    .flatMap((parts) => buildScenario({ ...parts, title: titles.add(parts.title) }, { ...scope, outline }) ?? [])
    .map((scenario, index) => ({ ordinal: index + 1, ...scenario }))
}

/** `undefined` where the scenario is all documentation. */
function buildScenario(
  parts: ScenarioParts,
  { included, outline, ...scope }: ScenarioScope & { readonly outline: Outline },
): OwnScenario | undefined {
  const titles = createTitleList(included.children.map(({ title }) => title))
  const own = readScenario(parts, {
    ...scope,
    nextOrdinal: createOrdinals(stepsOf(included).length + 1),
    titles: { ofChildren: titles, ofLeaf: titles },
    role: included.children.length > 0 ? 'filled' : 'whole',
  })
  const scenario = inheritDirectives({ ...withIncluded(own, included), ...preamblesOf(own, included, outline) })
  reportHooksWithoutAgent(scenario, scope)
  reportPatterns(scenario, scope.report)
  return hasSteps(scenario, scope) ? scenario : undefined
}

/** The agent reads what stands above all H1s for each of them. */
function preamblesOf(own: OwnScenario, { preambles }: Included, outline: Outline): Pick<Scenario, 'preambles'> {
  const all = [...preambles, ...preambleAbove(outline, [own])]
  return all.length === 0 ? {} : { preambles: all }
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

function hasSteps({ children, blocks, setup, teardown, line, column }: OwnScenario, { report }: Scope): boolean {
  if (children.length > 0) return true
  const orphans: readonly Block[] = [...blocks, ...(setup?.blocks ?? []), ...(teardown?.blocks ?? [])]
  if (orphans.length > 0) {
    const message =
      'The scenario has blocks before or after its steps, but no step. Add a step that executes something.'
    report('nothing-to-execute', { line, column }, message)
  }
  return false
}

function toList(hook: Hook | undefined): readonly Hook[] {
  return hook === undefined ? [] : [hook]
}
