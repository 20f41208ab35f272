import { mergeHooks } from '../sections/build-children.ts'
import { buildStep, createOrdinals } from '../sections/build-step.ts'
import type { Check, Example, Place, Scenario, ScenarioGroup, SpecLines, Requirement } from '../spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { DialectDocument, DialectParts } from './dialect.ts'
import { digestParts } from '../digest-parts.ts'

interface ApartScenario extends Place {
  readonly endLine: number
  /** Unique in the file. Asked for where there is a step: one that is left out takes no title. */
  title(): string
  stepTitle(): string
  /** As it is written, for the file that says how the product is run. */
  readonly name: string
  readonly groups: readonly ScenarioGroup[]
  readonly about: readonly SpecLines[]
  /** What it is judged by. One without a text says that what goes before is so. */
  readonly checks: readonly Judged[]
  readonly proves?: Scenario['proves']
  readonly tags?: readonly string[]
  /** Whether anything is to be done; else it is yet to be written. Default: true. */
  readonly hasProse?: boolean
  readonly lines?: readonly SpecLines[]
  readonly example?: Example | undefined
}

type Judged = Place & Pick<Check, 'text'>

/** What a clause begins with. `more`, such as `And`, goes on with what was before. */
export type ClauseKind = 'context' | 'action' | 'outcome' | 'more'

/** Words of OpenSpec and Spec Kit, in lower case. Cucumber says of its words itself what they are. */
export const clauseKinds: ReadonlyMap<string, ClauseKind> = new Map([
  ['given', 'context'],
  ['when', 'action'],
  ['then', 'outcome'],
  ['and', 'more'],
  ['but', 'more'],
])

/** Clauses that say what comes of an action. */
export function outcomesIn<T>(clauses: readonly T[], kindOf: (clause: T) => ClauseKind | undefined): readonly T[] {
  let isOutcome = false
  return clauses.filter((clause) => {
    const kind = kindOf(clause)
    if (kind !== 'more') isOutcome = kind === 'outcome'
    return isOutcome
  })
}

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
  { isAgentNone, text, report, context }: DialectDocument & DialectParts,
): Scenario | undefined {
  const content = {
    directives: tags.length > 0 ? { tags } : {},
    words: [],
    blocks: context.blocksOf(name),
    hasProse,
    hasLeftOut: false,
    isAgentNone,
    isSkipped: false,
    checks: isAgentNone
      ? []
      : checks.map((check, index) => ({ ...check, n: index + 1, text: check.text || 'It is so' })),
  }
  const scope = { text, report, isAgentNone, nextOrdinal: createOrdinals() }
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

export interface StatedRequirement {
  readonly requirement: Requirement
  readonly text: string
}

/** The requirements of a document, in the order in which they are found, and what proves them. */
export class RequirementList {
  readonly #lines: readonly string[]
  readonly #all: StatedRequirement[] = []

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get all(): readonly Requirement[] {
    return this.#all.map(({ requirement }) => requirement).toSorted((one, other) => one.line - other.line)
  }

  add(requirement: Requirement, said: readonly SpecLines[]): StatedRequirement {
    const stated = { requirement, text: this.textOf(said) }
    this.#all.push(stated)
    return stated
  }

  /** What a scenario proves: another key for each that says something else now, and for all once the scenario does. */
  provedBy(scenario: readonly SpecLines[], requirements: readonly StatedRequirement[]): Scenario['proves'] {
    if (requirements.length === 0) return undefined
    const own = this.textOf(scenario)
    return Object.fromEntries(requirements.map(({ requirement: { title }, text }) => [title, keyOf([text, own])]))
  }

  /** White space says nothing. */
  textOf(parts: readonly SpecLines[]): string {
    const lines = parts.flatMap(({ line, endLine }) => this.#lines.slice(line - 1, endLine))
    return lines.join('\n').replace(/\s+/g, ' ').trim()
  }
}

const keyLength = 16

function keyOf(texts: readonly string[]): string {
  return digestParts(texts).slice(0, keyLength)
}
