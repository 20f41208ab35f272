import { mergeHooks } from '../sections/build-hook.ts'
import { buildStep, createOrdinals } from '../sections/build-step.ts'
import type { Check, Example, Place, Scenario, ScenarioGroup, SpecLines } from '../spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { DialectDocument, DialectParts } from './dialect.ts'

/** A scenario of another tool: of one step, and apart from all others of its file. */
interface ApartScenario extends Place {
  readonly endLine: number
  /** Unique in the file. Asked for where there is a step: one that is left out takes no title. */
  title(): string
  /** Unique below its groups. */
  stepTitle(): string
  /** As it is written, for the file that says how the product is run. */
  readonly name: string
  readonly groups: readonly ScenarioGroup[]
  /** What its agent has to know besides. */
  readonly about: readonly SpecLines[]
  readonly checks: readonly (Check & Place)[]
  /** Requirements that it proves. Default: none. */
  readonly proves?: Scenario['proves']
  /** Default: none. */
  readonly tags?: readonly string[]
  /**
   * Whether anything is to be done; else it is yet to be written.
   * @default true
   */
  readonly hasProse?: boolean
  /** What is carried out, where it is more than stands at its place. */
  readonly lines?: readonly SpecLines[]
  /** Of a row. */
  readonly example?: Example | undefined
}

/** `undefined` where nobody acts on it. */
export function buildApart(
  {
    title,
    stepTitle,
    name,
    groups,
    about,
    checks,
    proves,
    tags = [],
    hasProse = true,
    lines = [],
    example,
    ...place
  }: ApartScenario,
  { isAgentNone, text, languages, report, context }: DialectDocument & DialectParts,
): Scenario | undefined {
  const content = {
    directives: tags.length > 0 ? { tags } : {},
    words: [],
    blocks: context.blocksOf(name),
    hasProse,
    hasLeftOut: false,
    isAgentNone,
    isSkipped: false,
    checks: isAgentNone ? [] : checks,
  }
  const scope = { text, languages, report, isAgentNone, nextOrdinal: createOrdinals() }
  const step = buildStep(content, { ...place, title: stepTitle }, scope)
  if (step === undefined) return undefined
  const preambles = [...context.preambles, ...about]
  return withoutUndefined<Scenario>({
    ordinal: 1,
    title: title(),
    ...place,
    groups: groups.length > 0 ? groups : undefined,
    directives: {},
    hasDescribe: false,
    isApart: true,
    proves,
    preambles: preambles.length > 0 ? preambles : undefined,
    lines: lines.length > 0 ? lines : undefined,
    blocks: [],
    setup: mergeHooks(context.setups),
    teardown: mergeHooks(context.teardowns),
    children: [{ ...step, ...(example !== undefined && { example }) }],
  })
}
