import type { Background, Feature, FeatureChild, Location, Rule, Scenario, Tag } from '@cucumber/messages'
import type { SpecLines } from '../../spec.ts'

/** A scenario with what stands above it. */
export interface PlacedScenario {
  readonly scenario: Scenario
  readonly endLine: number
  /** Absent below a feature alone. */
  readonly rule?: PlacedRule
  /** Names and descriptions of what it is in. */
  readonly context: readonly SpecLines[]
  /** Steps that come before its own. */
  readonly backgrounds: readonly SpecLines[]
}

interface PlacedRule extends Pick<Rule, 'name' | 'location'> {
  readonly endLine: number
}

interface Above extends Pick<PlacedScenario, 'context' | 'backgrounds' | 'rule'> {
  /** Line of what comes behind. */
  readonly end: number
}

/** Gherkin says where something begins: it ends where the next begins, or what holds it ends. */
export class FeatureLines {
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** The scenarios of a feature and its rules, in order. */
  scenariosOf(feature: Feature): readonly PlacedScenario[] {
    return this.#scenariosIn(feature, { end: this.#lines.length + 1, context: [], backgrounds: [] })
  }

  /** From a line to the last one before another that says something. */
  upTo(next: number, { line }: Pick<Location, 'line'>): SpecLines {
    let endLine = next - 1
    while (endLine > line && /^\s*(?:#.*)?$/.test(this.#lines[endLine - 1] ?? '')) endLine -= 1
    return { line, endLine }
  }

  #scenariosIn(
    { location, children }: Pick<Feature, 'location' | 'children'> | Rule,
    { end, ...above }: Above,
  ): readonly PlacedScenario[] {
    const all: readonly FeatureChild[] = children
    const firsts = all.map(firstLineOf)
    const context = [...above.context, this.upTo(firsts[0] ?? end, location)]
    let { backgrounds } = above
    return all.flatMap(({ background, rule, scenario }, index): readonly PlacedScenario[] => {
      const next = firsts[index + 1] ?? end
      if (background && saysSomething(background)) backgrounds = [...backgrounds, this.upTo(next, background.location)]
      if (rule) {
        const { endLine } = this.upTo(next, rule.location)
        return this.#scenariosIn(rule, { end: next, context, backgrounds, rule: { ...rule, endLine } })
      }
      if (!scenario) return []
      return [{ ...above, context, backgrounds, scenario, endLine: this.upTo(next, scenario.location).endLine }]
    })
  }
}

/** Tags stand above what they belong to. */
export function firstLine({ location, tags }: { readonly location: Location; readonly tags: readonly Tag[] }): number {
  return Math.min(location.line, ...tags.map((tag) => tag.location.line))
}

function firstLineOf({ background, rule, scenario }: FeatureChild): number {
  const tagged = rule ?? scenario
  return tagged ? firstLine(tagged) : (background?.location.line ?? 1)
}

function saysSomething({ steps, description }: Background): boolean {
  return steps.length > 0 || description !== ''
}
