import { planBlocks, type PlannedBlocks } from '../../scenario/plan-blocks.ts'
import {
  lineOf,
  stepsOf,
  type Block,
  type Directives,
  type Group,
  type Hook,
  type Repeats,
  type Scenario,
  type Step,
} from '../../spec/spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { Plan } from '../../plan/plan.ts'
import { repeatsIn } from '../../plan/options/spec-settings.ts'
import { agentStepsOf, actorsOf, actorsOfHook } from './actors.ts'
import { limitsOf } from './limits.ts'
import type { ListedGroup, ListedHook, ListedScenario, ListedSpec, ListedStep, Marks } from './listed-spec.ts'

/** Says of a planned spec what will happen in which order, and who does it. */
export function listSpec({ spec, settings }: Plan): ListedSpec {
  const { file, title, agent, frontMatter, scenarios } = spec
  const { tags, requires, sideEffects } = frontMatter
  const hasAgent = scenarios.some((scenario) => agentStepsOf(scenario).length > 0)
  const limits = limitsOf(settings, { hasAgent })
  return {
    spec: file,
    title,
    agent,
    tags,
    requires,
    sideEffects,
    ...(scenarios.some((scenario) => stepsOf(scenario).some(({ example }) => example)) && { rows: settings.rows }),
    limits,
    scenarios: scenarios.map((scenario) => listScenario(scenario, settings)),
  }
}

function listScenario(scenario: Scenario, settings: Plan['settings']): ListedScenario {
  const planned = planBlocks(scenario)
  return withoutUndefined<ListedScenario>({
    title: scenario.title,
    ...lineOf(scenario),
    ...marksOf(scenario.directives),
    ...repeatsOf(scenario, settings),
    setup: scenario.setup && listHook(scenario.setup, planned.setup),
    children: scenario.children.map((child) => listChild(child, planned)),
    teardown: scenario.teardown && listHook(scenario.teardown, planned.teardown),
  })
}

/** Nothing for a scenario that is run once. */
function repeatsOf(scenario: Scenario, settings: Plan['settings']): { readonly repeats?: Repeats } {
  const repeats = repeatsIn(scenario, settings)
  return repeats.runs === 1 ? {} : { repeats }
}

function listHook(hook: Hook, blocks: readonly Block[]): ListedHook {
  return { title: hook.title, ...lineOf(hook), by: actorsOfHook(hook, blocks) }
}

function listChild(child: Group | Step, planned: PlannedBlocks): ListedGroup | ListedStep {
  const head = { title: child.title, ...lineOf(child), ...marksOf(child.directives) }
  if (child.kind === 'group') {
    return { kind: 'group', ...head, children: child.children.map((grandchild) => listChild(grandchild, planned)) }
  }
  const { id, checks } = child
  return { kind: 'step', id, ...head, by: actorsOf(child, planned.of(child)), checks: checks.length }
}

function marksOf({ skip, only, fails, retry, tags, timeoutMs }: Directives): Marks {
  return withoutUndefined<Marks>({ skip, only, fails, retry, tags, timeoutMs })
}
