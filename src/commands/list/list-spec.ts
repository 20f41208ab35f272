import { agentStepsOf, isLeftOut, planBlocks, type PlannedBlocks } from '../../scenario/plan-blocks.ts'
import {
  lineOf,
  type Block,
  type Directives,
  type Group,
  type Hook,
  type Scenario,
  type SpecLine,
  type Step,
} from '../../spec/spec.ts'
import type { AfterFailure, Repeats } from '../../spec/front-matter/front-matter.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { StepRecording } from '../../plan/recordings/replay.ts'
import type { Plan } from '../../plan/plan.ts'
import { resolveOptions } from '../../plan/options/resolve-options.ts'
import { repeatsIn, type SpecSettings } from '../../plan/options/spec-settings.ts'
import type { Assurance } from '../../records/outcome.ts'

/** Who does a part of a step: the agent, or mdtest with a block of a kind; `todo` and `skip` where nobody does anything. */
export type Actor = 'agent' | 'console' | 'sh' | 'ts' | 'js' | 'browser' | 'file' | 'todo' | 'skip'

export interface ListedHeading extends SpecLine, Pick<Directives, 'only' | 'fails' | 'retry' | 'tags' | 'timeoutMs'> {
  /** Absent for a scenario, a set-up and a tear-down. */
  readonly kind?: 'group' | 'step'
  readonly id?: string
  readonly title: string
  /** The reason, or an empty string where none was given. */
  readonly skip?: string
  readonly by?: readonly Actor[]
  readonly checks?: number
  readonly recording?: StepRecording
  readonly children?: readonly ListedHeading[]
}

export interface ListedScenario extends ListedHeading {
  /** Headings that it stands below with others, the outermost first; absent where there are none. */
  readonly groups?: readonly { readonly title: string; readonly line: number }[]
  readonly repeats?: Repeats
  readonly change?: string
  readonly setup?: ListedHeading
  readonly teardown?: ListedHeading
}

export interface ListedSpec extends Partial<Pick<SpecSettings, 'executor' | 'sandbox'>> {
  readonly spec: string
  readonly title: string
  /** After precedence; `auto` is whichever is on PATH. */
  readonly agent: string
  readonly tags: readonly string[]
  readonly requires: readonly string[]
  readonly sideEffects: boolean
  /** Where it has tables: whether all rows run, or none behind one that does not pass. */
  readonly afterFailure: AfterFailure
  readonly limits: Limits
  readonly scenarios: readonly ListedScenario[]
}

type Limits = Partial<Record<Exclude<LimitName, 'minAssurance'>, number>> & { readonly minAssurance?: Assurance }
type LimitName = (typeof ofAgent)[number] | 'blockTimeoutMs'

const ofAgent = ['hardTimeoutMs', 'silenceTimeoutMs', 'maxCostUsd', 'maxTokens', 'minAssurance'] as const // literal keys

type RecordingsOf = (scenario: Scenario) => ReadonlyMap<string, StepRecording>

export function listSpec({ spec, settings }: Plan, recordingsOf?: RecordingsOf): ListedSpec {
  const { file, title, agent, change, frontMatter, scenarios } = spec
  const { tags, requires, sideEffects } = frontMatter
  const { executor, sandbox, afterFailure } = settings
  const hasAgent = scenarios.some((scenario) => agentStepsOf(scenario).length > 0)
  return {
    ...{ spec: file, title, agent, tags, requires, sideEffects, afterFailure },
    limits: limitsOf(settings, { hasAgent }),
    ...(hasAgent && { executor, sandbox }),
    scenarios: scenarios.map((scenario) => {
      const context = { planned: planBlocks(scenario), recordings: recordingsOf?.(scenario) }
      const { setup, teardown, groups } = scenario
      const repeats = repeatsIn(scenario, settings)
      return withoutUndefined<ListedScenario>({
        ...headOf(scenario),
        groups: groups?.map((group) => ({ title: group.title, line: group.line })),
        repeats: repeats.runs === 1 ? undefined : repeats,
        change,
        setup: setup && listHook(setup, context.planned.setup),
        children: scenario.children.map((child) => listChild(child, context)),
        teardown: teardown && listHook(teardown, context.planned.teardown),
      })
    }),
  }
}

function limitsOf({ policy, ...settings }: SpecSettings, { hasAgent }: { readonly hasAgent: boolean }): Limits {
  const limits = { ...settings, minAssurance: policy.minAssurance }
  const defaults = resolveOptions({})
  const names: readonly LimitName[] = [...(hasAgent ? ofAgent : []), 'blockTimeoutMs']
  const changed = names.filter((name) => limits[name] !== undefined && limits[name] !== defaults[name])
  return Object.fromEntries(changed.map((name) => [name, limits[name]])) as Limits // each under its own name
}

function headOf({ title, directives, ...heading }: Scenario | Group | Step): ListedHeading {
  const { skip, only, fails, retry, tags, timeoutMs } = directives
  return withoutUndefined<ListedHeading>({ title, ...lineOf(heading), skip, only, fails, retry, tags, timeoutMs })
}

interface ListContext {
  readonly planned: PlannedBlocks
  readonly recordings: ReadonlyMap<string, StepRecording> | undefined
}

function listChild(child: Group | Step, context: ListContext): ListedHeading {
  if (child.kind === 'group') {
    const children = child.children.map((grandchild) => listChild(grandchild, context))
    return { kind: 'group', ...headOf(child), children }
  }
  const recording = context.recordings?.get(child.id)
  const by = actorsOf(child, context.planned.of(child))
  const checks = child.checks.length
  return { kind: 'step', id: child.id, ...headOf(child), by, checks, ...(recording && { recording }) }
}

function actorsOf(step: Step, blocks: readonly Block[]): readonly Actor[] {
  if (isLeftOut(step)) return [step.directives.skip === undefined ? 'todo' : 'skip']
  if (step.actor === 'todo') return ['todo']
  const before = blocks.filter(({ role }) => role !== 'verify').map(labelOf)
  const after = blocks.filter(({ role }) => role === 'verify').map(labelOf)
  return inOrder([...before, ...(step.actor === 'agent' ? (['agent'] as const) : []), ...after]) // a literal
}

/** A tear-down has blocks or prose, never both. */
function listHook(hook: Hook, blocks: readonly Block[]): ListedHeading {
  const by = inOrder([...blocks.map(labelOf), ...(hook.hasProse ? (['agent'] as const) : [])]) // a literal
  return { title: hook.title, ...lineOf(hook), by }
}

/** The same one twice in a row stands there once. */
function inOrder(actors: readonly Actor[]): readonly Actor[] {
  return actors.filter((actor, index) => actor !== actors[index - 1])
}

/** A new kind of block is a type error here until it has a label. */
function labelOf(block: Block): Actor {
  switch (block.kind) {
    case 'script':
      return 'sh'
    case 'module':
      return block.language
    case 'console':
    case 'browser':
    case 'file':
      return block.kind
    default:
      return block satisfies never
  }
}
