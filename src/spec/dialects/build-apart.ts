import { mergeHooks } from '../sections/build-hook.ts'
import { buildStep, createOrdinals } from '../sections/build-step.ts'
import type { Check, Directives, Place, Scenario, ScenarioGroup, SpecLines } from '../spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { DialectDocument, DialectParts } from './dialect.ts'

/** A scenario of another tool: of one step, and apart from all others of its file. */
interface ApartScenario extends Place {
  readonly endLine: number
  /** Unique in the file. */
  readonly title: string
  /** Unique below its groups. */
  readonly stepTitle: string
  /** As it is written, for the file that says how the product is run. */
  readonly name: string
  readonly groups: readonly ScenarioGroup[]
  /** What its agent has to know besides. */
  readonly about: readonly SpecLines[]
  readonly checks: readonly (Check & Place)[]
  /** Default: none. */
  readonly directives?: Directives
}

/** `undefined` where nobody acts on it. */
export function buildApart(
  { title, stepTitle, name, groups, about, checks, directives = {}, ...place }: ApartScenario,
  { isAgentNone, text, languages, report, context }: DialectDocument & DialectParts,
): Scenario | undefined {
  const content = {
    directives,
    words: [],
    blocks: context.blocksOf(name),
    hasProse: true,
    hasLeftOut: false,
    isAgentNone,
    isSkipped: false,
    checks: isAgentNone ? [] : checks,
  }
  const scope = { text, languages, report, isAgentNone, nextOrdinal: createOrdinals() }
  const step = buildStep(content, { ...place, title: () => stepTitle }, scope)
  if (step === undefined) return undefined
  return withoutUndefined<Scenario>({
    ordinal: 1,
    title,
    ...place,
    groups,
    directives: {},
    hasDescribe: false,
    isApart: true,
    preambles: [...context.preambles, ...about],
    blocks: [],
    setup: mergeHooks(context.setups),
    teardown: mergeHooks(context.teardowns),
    children: [step],
  })
}
