import { mergeHooks } from '../sections/build-children.ts'
import { createUniqueTitle, type UniqueTitle } from '../sections/build-sections.ts'
import { buildStep, createOrdinals } from '../sections/build-step.ts'
import type { Check, Example, Headed, Place, Requirement, Scenario, Spec, SpecLines } from '../spec.ts'
import { oneLine } from '../markdown/positions-and-placeholders.ts'
import { expectationsOf } from '../blocks/expectations-of.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { DialectDocument } from './dialect.ts'
import { digestParts } from '../digest-parts.ts'

export interface ApartScenario extends Headed {
  /** Default: `title`. */
  readonly stepTitle?: string
  /** Title as written, which `mdtest.context.md` uses in `Scenario: …`. Default: `title`. */
  readonly name?: string
  readonly groups: readonly Headed[]
  readonly about: readonly SpecLines[]
  /** The checks. A check without text becomes `It is so`. If the list is empty, the whole scenario is one check. */
  readonly checks: readonly Judged[]
  /** Text of the only check, if `checks` is empty. Default: `stepTitle`. */
  readonly whole?: string
  readonly proves: readonly StatedRequirement[]
  readonly tags?: readonly string[]
  /** Whether the scenario has text. A scenario without text and blocks becomes a `todo`. Default: true. */
  readonly hasProse?: boolean
  /** Default: the lines from `line` to `endLine`. */
  readonly lines?: readonly SpecLines[]
  readonly example?: Example | undefined
}

export type Judged = Place & Pick<Check, 'text'>

interface StatedRequirement {
  readonly requirement: Requirement
  readonly text: string
}

const keyLength = 16

/** Collects the requirements of another tool's document. Each test case becomes a scenario with one step. */
export class ApartScenarios {
  readonly #document: DialectDocument
  readonly #lines: readonly string[]
  readonly #scenarios: Scenario[] = []
  readonly #stated = new Map<number, StatedRequirement>()
  readonly #groups = new Map<number, Headed>()
  readonly #titles = new Map<string, UniqueTitle>()

  constructor(document: DialectDocument) {
    this.#document = document
    this.#lines = document.text.split('\n')
  }

  get built(): Required<Pick<Spec, 'includes' | 'scenarios' | 'requirements'>> {
    return {
      includes: this.#document.context.files,
      scenarios: this.#scenarios,
      requirements: [...this.#stated.values()]
        .map(({ requirement }) => requirement)
        .toSorted((one, other) => one.line - other.line),
    }
  }

  /** The first call for a line creates the group; later calls return the same group. `parent` contains the group. */
  group(asWritten: Headed, parent?: Headed): Headed {
    this.#document.fates.mark('title', asWritten.line)
    const title = (): string => this.#unique(`group ${parent?.line}`, asWritten.title)
    return kept(this.#groups, asWritten.line, () => ({ ...asWritten, title: title() }))
  }

  /** The first call for a line creates the requirement. `said`: the lines with the text of the requirement. */
  state(requirement: Requirement, said: readonly SpecLines[]): StatedRequirement {
    this.#document.fates.mark('title', requirement.line)
    return kept(this.#stated, requirement.line, () => ({
      requirement: { ...requirement, title: this.#unique('requirement', requirement.title) },
      text: this.linesText(said),
    }))
  }

  linesText(parts: readonly SpecLines[]): string {
    return oneLine(parts.flatMap(({ line, endLine }) => this.#lines.slice(line - 1, endLine)).join('\n'))
  }

  add(scenario: ApartScenario): void {
    const { line, column, endLine, title, stepTitle = title, groups, lines = [], example, hasProse = true } = scenario
    const { isAgentNone, text, report, context, fates } = this.#document
    const whole = hasProse ? [{ line, column, text: scenario.whole || stepTitle }] : []
    const judged = scenario.checks.length > 0 ? scenario.checks : whole
    const checks = judged.map((check, index) => ({ ...check, n: index + 1, text: check.text || 'It is so' }))
    fates.mark('scenario', line + 1, endLine)
    fates.mark('title', line)
    for (const check of checks) fates.mark('check', check.line)
    const step = buildStep(
      {
        directives: scenario.tags?.length ? { tags: scenario.tags } : {},
        words: [],
        blocks: context.blocksOf(scenario.name ?? title),
        hasProse,
        hasLeftOut: false,
        isAgentNone,
        isSkipped: false,
        checks: isAgentNone ? [] : checks,
      },
      { line, column, endLine, title: () => this.#unique(`step ${groups.at(-1)?.line}`, stepTitle) },
      { text, report, isAgentNone, fates, nextOrdinal: createOrdinals() },
    )
    if (step === undefined) return
    const preambles = [...context.preambles, ...scenario.about]
    const built = withoutUndefined<Scenario>({
      ordinal: this.#scenarios.length + 1,
      title: this.#unique('scenario', title),
      line,
      column,
      endLine,
      groups: groups.length > 0 ? groups : undefined,
      directives: {},
      hasDescribe: false,
      isApart: true,
      proves: this.#proofOf(scenario),
      preambles: preambles.length > 0 ? preambles : undefined,
      lines: lines.length > 0 ? lines : undefined,
      blocks: [],
      setup: mergeHooks(context.setups),
      teardown: mergeHooks(context.teardowns),
      children: [{ ...step, ...(example !== undefined && { example }) }],
    })
    this.#scenarios.push(built)
  }

  /** A hash for each proved requirement, which changes if the requirement, the scenario or a block changes. */
  #proofOf({ title, name = title, lines = [], line, endLine, proves }: ApartScenario): Scenario['proves'] {
    const own = this.linesText(lines.length > 0 ? lines : [{ line, endLine }])
    const blocks = this.#document.context
      .blocksOf(name)
      .map((block) => JSON.stringify([block.code, block.attributes, expectationsOf(block).map((one) => one.lines)]))
    const keyOf = ({ text }: StatedRequirement): string => digestParts([text, own, ...blocks]).slice(0, keyLength)
    return Object.fromEntries(proves.map((stated) => [stated.requirement.title, keyOf(stated)]))
  }

  #unique(list: string, title: string): string {
    return kept(this.#titles, list, createUniqueTitle)(title)
  }
}

function kept<Key, Value>(all: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = all.get(key) ?? make()
  all.set(key, value)
  return value
}
