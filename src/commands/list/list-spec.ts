import { agentStepsOf, planBlocks, type PlannedBlocks } from '../../scenario/plan-blocks.ts'
import {
  lineOf,
  type Block,
  type Directives,
  type Group,
  type Hook,
  type Scenario,
  type Step,
  type SpecLine,
  type SpecProblem,
} from '../../spec/spec.ts'
import type { AfterFailure, Repeats } from '../../spec/front-matter/front-matter.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { StepRecording } from '../../plan/recordings/replay.ts'
import type { Plan } from '../../plan/plan.ts'
import { actorsOf, actorsOfHook, type Actor } from './actors.ts'
import { resolveOptions } from '../../plan/options/resolve-options.ts'
import { repeatsIn, type SpecSettings } from '../../plan/options/spec-settings.ts'
import type { Assurance } from '../../records/outcome.ts'

/** Says of a planned spec what will happen in which order, and who does it. */
export function listSpec({ spec, settings }: Plan, recordingsOf?: RecordingsOf): ListedSpec {
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
    afterFailure: settings.afterFailure,
    limits,
    ...(hasAgent && { executor: settings.executor, sandbox: settings.sandbox }),
    scenarios: scenarios.map((scenario) => ({
      ...listScenario(scenario, settings, recordingsOf?.(scenario)),
      ...(spec.change !== undefined && { change: spec.change }),
    })),
  }
}

/** What a recording has of the steps of a scenario, by id. */
type RecordingsOf = (scenario: Scenario) => ReadonlyMap<string, StepRecording>

function listScenario(
  scenario: Scenario,
  settings: Plan['settings'],
  recordings: ReturnType<RecordingsOf> = new Map(),
): ListedScenario {
  const planned = planBlocks(scenario)
  return withoutUndefined<ListedScenario>({
    title: scenario.title,
    groups: scenario.groups?.map(({ title, line }) => ({ title, line })),
    ...lineOf(scenario),
    ...marksOf(scenario.directives),
    ...repeatsOf(scenario, settings),
    setup: scenario.setup && listHook(scenario.setup, planned.setup),
    children: scenario.children.map((child) => listChild(child, { planned, recordings })),
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

interface ListContext {
  readonly planned: PlannedBlocks
  readonly recordings: ReturnType<RecordingsOf>
}

function listChild(child: Group | Step, context: ListContext): ListedGroup | ListedStep {
  const head = { title: child.title, ...lineOf(child), ...marksOf(child.directives) }
  if (child.kind === 'group') {
    return { kind: 'group', ...head, children: child.children.map((grandchild) => listChild(grandchild, context)) }
  }
  const { id, checks } = child
  const recording = context.recordings.get(id)
  const by = actorsOf(child, context.planned.of(child))
  return { kind: 'step', id, ...head, by, checks: checks.length, ...(recording && { recording }) }
}

function marksOf({ skip, only, fails, retry, tags, timeoutMs }: Directives): Marks {
  return withoutUndefined<Marks>({ skip, only, fails, retry, tags, timeoutMs })
}

/** What directives say of a heading. */
export interface Marks {
  /** The reason, or an empty string where none was given. */
  readonly skip?: string
  readonly only?: true
  readonly fails?: true
  readonly retry?: number
  readonly tags?: readonly string[]
  /** Hard limit in milliseconds. */
  readonly timeoutMs?: number
}

/** A leaf heading, and who does it. */
export interface ListedStep extends SpecLine, Marks {
  readonly kind: 'step'
  readonly id: string
  readonly title: string
  /** In the order in which they act. */
  readonly by: readonly Actor[]
  /** How many checks the agent judges. */
  readonly checks: number
  /** What the recording beside the spec has of it, where there is one. */
  readonly recording?: StepRecording
}

/** A heading with headings below it. */
export interface ListedGroup extends SpecLine, Marks {
  readonly kind: 'group'
  readonly title: string
  readonly children: readonly (ListedGroup | ListedStep)[]
}

/** A set-up or tear-down. */
interface ListedHook extends SpecLine {
  readonly title: string
  readonly by: readonly Actor[]
}

/** One scenario in order. */
export interface ListedScenario extends SpecLine, Marks {
  readonly title: string
  /** Headings that it stands below with others, the outermost first; absent where there are none. */
  readonly groups?: readonly { readonly title: string; readonly line: number }[]
  /** Where it is run more than once. */
  readonly repeats?: Repeats
  /** Name of the change that is to bring it. */
  readonly change?: string
  readonly setup?: ListedHook
  readonly children: readonly (ListedGroup | ListedStep)[]
  readonly teardown?: ListedHook
}

/** The plan of one spec. */
export interface ListedSpec {
  readonly spec: string
  readonly title: string
  /** After precedence; `auto` is whichever is on PATH. */
  readonly agent: string
  readonly tags: readonly string[]
  readonly requires: readonly string[]
  readonly sideEffects: boolean
  /** Where it has tables: whether all rows run, or none behind one that does not pass. */
  readonly afterFailure: AfterFailure
  /** Those that differ from the defaults. */
  readonly limits: Limits
  /** Where mdtest alone executes the product for the agent. */
  readonly executor?: SpecSettings['executor']
  readonly sandbox?: SpecSettings['sandbox']
  readonly scenarios: readonly ListedScenario[]
}

/** A spec that cannot be run, and why. */
export interface BadSpec {
  readonly spec: string
  /** Empty where the file cannot be read. */
  readonly problems: readonly SpecProblem[]
  /** The same for people, with the lines they are about. */
  readonly report: string
}

/** Limits of a spec, named as the options are. */
export interface Limits {
  readonly hardTimeoutMs?: number
  readonly silenceTimeoutMs?: number
  readonly blockTimeoutMs?: number
  readonly maxCostUsd?: number
  readonly maxTokens?: number
  readonly minAssurance?: Assurance
}

const ofAgent = ['hardTimeoutMs', 'silenceTimeoutMs', 'maxCostUsd', 'maxTokens', 'minAssurance'] as const // literal keys

/** The limits that differ from the defaults; those of the agent only where it acts. */
function limitsOf({ policy, ...settings }: SpecSettings, { hasAgent }: { readonly hasAgent: boolean }): Limits {
  const limits = { ...settings, minAssurance: policy.minAssurance }
  const defaults = resolveOptions({})
  const names = [...(hasAgent ? ofAgent : []), 'blockTimeoutMs' as const] // a literal key
  const changed = names.filter((name) => limits[name] !== undefined && limits[name] !== defaults[name])
  return Object.fromEntries(changed.map((name) => [name, limits[name]])) as Limits // each under its own name
}
